//! How far labels lie apart beside how far runs of one label do.

use etalon_model::{
    Comparison, ComparisonVerdict, Estimate, Interval, LabelFigure, LabelSpread, Sentence,
    SpreadComponents, Unit,
};
use etalon_stats::{Level, Sample, components};

use crate::comparison::{Arm, CompareError, CompareOptions, compare_arms, limit};
use crate::figures::record;

/// The runs of one workload in one experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled<'a> {
    /// The experiment's label.
    pub label: &'a str,
    /// The figures of its runs.
    pub values: &'a [f64],
}

/// The runs of one label, over all of its experiments.
struct LabelGroup<'a> {
    label: &'a str,
    experiments: u32,
    values: Vec<f64>,
}

/// The spread between labels and within them: variance components of the one-way random model
/// ([`etalon_stats::components`]), every run counting alike within its label.
pub fn label_spread(name: &str, unit: Unit, experiments: &[Labelled<'_>]) -> LabelSpread {
    let mut spread = LabelSpread {
        name: name.to_owned(),
        unit,
        labels: Vec::new(),
        left_out: Vec::new(),
        components: None,
        reason: None,
    };
    let mut samples = Vec::new();
    for group in grouped(experiments) {
        match Sample::new(group.values) {
            Ok(sample) => {
                spread
                    .labels
                    .push(figure(group.label, group.experiments, &sample));
                samples.push(sample);
            }
            Err(error) => {
                spread.reason = Some(format!("{}: {error}", group.label));
                return spread;
            }
        }
    }
    match components(&samples, Level::REPORTED) {
        Ok(found) => spread.components = Some(recorded(&found)),
        Err(error) => spread.reason = Some(error.to_string()),
    }
    spread
}

/// [`label_spread`] of a row that was compared, over the arms that can be used, whose labels are theirs: one experiment of
/// twenty that something spoiled leaves the others as they are; one under a limit that the comparison declares is not
/// spoiled. Where the others cannot be compared either, it says why.
///
/// # Errors
/// [`CompareError`] when the request itself makes no sense.
pub fn usable_label_spread(
    comparison: &Comparison,
    arms: &[Arm<'_>],
    options: &CompareOptions,
) -> Result<LabelSpread, CompareError> {
    let held = limit::declared(arms, options);
    let (usable, spoiled): (Vec<Arm<'_>>, Vec<Arm<'_>>) = limit::under(arms, &held)
        .into_iter()
        .partition(|arm| !arm.cell.verdict.is_invalid());
    let labelled = usable.iter().map(|arm| Labelled {
        label: &arm.label,
        values: &arm.cell.values,
    });
    let labelled: Vec<Labelled<'_>> = labelled.collect();
    let mut spread = label_spread(&comparison.name, comparison.unit, &labelled);
    spread.left_out = spoiled.into_iter().map(|arm| arm.label).collect();
    let again = match spread.left_out.is_empty() || usable.len() < 2 {
        true => comparison.clone(),
        false => compare_arms(&comparison.name, &usable, options)?,
    };
    if let ComparisonVerdict::Refused { reasons, .. } = again.verdict {
        let why = Sentence::all(&reasons).trim_end_matches('.').to_owned();
        (spread.components, spread.reason) = (None, Some(why));
    }
    Ok(spread)
}

fn grouped<'a>(experiments: &[Labelled<'a>]) -> Vec<LabelGroup<'a>> {
    let mut groups: Vec<LabelGroup<'a>> = Vec::new();
    for one in experiments {
        let known = groups.iter().position(|group| group.label == one.label);
        let at = known.unwrap_or_else(|| {
            groups.push(LabelGroup {
                label: one.label,
                experiments: 0,
                values: Vec::new(),
            });
            groups.len() - 1
        });
        groups[at].experiments += 1;
        groups[at].values.extend_from_slice(one.values);
    }
    groups
}

fn figure(label: &str, experiments: u32, sample: &Sample) -> LabelFigure {
    LabelFigure {
        label: label.to_owned(),
        experiments,
        mean: record(&sample.mean_interval(Level::REPORTED)),
        sd: sample.sd(),
    }
}

fn recorded(found: &etalon_stats::Components) -> SpreadComponents {
    let estimate = |value, interval: etalon_stats::Interval, runs: usize| Estimate {
        value,
        interval: Some(Interval {
            low: interval.low,
            high: interval.high,
            level: interval.level.get(),
        }),
        runs: u32::try_from(runs).unwrap_or(u32::MAX),
    };
    SpreadComponents {
        mean: found.mean,
        between: estimate(found.between, found.between_interval, found.groups),
        within: estimate(found.within, found.within_interval, found.runs),
        icc: estimate(found.icc, found.icc_interval, found.groups),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_of_one_label_are_one_group() {
        let runs = [[10.0, 11.0], [12.0, 13.0], [20.0, 21.0]];
        let of = |label, at: usize| Labelled {
            label,
            values: &runs[at],
        };
        let all = [of("a", 0), of("b", 2), of("a", 1)];
        let found = label_spread("read", Unit::OperationsPerSecond, &all);
        let labels = found.labels.iter();
        let labels = labels.map(|l| (l.label.as_str(), l.experiments, l.mean.runs));
        assert_eq!(labels.collect::<Vec<_>>(), [("a", 2, 4), ("b", 1, 2)]);
        let components = found.components.unwrap();
        // MSW = (5 + 0.5) / 4, MSB = 4/3 * 81, n0 = 8/3.
        assert!((components.within.value.powi(2) - 1.375).abs() < 1e-9);
        assert!((components.between.value.powi(2) - (108.0 - 1.375) / (8.0 / 3.0)).abs() < 1e-9);
        assert_eq!((components.between.runs, components.within.runs), (2, 6));
    }

    #[test]
    fn one_label_says_why_it_has_no_spread() {
        let only = [Labelled {
            label: "a",
            values: &[1.0, 2.0],
        }];
        let found = label_spread("read", Unit::Seconds, &only);
        assert!(found.components.is_none() && found.reason.unwrap().contains("at least two"));
    }
}
