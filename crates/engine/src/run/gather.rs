//! From what the jobs did to one measurement.

use etalon_model::{Ended, JobTotals, Measurement};
use etalon_units::{Bytes, Nanos};

use super::job::Report;
use crate::Plan;
use crate::data::merge;
use crate::recorder::RecordedFigures;

/// Merges the jobs' reports.
pub(super) fn gather(plan: &Plan, reports: Vec<Report>) -> Measurement {
    let mut figures = RecordedFigures::default();
    let mut measurement = Measurement {
        backend: Some(plan.backend),
        direct: Some(plan.direct),
        fallbacks: plan.fallbacks.clone(),
        ..Measurement::of_nothing(Nanos::ZERO)
    };
    for report in reports {
        add(&mut measurement, &mut figures, (plan, report));
    }
    measurement.reads = figures.reads;
    measurement.writes = figures.writes;
    measurement.trims = figures.trims;
    measurement.series = figures.series;
    measurement.lag = figures.lag;
    measurement
}

fn add(into: &mut Measurement, figures: &mut RecordedFigures, (plan, report): (&Plan, Report)) {
    let outcome = report.outcome;
    let duration = Nanos(outcome.finished.saturating_sub(outcome.begun));
    let mine = outcome.recorder.finish();
    into.jobs.push(JobTotals {
        operations: mine.operations(),
        bytes: Bytes(mine.bytes()),
        duration,
    });
    figures.merge(&mine);
    into.backend = Some(report.backend);
    into.duration = into.duration.max(duration);
    into.final_fsync = into.final_fsync.max(Nanos(outcome.final_fsync));
    into.bytes_with_warm_up.0 += moved(plan, outcome.bytes);
    into.fsyncs += outcome.fsyncs;
    if let Some(latency) = outcome.fsync_latency {
        into.fsync_latency.get_or_insert_default().merge(&latency);
    }
    into.cpu_user.get_or_insert_default().0 += outcome.cpu.user;
    into.cpu_system.get_or_insert_default().0 += outcome.cpu.system;
    into.cpu_waited.get_or_insert_default().0 += outcome.cpu.waited;
    if let Some(verify) = outcome.verify {
        merge(into.verify.get_or_insert_default(), verify);
    }
    for fallback in report.fallbacks {
        if !into.fallbacks.contains(&fallback) {
            into.fallbacks.push(fallback);
        }
    }
    if rank(&outcome.ended) > rank(&into.ended) {
        into.ended = outcome.ended;
    }
}

/// How many of the bytes that a job worked on came to the device: trims move none, and of a pair the write is the latter.
fn moved(plan: &Plan, bytes: u64) -> u64 {
    let operation = plan.workload.operation;
    match (operation.is_paired(), operation.trims()) {
        (true, _) => bytes / (2 * plan.block) * plan.block,
        (_, true) => 0,
        _ => bytes,
    }
}

/// Which of two jobs' ends tells more.
fn rank(ended: &Ended) -> u8 {
    match ended {
        Ended::Complete => 0,
        Ended::Interrupted => 1,
        Ended::Overload => 2,
        Ended::DiskFull => 3,
        Ended::Failed { .. } | Ended::Broken { .. } => 4,
    }
}
