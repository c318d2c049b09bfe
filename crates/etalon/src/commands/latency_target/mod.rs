//! `etalon measure --latency-target`, and what `show` says of it.

mod sentences;

use anyhow::bail;
use etalon_exchange::{LatencyStepBody, LatencyTargetBody};
use etalon_experiment::{LatencyAnswer, LatencyStep, LatencyTarget};
use etalon_model::{Arrival, Backend, Cell, IoWorkload, Run};
use etalon_report::{Look, paragraph};
use etalon_units::Nanos;
use serde_json::{Value, json};

use crate::cli::{ArrivalName, MeasureArgs};
use crate::exit::BadUsage;

/// The one workload whose load is raised.
pub(super) fn raised(
    args: &MeasureArgs,
    workloads: Vec<IoWorkload>,
) -> anyhow::Result<Vec<IoWorkload>> {
    let by_rate = args.work.has("arrival");
    if args.work.has("rate") || (args.work.has("queue-depth") && !by_rate) {
        bail!(BadUsage(
            "--latency-target looks for the queue depth, or with --arrival for the rate: leave --rate and --queue-depth out".to_owned()
        ));
    }
    let mut one = match <[IoWorkload; 1]>::try_from(workloads) {
        Ok([one]) => one,
        Err(several) => bail!(BadUsage(format!(
            "--latency-target raises the load of one workload, and the sweep has {}: name each value once",
            several.len()
        ))),
    };
    // One for all depths, so that they differ in nothing else.
    one.backend = args.work.backend.unwrap_or(Backend::IoUring);
    if by_rate {
        // The rates are chosen by what a closed loop reaches.
        let rate = 1.0;
        one.arrival = match args.work.arrival {
            ArrivalName::Fixed => Arrival::Fixed { rate },
            ArrivalName::Poisson => Arrival::Poisson { rate },
            ArrivalName::Repaced => Arrival::Repaced { rate },
        };
    }
    Ok(vec![one])
}

/// As it is kept with an experiment.
pub(super) fn setting(target: Option<LatencyTarget>) -> Value {
    target.map_or(
        Value::Null,
        |target| json!({ "limit_ns": target.limit, "quantile": target.quantile }),
    )
}

/// The target that an experiment was made with.
pub(super) fn of_settings(settings: &Value) -> Option<LatencyTarget> {
    let kept = settings.get("latency_target")?;
    Some(LatencyTarget {
        limit: Nanos(kept.get("limit_ns")?.as_u64()?),
        quantile: kept.get("quantile")?.as_f64()?,
    })
}

/// What stands before the page; nothing without a target.
pub(super) fn before_the_page(
    target: Option<LatencyTarget>,
    (cells, runs): (&[Cell], &[Run]),
    look: Look,
) -> String {
    let Some(target) = target.filter(|_| !cells.is_empty()) else {
        return String::new();
    };
    let answer = LatencyAnswer::new(target, cells, runs);
    let said = look.speak(|| sentences::sentences(&answer));
    let broken = said.iter().map(|text| paragraph(text, look.width));
    broken.collect::<String>() + "\n"
}

/// The answer for documents.
pub(super) fn document(target: LatencyTarget, cells: &[Cell], runs: &[Run]) -> LatencyTargetBody {
    let answer = LatencyAnswer::new(target, cells, runs);
    LatencyTargetBody {
        limit_ns: target.limit,
        quantile: target.quantile,
        met: answer.met.map(step),
        not_shown: answer.not_shown.map(step),
        missed: answer.missed.map(step),
    }
}

fn step(step: LatencyStep) -> LatencyStepBody {
    LatencyStepBody {
        cell: step.cell,
        queue_depth: step.queue_depth,
        asked_iops: step.rate_iops,
        iops: step.iops,
        operations: step.percentile.operations,
        latency_ns: step.percentile.latency,
        latency_low_ns: step.percentile.interval.map(|(low, _)| low),
        latency_high_ns: step.percentile.interval.map(|(_, high)| high),
    }
}
