//! Whether a published experiment's figures follow from its runs.

use etalon_model::{Cell, Estimate, Experiment, ExperimentKind, Run};
use etalon_stats::{MIN_RUNS_LAB, Sample};

use crate::cell::{Goal, judge_cell, sift};

/// Sums in another order differ in the last digits.
const ROUNDING: f64 = 1e-9;

/// A figure that does not follow from the runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// The cell.
    pub cell: String,
    /// What of it: `mean`, `interval`, `verdict` and the like.
    pub figure: &'static str,
    /// What the file says.
    pub stated: String,
    /// What its runs give.
    pub computed: String,
}

/// Computes every cell again from its runs and names what does not match.
///
/// Intervals and verdicts are those of [`judge_cell`]; where another rule made them, as in a quick check,
/// whose figures lean on one another, see [`has_own_rule`].
pub fn verify(experiment: &Experiment) -> Vec<Mismatch> {
    let cells = experiment.cells.iter();
    cells
        .flat_map(|cell| verify_cell(experiment, cell))
        .collect()
}

/// Whether intervals and verdicts of such an experiment follow from more than the runs of one cell, so that
/// only values, means and medians are computed again.
pub fn has_own_rule(kind: ExperimentKind) -> bool {
    !matches!(
        kind,
        ExperimentKind::Measure
            | ExperimentKind::Together
            | ExperimentKind::Metadata
            | ExperimentKind::Work
            | ExperimentKind::Passport
    )
}

fn verify_cell(experiment: &Experiment, cell: &Cell) -> Vec<Mismatch> {
    let runs: Vec<&Run> = experiment.runs_of(&cell.name).collect();
    let mut found = VerifyFindings {
        cell: &cell.name,
        mismatches: Vec::new(),
    };
    let Some(sifted) = sift(&runs) else {
        let stated = format!("{} runs", cell.estimate().runs);
        found.differs("runs", stated, "no run of this cell".to_owned());
        return found.mismatches;
    };
    let values = sifted.sample.values();
    if values != cell.values {
        found.differs(
            "values",
            format!("{:?}", cell.values),
            format!("{values:?}"),
        );
    }
    found.number("mean", cell.mean.value, mean(&sifted.sample));
    found.number("median", cell.median.value, median(&sifted.sample));
    if !has_own_rule(experiment.header.begun.kind)
        && let Ok(goal) = Goal::new(None, MIN_RUNS_LAB, runs.len().max(MIN_RUNS_LAB))
        && let Some(judged) = judge_cell(&cell.name, &runs, &goal)
    {
        found.estimate("interval of the mean", &cell.mean, &judged.mean);
        found.estimate("interval of the median", &cell.median, &judged.median);
        let (stated, computed) = (cell.verdict.word(), judged.verdict.word());
        if stated != computed {
            found.differs("verdict", stated.to_owned(), computed.to_owned());
        }
    }
    found.mismatches
}

fn mean(sample: &Sample) -> f64 {
    sample.values().iter().sum::<f64>() / sample.n() as f64
}

fn median(sample: &Sample) -> f64 {
    let sorted = sample.sorted();
    let upper = sorted[sorted.len() / 2];
    match sorted.len() % 2 {
        1 => upper,
        _ => (sorted[sorted.len() / 2 - 1] + upper) / 2.0,
    }
}

struct VerifyFindings<'a> {
    cell: &'a str,
    mismatches: Vec<Mismatch>,
}

impl VerifyFindings<'_> {
    fn differs(&mut self, figure: &'static str, stated: String, computed: String) {
        self.mismatches.push(Mismatch {
            cell: self.cell.to_owned(),
            figure,
            stated,
            computed,
        });
    }

    fn number(&mut self, figure: &'static str, stated: f64, computed: f64) {
        if !is_near(stated, computed) {
            self.differs(figure, stated.to_string(), computed.to_string());
        }
    }

    fn estimate(&mut self, figure: &'static str, stated: &Estimate, computed: &Estimate) {
        // Older versions wrote intervals of rates that reached below zero.
        let low = |stated: f64, computed: f64| match computed == 0.0 {
            true => stated <= 0.0,
            false => is_near(stated, computed),
        };
        let near = match (stated.interval, computed.interval) {
            (Some(a), Some(b)) => low(a.low, b.low) && is_near(a.high, b.high),
            (a, b) => a.is_none() && b.is_none(),
        };
        if !near {
            let said = |of: &Estimate| match of.interval {
                Some(interval) => format!("{} to {}", interval.low, interval.high),
                None => "none".to_owned(),
            };
            self.differs(figure, said(stated), said(computed));
        }
    }
}

fn is_near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}
