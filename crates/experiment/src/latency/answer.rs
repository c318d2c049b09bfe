//! What the measured steps say about the target.

use etalon_model::{Cell, IoWorkload, LatencyHistogram, Run, Severity, Unit};
use etalon_stats::{Estimate, Sample};
use etalon_units::{Nanos, OpRate};

use super::{LatencyTarget, percentile};

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
        let load = |step: &LatencyStep| {
            step.rate_iops.unwrap_or(0.0) + f64::from(step.queue_depth.unwrap_or(0))
        };
        steps.sort_by(|a, b| load(a).total_cmp(&load(b)));
        let missed = steps.iter().position(|step| step.latency > target.limit);
        let met = missed.unwrap_or(steps.len()).checked_sub(1);
        LatencyAnswer {
            target,
            met: met.map(|at| steps[at].clone()),
            missed: missed.map(|at| steps[at].clone()),
        }
    }

    /// The answer in words, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let LatencyTarget { limit, quantile } = self.target;
        let of = format!("{} % of the operations", percentile(quantile));
        let mut said = Vec::new();
        match &self.met {
            Some(step) => said.push(format!(
                "{}, {of} take at most {limit}: {}, {}.",
                at(step),
                OpRate(step.iops).iops(),
                self.latency(step)
            )),
            None => said.push(format!(
                "At no load that was tried do {of} take at most {limit}."
            )),
        }
        match &self.missed {
            Some(step) => said.push(format!(
                "{} it is more: {}, {}.",
                at(step),
                OpRate(step.iops).iops(),
                self.latency(step)
            )),
            None => said.push("That was the highest load that was tried.".to_owned()),
        }
        let is_close = |step: &&LatencyStep| {
            step.interval
                .is_none_or(|(low, high)| low <= limit && limit <= high)
        };
        let close: Vec<String> = self
            .met
            .iter()
            .chain(&self.missed)
            .filter(is_close)
            .map(at)
            .collect();
        if !close.is_empty() {
            said.push(format!(
                "Too close to call: {}. More runs decide it (--runs).",
                close.join(", ").to_lowercase()
            ));
        }
        said
    }

    fn latency(&self, step: &LatencyStep) -> String {
        let name = percentile(self.target.quantile);
        match step.interval {
            Some((low, high)) => format!("p{name} {} (95 %: {low}-{high})", step.latency),
            None => format!("p{name} {}", step.latency),
        }
    }
}

fn at(step: &LatencyStep) -> String {
    match (step.rate_iops, step.queue_depth) {
        (Some(rate), _) => format!("At {} asked for", OpRate(rate).iops()),
        (None, depth) => format!("At queue depth {}", depth.unwrap_or(1)),
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
    })
}

/// The percentile of the operations of all runs, as the table has it, and the interval of the runs' own; runs that are
/// contradicted do not count, unless all are.
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

/// The runs that nothing contradicts; all where there are none.
fn sound<'a>(runs: &[&'a Run]) -> Vec<&'a Run> {
    let is_sound = |run: &&Run| !run.findings.iter().any(|f| f.severity == Severity::Invalid);
    let sound: Vec<&Run> = runs.iter().copied().filter(is_sound).collect();
    match sound.is_empty() {
        true => runs.to_vec(),
        false => sound,
    }
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
