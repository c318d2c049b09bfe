//! Whether a published experiment's figures follow from its runs.

use etalon_model::{
    Cell, Estimate, Experiment, ExperimentKind, Headline, LatencyHistogram, Run, Verdict,
};
use etalon_stats::{MIN_RUNS_LAB, Sample};
use etalon_units::Nanos;

use crate::cell::{Sifted, device_share, latencies, sift};
use crate::goal::Goal;

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
/// Intervals and verdicts are those of [`judge_cell`](crate::judge_cell); where another rule made them, see
/// [`has_own_rule`].
pub fn verify(experiment: &Experiment) -> Vec<Mismatch> {
    let cells = experiment.cells.iter();
    cells
        .flat_map(|cell| verify_cell(experiment, cell))
        .collect()
}

/// Whether intervals of few runs use the spread of other cells in such an experiment, so that they cannot be computed
/// again from the runs of their own cell.
pub fn has_own_rule(kind: ExperimentKind) -> bool {
    kind == ExperimentKind::Iozone
}

/// What a document of an experiment leaves to the runs of a cell: its latencies, and the share that devices
/// served, of the runs that count; `None` without such runs.
pub fn gather_again(
    experiment: &Experiment,
    cell: &Cell,
) -> Option<(LatencyHistogram, Option<f64>)> {
    let kept = sifted(experiment, cell)?.kept;
    Some((latencies(&kept), device_share(&kept)))
}

/// The runs of a cell that count. Of a series of iozone that ended early all do.
fn sifted<'a>(experiment: &'a Experiment, cell: &'a Cell) -> Option<Sifted<'a>> {
    let runs: Vec<&Run> = experiment.runs_of(&cell.name).collect();
    let by_findings = sift(&runs);
    let is_other = !has_values(by_findings.as_ref(), cell);
    match has_own_rule(experiment.header.begun.kind) && is_other {
        true => Sifted::ended_early(&runs)
            .filter(|all| has_values(Some(all), cell))
            .or(by_findings),
        false => by_findings,
    }
}

fn has_values(sifted: Option<&Sifted<'_>>, cell: &Cell) -> bool {
    sifted.is_some_and(|sifted| sifted.sample.values() == cell.values)
}

