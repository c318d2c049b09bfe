//! What the measured steps say about the target.

use etalon_model::{Cell, IoWorkload, LatencyHistogram, Run, Unit};
use etalon_stats::{Estimate, Sample};
use etalon_units::Nanos;

use super::{BEYOND, LatencyTarget};

/// One step of the load as it was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyStep {
    /// The cell.
    pub cell: String,
    /// The queue depth, where that was raised.
    pub queue_depth: Option<u32>,
    /// The rate in operations a second, where that was raised.
    pub rate_iops: Option<f64>,
    /// The operations a second that were reached.
    pub iops: f64,
    /// What its operations took.
    pub percentile: StepPercentile,
    /// Whether the cell is contradicted.
    pub invalid: bool,
}

/// What the operations of a step's runs took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepPercentile {
    /// How many operations there are.
    pub operations: u64,
    /// The percentile of all of them; `None` where fewer than ten lie beyond it.
    pub latency: Option<Nanos>,
    /// The interval of the runs' own, at 95 %; `None` where the runs are too few for one, or too short.
    pub interval: Option<(Nanos, Nanos)>,
    /// Whether a run has too few operations for a percentile of its own.
    pub has_short_runs: bool,
    /// Whether the target is met; `None` where the operations are too few to show it.
    pub is_met: Option<bool>,
}

/// The answer of an experiment with a target.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyAnswer {
    /// What was asked.
    pub target: LatencyTarget,
    /// The highest step at which it is met; `None` where it is met at none.
    pub met: Option<LatencyStep>,
    /// The lowest step above it whose operations are too few to show whether it is met.
    pub not_shown: Option<LatencyStep>,
    /// The lowest step at which it is not.
    pub missed: Option<LatencyStep>,
}

impl LatencyAnswer {
    /// What the runs of the cells say.
    pub fn new(target: LatencyTarget, cells: &[Cell], runs: &[Run]) -> LatencyAnswer {
        let steps = cells.iter().filter_map(|cell| step(target, cell, runs));
        let mut steps: Vec<LatencyStep> = steps.collect();
        let height = |step: &LatencyStep| {
            step.rate_iops.unwrap_or(0.0) + f64::from(step.queue_depth.unwrap_or(0))
        };
        steps.sort_by(|a, b| height(a).total_cmp(&height(b)));
        LatencyAnswer::of_steps(target, &steps)
    }

    /// What steps say whose load rises.
    fn of_steps(target: LatencyTarget, steps: &[LatencyStep]) -> LatencyAnswer {
        let is = |met: bool| move |step: &LatencyStep| step.percentile.is_met == Some(met);
        let missed = steps.iter().position(is(false));
        let below = &steps[..missed.unwrap_or(steps.len())];
        let met = below.iter().rposition(is(true));
        let not_shown = met.map_or(0, |at| at + 1);
        LatencyAnswer {
            target,
            met: met.map(|at| below[at].clone()),
            not_shown: below.get(not_shown).cloned(),
            missed: missed.map(|at| steps[at].clone()),
        }
    }
}

fn step(target: LatencyTarget, cell: &Cell, runs: &[Run]) -> Option<LatencyStep> {
    let io: &IoWorkload = cell.workload.io()?;
    let own: Vec<&Run> = runs.iter().filter(|run| run.cell == cell.name).collect();
    let percentile = percentile(&own, target)?;
    let rate = io.arrival.rate();
    let sound = sound(&own);
    let rates = sound
        .iter()
        .map(|run| run.measurement.operations_per_second());
    // As the table has it, where its figure is one of operations.
    let iops = match cell.unit {
        Unit::OperationsPerSecond => cell.estimate().value,
        _ => rates.sum::<f64>() / sound.len().max(1) as f64,
    };
    Some(LatencyStep {
        cell: cell.name.clone(),
        queue_depth: rate.is_none().then_some(io.queue_depth),
        rate_iops: rate,
        iops,
        percentile,
        invalid: cell.verdict.is_invalid(),
    })
}

/// The percentile of the operations of all runs, as the table has it; runs that are contradicted do not count, unless they
/// spoil the cell. `None` where nothing ended.
pub(super) fn percentile(runs: &[&Run], target: LatencyTarget) -> Option<StepPercentile> {
    let runs = sound(runs);
    let mut all = LatencyHistogram::default();
    for run in &runs {
        all.merge(&run.measurement.latency());
    }
    let operations = Some(all.count()).filter(|count| *count > 0)?;
    let latency = all.tail_quantile(target.quantile);
    let own: Option<Vec<f64>> = runs.iter().map(|run| of_run(run, target)).collect();
    let has_short_runs = own.is_none();
    let interval = own.and_then(|own| Estimate::of_runs(&Sample::new(own).ok()?).interval);
    let interval = interval.zip(latency).map(|(ends, latency)| {
        let (low, high) = (ends.low.max(0.0) as u64, ends.high as u64);
        (latency.min(Nanos(low)), latency.max(Nanos(high)))
    });
    Some(StepPercentile {
        operations,
        latency,
        interval,
        has_short_runs,
        is_met: is_met(&all, target),
    })
}

/// The percentile of a run, where ten of its own operations lie beyond.
fn of_run(run: &Run, target: LatencyTarget) -> Option<f64> {
    let latency = run.measurement.latency().tail_quantile(target.quantile)?;
    Some(latency.get() as f64)
}

/// Whether so large a share of the operations stays within the limit. Of fewer than show the percentile, ten beyond the
/// limit are more than the target allows, and fewer say nothing.
fn is_met(all: &LatencyHistogram, target: LatencyTarget) -> Option<bool> {
    if let Some(latency) = all.tail_quantile(target.quantile) {
        return Some(latency <= target.limit);
    }
    let count = Some(all.count() as f64).filter(|count| *count >= BEYOND)?;
    let tenth = all.tail_quantile(1.0 - BEYOND / count)?;
    (tenth > target.limit).then_some(false)
}

