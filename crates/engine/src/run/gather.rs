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
    let (begun, finished) = timed(&reports);
    measurement.duration = Nanos(finished.saturating_sub(begun));
    for report in reports {
        add(&mut measurement, &mut figures, (plan, report, begun));
    }
    measurement.reads = figures.reads;
    measurement.writes = figures.writes;
    measurement.trims = figures.trims;
    measurement.series = figures.series;
    measurement.lag = figures.lag;
    measurement
}

/// From the first job's timed part to the end of the last one's: over any shorter time the jobs together seem
/// faster than the device that they share.
fn timed(reports: &[Report]) -> (u64, u64) {
    let outcomes = reports.iter().map(|report| &report.outcome);
    outcomes
        .filter(|outcome| outcome.finished > outcome.begun)
        .map(|outcome| (outcome.begun, outcome.finished))
        .reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
        .unwrap_or_default()
}

/// Adds one job to a run whose timed part began at the moment `first`.
fn add(
    into: &mut Measurement,
    figures: &mut RecordedFigures,
    (plan, report, first): (&Plan, Report, u64),
) {
    let outcome = report.outcome;
    let duration = Nanos(outcome.finished.saturating_sub(outcome.begun));
    let later = outcome.begun.saturating_sub(first);
    let mine = outcome.recorder.finish().later(later);
    into.jobs.push(JobTotals {
        operations: mine.operations(),
        bytes: Bytes(mine.bytes()),
        duration,
    });
    figures.merge(&mine);
    into.backend = Some(report.backend);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TargetPlace;
    use crate::recorder::{OpKind, Recorder, SLICE};
    use crate::worker::{CpuTimes, JobOutcome};
    use etalon_model::{Backend, IoWorkload};

    /// A job that booked one read at the end of each slice from `begun` to `finished`, or nothing.
    fn job(begun: u64, finished: u64) -> Report {
        let mut recorder = Recorder::new(begun, false);
        for end in (begun..finished).step_by(SLICE as usize) {
            recorder.record(OpKind::Read, end + SLICE - 1, 5, 4096);
        }
        Report {
            outcome: JobOutcome {
                recorder,
                ended: Ended::Complete,
                begun,
                finished,
                final_fsync: 0,
                fsyncs: 0,
                fsync_latency: None,
                bytes: 0,
                cpu: CpuTimes::default(),
                verify: None,
            },
            backend: Backend::Null,
            fallbacks: Vec::new(),
        }
    }

    fn gathered(reports: Vec<Report>) -> Measurement {
        let workload = IoWorkload {
            backend: Backend::Null,
            ..IoWorkload::default()
        };
        let place = TargetPlace::Directory("/nowhere".into());
        gather(&Plan::resolve(&workload, &place).unwrap(), reports)
    }

    #[test]
    fn windows_of_jobs_that_lie_apart_are_one_time_and_one_series() {
        let m = gathered(vec![
            job(2 * SLICE + 7, 5 * SLICE + 7),
            job(4 * SLICE, 7 * SLICE),
        ]);
        assert_eq!(m.duration, Nanos(5 * SLICE - 7));
        let each: Vec<u64> = m.jobs.iter().map(|job| job.duration.get()).collect();
        assert_eq!(each, [3 * SLICE; 2]);
        let series: Vec<u64> = m.series.iter().map(|point| point.operations).collect();
        assert_eq!(series, [1, 1, 2, 1, 1]);
    }

    #[test]
    fn a_job_that_never_began_does_not_lengthen_the_run() {
        let m = gathered(vec![
            job(0, 0),
            job(4 * SLICE, 7 * SLICE),
            job(9 * SLICE, 9 * SLICE),
        ]);
        assert_eq!(m.duration, Nanos(3 * SLICE));
        assert_eq!(m.series.len(), 3);
        assert_eq!(gathered(vec![job(5, 5)]).duration, Nanos::ZERO);
    }
}
