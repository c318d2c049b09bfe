//! What the measured steps say about the target.

use etalon_model::{Cell, IoWorkload, Run, Severity};
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
    /// The percentile over the runs.
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
    let rates = own
        .iter()
        .map(|run| run.measurement.operations_per_second());
    let count = own.len().max(1) as f64;
    Some(LatencyStep {
        cell: cell.name.clone(),
        queue_depth: rate.is_none().then_some(io.queue_depth),
        rate_iops: rate,
        iops: rates.sum::<f64>() / count,
        latency: Nanos(value as u64),
        interval: interval.map(|(low, high)| (Nanos(low.max(0.0) as u64), Nanos(high as u64))),
    })
}

/// The percentile over runs and its interval; runs that are contradicted do not count, unless all are.
pub(super) fn middle(runs: &[&Run], target: LatencyTarget) -> Option<(f64, Option<(f64, f64)>)> {
    let is_sound = |run: &&&Run| !run.findings.iter().any(|f| f.severity == Severity::Invalid);
    let of = |run: &&Run| Some(target.of(run)?.get() as f64);
    let mut values: Vec<f64> = runs.iter().filter(is_sound).filter_map(of).collect();
    if values.is_empty() {
        values = runs.iter().filter_map(of).collect();
    }
    let sample = Sample::new(values).ok()?;
    let estimate = Estimate::of_runs(&sample);
    let interval = estimate.interval.map(|ends| (ends.low, ends.high));
    Some((estimate.value, interval))
}