/// The runs of which the table's figures are.
fn sound<'a>(runs: &[&'a Run]) -> Vec<&'a Run> {
    etalon_judge::sift(runs).map_or_else(|| runs.to_vec(), |sifted| sifted.kept)
}

#[cfg(test)]
mod tests {
    use etalon_model::{Measurement, TaskFigure, TaskWorkload};
    use etalon_workload::measurable::{PartReport, Pass};

    use super::*;
    use crate::run::unobserved;

    /// A run whose operations took so many microseconds each.
    fn run(latencies: &[u64]) -> Run {
        let mut measurement = Measurement::of_nothing(Nanos::secs(1));
        measurement.reads.operations = latencies.len() as u64;
        for micros in latencies {
            measurement.reads.latency.record(micros * 1000);
        }
        let task = TaskWorkload::of_texts("x", "x", TaskFigure::Rate, [].into());
        let part = PartReport::alone("x", task.into(), measurement);
        unobserved(part, Pass::default(), std::time::UNIX_EPOCH)
    }

    #[test]
    fn runs_that_spoil_their_cell_count_as_they_do_in_the_table() {
        let contradicted = |mut run: Run| {
            let invalid = etalon_model::Severity::Invalid;
            let found = etalon_model::Finding::new("steal", invalid, "", "");
            run.findings.push(found);
            run
        };
        let runs = [run(&[1]), contradicted(run(&[9])), contradicted(run(&[9]))];
        let all: Vec<&Run> = runs.iter().collect();
        assert_eq!((sound(&all).len(), sound(&all[..2]).len()), (3, 2));
        let one_of_three = [all[0], all[0], all[1]];
        assert_eq!(sound(&one_of_three).len(), 2);
    }

    #[test]
    fn the_percentile_is_that_of_the_table_and_lies_in_its_interval() {
        let runs = [run(&[1; 100]), run(&[1; 100]), run(&[9; 100])];
        let all: Vec<&Run> = runs.iter().collect();
        let target = LatencyTarget {
            limit: Nanos(1000),
            quantile: 0.9,
        };
        let mut pooled = LatencyHistogram::default();
        runs.iter()
            .for_each(|run| pooled.merge(&run.measurement.latency()));
        let found = percentile(&all, target).unwrap();
        assert_eq!(found.latency, pooled.quantile(0.9));
        assert_eq!(found.is_met, Some(false));
        let holds = |(low, high)| Some(low) <= found.latency && found.latency <= Some(high);
        assert!(found.interval.is_none_or(holds));
    }

    /// Six runs of so many operations each that take a millisecond, but for so many that take 30.
    fn six_runs(operations: usize, slow: usize) -> StepPercentile {
        let mut latencies = vec![1000; operations - slow];
        latencies.resize(operations, 30_000);
        let runs: Vec<Run> = (0..6).map(|_| run(&latencies)).collect();
        percentile(&runs.iter().collect::<Vec<_>>(), P999).unwrap()
    }

    const P999: LatencyTarget = LatencyTarget {
        limit: Nanos::millis(25),
        quantile: 0.999,
    };

    #[test]
    fn ten_operations_beyond_it_show_a_percentile_and_fewer_do_not() {
        let few = six_runs(30, 0);
        assert_eq!(
            (few.operations, few.latency, few.interval),
            (180, None, None)
        );
        assert_eq!(few.is_met, None);
        // One in thirty that is too slow, and still fewer than ten of all.
        assert_eq!(six_runs(30, 1).is_met, None);
        // Sixty of 180 are more than one in a thousand, whatever the percentile is.
        let slow = six_runs(30, 10);
        assert_eq!((slow.latency, slow.is_met), (None, Some(false)));
        assert_eq!(six_runs(1, 1).is_met, None);
        assert_eq!(six_runs(2, 2).is_met, Some(false));

        let all = six_runs(2000, 0);
        assert_eq!(all.is_met, Some(true));
        assert!(all.latency.is_some() && all.has_short_runs && all.interval.is_none());
        let long = six_runs(12_000, 0);
        assert!(long.interval.is_some() && !long.has_short_runs);
        assert_eq!(six_runs(2000, 3).is_met, Some(false));
    }

    #[test]
    fn steps_that_show_nothing_lie_between_what_is_met_and_what_is_not() {
        let step = |queue_depth: u32, is_met| LatencyStep {
            cell: String::new(),
            queue_depth: Some(queue_depth),
            rate_iops: None,
            iops: 100.0,
            percentile: StepPercentile {
                is_met,
                ..six_runs(30, 0)
            },
            invalid: false,
        };
        let depths = |found: [Option<bool>; 3]| {
            let steps: Vec<LatencyStep> = (1..).zip(found).map(|(n, met)| step(n, met)).collect();
            let answer = LatencyAnswer::of_steps(P999, &steps);
            let places = [answer.met, answer.not_shown, answer.missed];
            places.map(|step| step.and_then(|step| step.queue_depth))
        };
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(depths([yes, yes, no]), [Some(2), None, Some(3)]);
        assert_eq!(depths([yes, None, no]), [Some(1), Some(2), Some(3)]);
        assert_eq!(depths([None, yes, None]), [Some(2), Some(3), None]);
        assert_eq!(depths([None, None, None]), [None, Some(1), None]);
        assert_eq!(depths([no, None, yes]), [None, None, Some(1)]);
        assert_eq!(depths([yes, yes, yes]), [Some(3), None, None]);
    }
}
