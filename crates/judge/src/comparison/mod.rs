//! Cells side by side: whether they may be compared, and what the difference is.

mod conditions;
mod devices;
mod gate;
mod group;
mod groups;
mod io_conditions;
mod left_out;
pub(crate) mod limit;
mod ranked;
mod refusal;
mod rows;
mod sessions;
mod standing;
mod undeclared;

#[cfg(test)]
mod split_plots;

use etalon_model::{Cell, Comparison, ComparisonArm, ComparisonVerdict, Run, Standing};
use etalon_stats::{
    Better, Design, Level, Margin, MarginError, Ranking, RankingError, RatioError, Sample,
    SampleError, rank, ratio_by,
};

use crate::figures::{Figures, record};
use ranked::RankedRow;
use refusal::refusal;

pub use conditions::{CONCURRENT, condition_name, condition_names};
pub use devices::device_names;
pub use gate::gate;
pub use group::Group;
pub use groups::{Factor, is_identity, name_groups};
pub use rows::{RowArms, compare_rows};
pub use sessions::session_spread;
pub(crate) use sessions::spread_between;
pub use undeclared::{names_fact, undeclared};

/// One side of a comparison, with what is known of how it came about.
#[derive(Debug, Clone)]
pub struct Arm<'a> {
    /// What the user called it.
    pub label: String,
    /// The experiment that its runs belong to; runs of one experiment share its blocks.
    pub session: String,
    /// The judged cell.
    pub cell: &'a Cell,
    /// Its runs.
    pub runs: Vec<&'a Run>,
}

/// How to compare.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareOptions {
    /// What of the workload may differ between the arms; everything else of it must agree.
    pub by: Vec<String>,
    /// Index of the arm that ratios refer to.
    pub baseline: usize,
    /// Relative differences up to this count as none.
    pub margin: f64,
}

