//! What the measured steps say about the target.

use etalon_model::{Cell, IoWorkload, LatencyHistogram, Run, Unit};
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

    /// The answer in words, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let LatencyTarget { limit, quantile } = self.target;
        let of = format!("{} % of the operations", percentile(quantile));
        let mut said = Vec::new();
        match &self.met {
            Some(step) => said.push(format!(
                "At {}, {of} take at most {limit}: {}, {}.",
                load(step),
                OpRate(step.iops).iops(),
                self.latency(step)
            )),
            None => said.push(format!(
                "At no load that was tried do {of} take at most {limit}."
            )),
        }
        match &self.missed {
            Some(step) => said.push(format!(
                "At {} it is more: {}, {}.",
                load(step),
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
            .map(|step| format!("at {}", load(step)))
            .collect();
        let mut told = self.met.iter().chain(&self.missed);
        if told.any(|step| step.invalid) {
            said.push("That is INVALID: the page below says why.".to_owned());
        }
        if !close.is_empty() {
            said.push(format!(
                "Too close to call: {}. More runs decide it (--runs).",
                close.join(", ")
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

fn load(step: &LatencyStep) -> String {
    match (step.rate_iops, step.queue_depth) {
        (Some(rate), _) => format!("{} asked for", OpRate(rate).iops()),
        (None, depth) => format!("queue depth {}", depth.unwrap_or(1)),
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

    fn step(rate_iops: Option<f64>) -> LatencyStep {
        LatencyStep {
            cell: "x".to_owned(),
            queue_depth: None,
            rate_iops,
            iops: 344.0,
            latency: Nanos::millis(60),
            interval: None,
            invalid: true,
        }
    }

    #[test]
    fn words_keep_their_letters_and_what_is_invalid_is_called_so() {
        let target = LatencyTarget {
            limit: Nanos::millis(5),
            quantile: 0.99,
        };
        let answer = LatencyAnswer {
            target,
            met: None,
            missed: Some(step(Some(400.0))),
        };
        let said = answer.sentences().join(" ");
        assert!(said.contains("At 400 IOPS asked for it is more"), "{said}");
        assert!(said.contains("call: at 400 IOPS asked for"), "{said}");
        assert!(said.contains("INVALID"), "{said}");
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
