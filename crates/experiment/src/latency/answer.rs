//! What the measured steps say about the target.

use etalon_model::{Cell, IoWorkload, LatencyHistogram, Run, Unit};
use etalon_stats::{Estimate, Sample};
use etalon_units::Nanos;

use super::LatencyTarget;

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
    /// The percentile of the operations of all runs.
    pub latency: Nanos,
    /// Its interval, at 95 %; `None` where the runs are too few for one.
    pub interval: Option<(Nanos, Nanos)>,
    /// Whether the cell is contradicted.
    pub invalid: bool,
}

/// The answer of an experiment with a target.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyAnswer {
    /// What was asked.
    pub target: LatencyTarget,
    /// The highest step at which it is met; `None` where it is met at none.
    pub met: Option<LatencyStep>,
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
        let missed = steps.iter().position(|step| step.latency > target.limit);
        let met = missed.unwrap_or(steps.len()).checked_sub(1);
        LatencyAnswer {
            target,
            met: met.map(|at| steps[at].clone()),
            missed: missed.map(|at| steps[at].clone()),
        }
    }
}

fn step(target: LatencyTarget, cell: &Cell, runs: &[Run]) -> Option<LatencyStep> {
    let io: &IoWorkload = cell.workload.io()?;
    let own: Vec<&Run> = runs.iter().filter(|run| run.cell == cell.name).collect();
    let (value, interval) = middle(&own, target)?;
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
        latency: Nanos(value as u64),
        interval: interval.map(|(low, high)| (Nanos(low.max(0.0) as u64), Nanos(high as u64))),
        invalid: cell.verdict.is_invalid(),
    })
}

/// The percentile of the operations of all runs, as the table has it, and the interval of the runs' own; runs that are
/// contradicted do not count, unless they spoil the cell.
pub(super) fn middle(runs: &[&Run], target: LatencyTarget) -> Option<(f64, Option<(f64, f64)>)> {
    let runs = sound(runs);
    let values = runs.iter().filter_map(|run| target.of(run));
    let sample = Sample::new(values.map(|value| value.get() as f64).collect()).ok()?;
    let mut all = LatencyHistogram::default();
    for run in &runs {
        all.merge(&run.measurement.latency());
    }
    let value = all.quantile(target.quantile)?.get() as f64;
    let interval = Estimate::of_runs(&sample).interval;
    let interval = interval.map(|ends| (ends.low.min(value), ends.high.max(value)));
    Some((value, interval))
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
        let runs = [run(&[1, 1, 1, 1]), run(&[1, 1, 1, 1]), run(&[9, 9, 9, 9])];
        let all: Vec<&Run> = runs.iter().collect();
        let target = LatencyTarget {
            limit: Nanos(1000),
            quantile: 0.9,
        };
        let mut pooled = LatencyHistogram::default();
        runs.iter()
            .for_each(|run| pooled.merge(&run.measurement.latency()));
        let (value, interval) = middle(&all, target).unwrap();
        assert_eq!(Nanos(value as u64), pooled.quantile(0.9).unwrap());
        assert!(interval.is_none_or(|(low, high)| low <= value && value <= high));
    }
}