/// Why a comparison could not even be tried.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CompareError {
    /// The margin is no share.
    #[error(transparent)]
    Margin(#[from] MarginError),
    /// There are not two arms.
    #[error("{arms} named: a comparison needs at least two")]
    TooFewArms {
        /// How many there are.
        arms: usize,
    },
    /// The figures of an arm cannot be used.
    #[error("{label}: {source}")]
    Values {
        /// The arm.
        label: String,
        /// What is wrong.
        source: SampleError,
    },
    /// The ratio cannot be formed.
    #[error(transparent)]
    Ratio(#[from] RatioError),
    /// The arms cannot be ranked.
    #[error(transparent)]
    Ranking(#[from] RankingError),
}

/// Compares two or more arms in one row alone, all pairs corrected by Holm's method; what is told of several rows at once
/// comes from [`compare_rows`].
///
/// Arms whose workloads differ in more than was declared, that are invalid, that have fewer than
/// two runs, or of which a run has the figure zero are refused with the reasons, as a comparison
/// whose verdict says so; of three and more arms those that are invalid, have too few runs or such a
/// run are left out, unless one is the baseline, and the others are compared. What they were measured on may differ in everything: that is what is
/// compared.
///
/// # Errors
/// [`CompareError`] when the request itself makes no sense.
pub fn compare_arms(
    name: &str,
    arms: &[Arm<'_>],
    options: &CompareOptions,
) -> Result<Comparison, CompareError> {
    let held = limit::declared(arms, options);
    let arms = limit::under(arms, &held);
    RankedRow::new(name, &arms, options)?.alone()
}

/// Whether two arms did the same, or so nearly that nobody has to declare the difference.
pub(crate) fn is_same_work(base: &Arm<'_>, other: &Arm<'_>) -> bool {
    let (one, two) = (&base.cell.workload, &other.cell.workload);
    let differences = conditions::differences(&[base.clone(), other.clone()]);
    let mut names = differences.iter().map(|found| &found.condition);
    names.all(|name| conditions::is_tolerated(name, one, two))
}

/// The arms with their figures, of which nothing is claimed yet, and their ranking where something may be.
fn compared(
    name: &str,
    arms: &[Arm<'_>],
    options: &CompareOptions,
) -> Result<(Comparison, Option<Ranking>), CompareError> {
    Margin::new(options.margin)?;
    let Some(base) = arms.get(options.baseline).filter(|_| arms.len() > 1) else {
        return Err(CompareError::TooFewArms { arms: arms.len() });
    };
    let mut comparison = Comparison {
        name: name.to_owned(),
        unit: base.cell.unit,
        arms: Vec::new(),
        baseline: options.baseline,
        margin: options.margin,
        in_blocks: false,
        session_spread: None,
        chance: None,
        differences: Vec::new(),
        verdict: ComparisonVerdict::Undecided,
    };
    let differences = conditions::differences(arms);
    if let Some(refused) = refusal(arms, &differences, options) {
        comparison.verdict = refused;
        return Ok((comparison, None));
    }
    comparison.differences = differences;
    let (values, design) = values_by_design(arms);
    let samples = samples(arms, values)?;
    let better = if comparison.unit.less_is_better() {
        Better::Lower
    } else {
        Better::Higher
    };
    let ranking = rank(&samples, design, better, Level::REPORTED)?;
    comparison.in_blocks = design == Design::Blocks;
    if let Design::Sessions { spread } = design {
        comparison.session_spread = Some(spread);
    }
    comparison.arms = describe(arms, &samples, options.baseline, design)?;
    // No interval, no claim: chance alone may be behind whatever a test says of so few runs.
    let ranking = (!comparison.lacks_an_interval()).then_some(ranking);
    Ok((comparison, ranking))
}

/// The figures of each arm: block by block where all arms were measured in the same blocks of one
/// session, else every valid run.
fn values_by_design(arms: &[Arm<'_>]) -> (Vec<Vec<f64>>, Design) {
    // A run that was cut short is made again in its block.
    let counts = |run: &&Run| !run.is_invalid() && !run.is_cut();
    let of_block = |arm: &Arm<'_>, block: u32| {
        let mut runs = arm.runs.iter().copied().filter(counts);
        runs.find(|run| run.known_block() == Some(block))
            .map(Run::figure)
    };
    let together = arms.iter().all(|arm| arm.session == arms[0].session);
    if together {
        let blocks = arms[0].runs.iter().copied().filter(counts);
        let blocks = blocks.filter_map(Run::known_block);
        let rows: Vec<Vec<f64>> = blocks
            .filter_map(|block| arms.iter().map(|arm| of_block(arm, block)).collect())
            .collect();
        if rows.len() > 1 {
            let column = |arm: usize| rows.iter().map(|row| row[arm]).collect();
            return ((0..arms.len()).map(column).collect(), Design::Blocks);
        }
    }
    let all = arms.iter().map(|arm| arm.cell.values.clone());
    (all.collect(), sessions::apart(arms))
}

fn samples(arms: &[Arm<'_>], values: Vec<Vec<f64>>) -> Result<Vec<Sample>, CompareError> {
    let named = arms.iter().zip(values);
    named
        .map(|(arm, values)| {
            Sample::new(values).map_err(|source| CompareError::Values {
                label: arm.label.clone(),
                source,
            })
        })
        .collect()
}

fn describe(
    arms: &[Arm<'_>],
    samples: &[Sample],
    baseline: usize,
    design: Design,
) -> Result<Vec<ComparisonArm>, CompareError> {
    let sides = arms.iter().zip(samples);
    let figures: Vec<Figures> = sides.map(|(arm, sample)| figures(arm, sample)).collect();
    let sum: f64 = figures.iter().map(|arm| arm.mean.value).sum();
    let group = sum / figures.len() as f64;
    let mut described = Vec::new();
    for (index, (arm, sample)) in arms.iter().zip(samples).enumerate() {
        let pair = ratio_by(sample, &samples[baseline], design, Level::REPORTED)?;
        described.push(ComparisonArm {
            label: arm.label.clone(),
            values: sample.values().to_vec(),
            mean: figures[index].mean,
            median: figures[index].median,
            headline: figures[index].headline,
            of_group: figures[index].mean.value / group,
            of_baseline: (index != baseline).then(|| record(&pair.estimate)),
            letters: "a".to_owned(),
            is_best: false,
            sd: sample.sd(),
            cv: sample.cv(),
            standing: (index != baseline).then_some(Standing::NotShown),
            left_out: None,
        });
    }
    Ok(described)
}

/// The figures of an arm: its cell's own, unless only some of its runs are compared.
fn figures(arm: &Arm<'_>, sample: &Sample) -> Figures {
    if sample.values() != arm.cell.values {
        return Figures::of(sample);
    }
    Figures {
        mean: arm.cell.mean,
        median: arm.cell.median,
        headline: arm.cell.headline,
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod walk;
