//! Runs that lie far from the others.

use etalon_model::{Run, Severity};
use etalon_units::{Nanos, Percent};

use crate::check::{CellFacts, Check, Outcome};
use crate::sentence::{figure, said};
use crate::value::figure_of;

/// Fewer runs do not say what is usual.
const FEWEST: usize = 6;
/// How many times the usual distance from the median is far.
const FAR: f64 = 5.0;
/// Nearer than this share of the median nobody feels it.
const FELT: f64 = 0.20;
/// A run shorter than this is one that a wake-up of another program can double.
const SHORT: Nanos = Nanos::millis(50);
/// Where more runs lie far there are two groups.
const FEW: f64 = 0.25;
/// Nothing stalls in a run that is faster than the rest.
const SERVED: &str =
    "Look for a cache that served the fast ones; the storage is as fast as the rest.";

pub(crate) const CHECK: Check = Check {
    code: "outlying-run",
    about: "A few runs lie far from the rest.",
    advice: "Rare stalls are what users feel; run longer to see how often.",
    short_about: Some("A few runs lie far from the rest."),
    short_advice: Some("Rare stalls are what users feel; run longer to see how often."),
    ..Check::of_cell(cell)
};

fn cell(facts: &CellFacts) -> Option<Outcome> {
    let values = facts.sample.values();
    let longest = facts
        .runs
        .iter()
        .map(|run| run.measurement.duration)
        .max()?;
    if values.len() < FEWEST || longest < SHORT {
        return None;
    }
    let median = facts.sample.median();
    // The median distance of normal data is 0.6745 of their standard deviation.
    let usual = facts.sample.median_deviation() / 0.6745;
    let limit = (usual * FAR).max(median * FELT);
    let far = values
        .iter()
        .filter(|value| (*value - median).abs() > limit);
    let far: Vec<f64> = far.copied().collect();
    let farthest = far
        .iter()
        .copied()
        .max_by(|a, b| (a - median).abs().total_cmp(&(b - median).abs()))?;
    if far.len() as f64 > values.len() as f64 * FEW {
        return None;
    }
    let run = facts.runs.last()?;
    let message = said!(
        "{count} of {all} runs lie far from the others: {farthest}, {share} of the median of {median}.",
        count = far.len(),
        all = values.len(),
        farthest = figure(figure_of(run, farthest)),
        share = Percent::from_fraction(farthest / median),
        median = figure(figure_of(run, median)),
    );
    let evidence = [
        ("runs_far", far.len() as f64),
        ("farthest", farthest),
        ("median", median),
    ];
    let outcome = Outcome::new(Severity::Warn, message, &evidence);
    // The advice is about the run that the sentence names.
    Some(match is_faster(run, farthest, median) {
        true => outcome.advising(SERVED),
        false => outcome,
    })
}

fn is_faster(run: &Run, value: f64, median: f64) -> bool {
    match run.unit().less_is_better() {
        true => value < median,
        false => value > median,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{read_run, task_run, write_run};
    use etalon_model::TaskFigure;
    use etalon_stats::Sample;

    fn found(values: &[f64]) -> Option<Outcome> {
        found_of(&read_run(), values)
    }

    fn found_of(run: &Run, values: &[f64]) -> Option<Outcome> {
        let runs = vec![run; values.len()];
        let sample = Sample::new(values.to_vec()).unwrap();
        cell(&CellFacts {
            runs: &runs,
            sample: &sample,
        })
    }

    #[test]
    fn a_stalled_run_of_six_is_found_with_its_evidence() {
        let outcome = found(&[8600.0, 8500.0, 2114.0, 8700.0, 8640.0, 8550.0]).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        let said =
            "1 of 6 runs lie far from the others: 2114 IOPS, 25 % of the median of 8575 IOPS.";
        assert_eq!(outcome.message, said);
        assert_eq!(outcome.evidence[1].value, 2114.0);
    }

    #[test]
    fn bytes_are_told_in_their_unit() {
        let values = [800.0, 800.0, 100.0, 800.0, 800.0, 800.0].map(|mib| mib * 1_048_576.0);
        let said = found_of(&write_run(), &values).unwrap().message;
        assert!(
            said.contains(": 100 MiB/s, ") && said.contains("of 800 MiB/s."),
            "{said}"
        );
    }

    #[test]
    fn a_run_that_was_too_fast_is_no_stall() {
        let advice = |run: &Run, values: [f64; 8]| {
            let finding = CHECK.finding(found_of(run, &values).unwrap());
            assert_eq!(finding.severity, Severity::Warn);
            finding.advice
        };
        let with = |odd: f64| [100.0, 101.0, 99.0, 100.0, 100.0, 99.0, 101.0, odd];
        let times = task_run(TaskFigure::Time);
        assert_eq!(advice(&read_run(), with(320.0)), SERVED);
        assert_eq!(advice(&times, with(20.0)), SERVED);
        assert_eq!(advice(&read_run(), with(20.0)), CHECK.advice);
        assert_eq!(advice(&times, with(320.0)), CHECK.advice);
        // Of one on either side the farther one is told.
        let both = |odd: f64, other: f64| [100.0, 101.0, 99.0, 100.0, 100.0, 99.0, odd, other];
        assert_eq!(advice(&read_run(), both(320.0, 20.0)), SERVED);
        assert_eq!(advice(&read_run(), both(150.0, 20.0)), CHECK.advice);
    }

    #[test]
    fn noise_two_groups_and_few_runs_are_no_outliers() {
        assert_eq!(found(&[100.0, 120.0, 90.0, 80.0, 110.0, 105.0]), None);
        assert_eq!(found(&[100.0, 101.0, 99.0, 60.0, 61.0, 100.0]), None);
        assert_eq!(found(&[100.0, 101.0, 99.0, 10.0, 100.0]), None);
        // Far by its neighbours' narrowness, and nothing that is felt.
        assert_eq!(found(&[100.0, 100.1, 99.9, 100.0, 105.0, 100.0]), None);
    }
}