fn verify_cell(experiment: &Experiment, cell: &Cell) -> Vec<Mismatch> {
    let mut found = VerifyFindings {
        cell: &cell.name,
        mismatches: Vec::new(),
    };
    let Some(sifted) = sifted(experiment, cell) else {
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
    let counted = sifted.kept.len() as f64;
    found.number("runs", f64::from(cell.estimate().runs), counted);
    found.number("mean", cell.mean.value, mean(&sifted.sample));
    found.number("median", cell.median.value, median(&sifted.sample));
    found.latencies(&cell.latency, &latencies(&sifted.kept));
    found.share(cell.device_share, device_share(&sifted.kept));
    let is_few = has_own_rule(experiment.header.begun.kind) && sifted.kept.len() < MIN_RUNS_LAB;
    if let Some(judged) = sifted.judge(&cell.name, &Goal::default()) {
        match is_few {
            true => found.verdict_of_few(cell, &judged),
            false => found.rule(cell, &judged),
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

    /// Intervals and verdict, where they follow from the runs of the cell alone.
    fn rule(&mut self, stated: &Cell, judged: &Cell) {
        let both = [
            (
                "interval of the mean",
                Headline::Mean,
                &stated.mean,
                &judged.mean,
            ),
            (
                "interval of the median",
                Headline::Median,
                &stated.median,
                &judged.median,
            ),
        ];
        for (figure, headline, stated_of, judged_of) in both {
            // A document has the interval of the headline alone.
            if headline == stated.headline || stated_of.interval.is_some() {
                self.estimate(figure, stated_of, judged_of);
            }
        }
        self.verdict(&stated.verdict, judged.verdict.word());
    }

    /// The verdict by the findings of the runs and by whether there is an interval.
    fn verdict_of_few(&mut self, stated: &Cell, judged: &Cell) {
        let computed = match (&judged.verdict, stated.estimate().interval) {
            (invalid @ Verdict::Invalid { .. }, _) => invalid.word(),
            (_, Some(_)) => Verdict::Valid.word(),
            (other, None) => other.word(),
        };
        self.verdict(&stated.verdict, computed);
    }

    fn verdict(&mut self, stated: &Verdict, computed: &str) {
        if stated.word() != computed {
            self.differs("verdict", stated.word().to_owned(), computed.to_owned());
        }
    }

    fn latencies(&mut self, stated: &LatencyHistogram, computed: &LatencyHistogram) {
        for (figure, at) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
            let of = |all: &LatencyHistogram| all.tail_quantile(at).map(Nanos::get);
            if of(stated) != of(computed) {
                self.differs(figure, nanoseconds(of(stated)), nanoseconds(of(computed)));
            }
        }
    }

    fn share(&mut self, stated: Option<f64>, computed: Option<f64>) {
        let said = |share: Option<f64>| share.map_or("none".to_owned(), |share| share.to_string());
        let near = match (stated, computed) {
            (Some(a), Some(b)) => is_near(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        if !near {
            self.differs("share from the device", said(stated), said(computed));
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

fn nanoseconds(span: Option<u64>) -> String {
    span.map_or("none".to_owned(), |span| format!("{span} ns"))
}

fn is_near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, read_run};
    use etalon_model::Interval;

    /// An experiment of so many runs of one cell, as it is kept.
    fn experiment(kind: ExperimentKind, runs: u64) -> Experiment {
        let run = |at: u64| {
            let mut run = read_run();
            run.measurement.reads.operations = 1000 + at * 7 % 5;
            run.measurement.reads.latency.record_n(1000 + at, 2000);
            run
        };
        let runs: Vec<Run> = (0..runs).map(run).collect();
        samples::experiment(kind, runs)
    }

    /// What does not match once the cell is changed.
    fn named(kind: ExperimentKind, runs: u64, change: impl Fn(&mut Cell)) -> Vec<&'static str> {
        let mut experiment = experiment(kind, runs);
        change(&mut experiment.cells[0]);
        let found = verify(&experiment).into_iter();
        found.map(|mismatch| mismatch.figure).collect()
    }

    fn halved(estimate: &mut Estimate) {
        if let Some(Interval { high, .. }) = &mut estimate.interval {
            *high /= 2.0;
        }
    }

    #[test]
    fn what_is_untouched_matches_and_what_is_changed_is_named() {
        for kind in ExperimentKind::ALL {
            for runs in [3, 8] {
                assert_eq!(named(kind, runs, |_| ()), [""; 0], "{kind}");
            }
            let invalid = Verdict::Invalid { reasons: vec![] };
            let verdict = |cell: &mut Cell| cell.verdict = invalid.clone();
            assert_eq!(named(kind, 3, verdict), ["verdict"], "{kind}");
            let interval = |cell: &mut Cell| halved(&mut cell.median);
            assert_eq!(named(kind, 8, interval), ["interval of the median"]);
            let share = |cell: &mut Cell| cell.device_share = Some(0.5);
            assert_eq!(named(kind, 8, share), ["share from the device"]);
            let tail = |cell: &mut Cell| cell.latency.record_n(9_000_000, 1000);
            assert_eq!(named(kind, 8, tail), ["p99.9"]);
        }
    }

    #[test]
    fn a_document_has_the_interval_of_the_headline_alone() {
        let document = |cell: &mut Cell| cell.mean.interval = None;
        assert_eq!(named(ExperimentKind::Measure, 8, document), [""; 0]);
        let mean = |cell: &mut Cell| halved(&mut cell.mean);
        let found = named(ExperimentKind::Measure, 8, mean);
        assert_eq!(found, ["interval of the mean"]);
        let none = |cell: &mut Cell| cell.median.interval = None;
        let found = named(ExperimentKind::Measure, 8, none);
        assert_eq!(found, ["interval of the median"]);
    }

    #[test]
    fn an_interval_of_few_runs_of_iozone_is_left_to_its_rule() {
        let told = |cell: &mut Cell| {
            cell.median.interval = Some(Interval {
                low: 900.0,
                high: 1100.0,
                level: 0.95,
            });
            cell.verdict = Verdict::Valid;
        };
        assert_eq!(named(ExperimentKind::Iozone, 3, told), [""; 0]);
        let quick = named(ExperimentKind::Quick, 3, told);
        assert_eq!(quick, ["interval of the median", "verdict"]);
    }
}
