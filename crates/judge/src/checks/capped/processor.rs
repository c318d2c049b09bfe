//! A quota of processor time.

use etalon_model::{Run, Severity};
use etalon_units::Percent;

use crate::check::Outcome;
use crate::resolution::{Levels, QUOTA_PERIODS, reached};
use crate::sentence::said;

/// Shares of the time that the jobs stood still for a quota above which the figure is the quota's, and above which it
/// carries a reservation.
const STOPPED: Levels<'_> = &[(0.05, Severity::Invalid), (0.01, Severity::Warn)];
/// Whoever stood still for more than this was stopped, in however few periods.
const MOSTLY: f64 = 0.5;

/// A quota of a control group that stopped the jobs.
pub(super) fn of_processor(run: &Run) -> Option<Outcome> {
    let quota = run.circumstances.limits.as_ref()?.processor?;
    let span = run.circumstances.counters.as_ref()?.span.as_secs_f64();
    let jobs = run.measurement.jobs.len().max(1) as f64;
    let of_jobs = quota.throttled.as_secs_f64() / (span * jobs);
    // The threads of real work are not counted, and each stands still by itself: all of them for no longer than these periods.
    let share = match run.workload.task() {
        Some(_) => of_jobs.min(quota.throttled_periods as f64 / quota.periods.max(1) as f64),
        None => of_jobs,
    };
    let severity = reached(share, STOPPED)?;
    let message = said!(
        "a quota of {quota} of a processor stopped the run in {stopped} of {periods} periods, {share} of its time.",
        quota = Percent::from_fraction(quota.processors),
        stopped = quota.throttled_periods,
        periods = quota.periods,
        share = Percent::from_fraction(share.min(1.0)),
    );
    let evidence = [
        ("quota_processors", quota.processors),
        ("throttled_periods", quota.throttled_periods as f64),
        ("throttled_share", share),
    ];
    let outcome = Outcome::new(severity, message, &evidence);
    let periods = quota.throttled_periods as f64;
    Some(match share > MOSTLY {
        true => outcome,
        false => QUOTA_PERIODS.weigh(outcome, periods),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{read_run, with_layers};
    use etalon_model::{Limits, ProcessorQuota};
    use etalon_units::Nanos;

    fn severity(run: &Run) -> Option<Severity> {
        of_processor(run).map(|outcome| outcome.severity)
    }

    #[test]
    fn throttled_time_is_weighed() {
        let mut run = read_run();
        with_layers(&mut run, Vec::new());
        let mut stopped = |ms, throttled_periods| {
            let quota = ProcessorQuota {
                processors: 0.2,
                periods: 10,
                throttled_periods,
                throttled: Nanos::millis(ms),
            };
            run.circumstances.limits = Some(Limits {
                devices: Vec::new(),
                processor: Some(quota),
            });
            severity(&run)
        };
        assert_eq!(stopped(0, 9), None);
        assert_eq!(stopped(30, 9), Some(Severity::Warn));
        assert_eq!(stopped(700, 9), Some(Severity::Invalid));
        // One period decides nothing, unless it was most of the run.
        assert_eq!(stopped(80, 1), Some(Severity::Info));
        assert_eq!(stopped(700, 1), Some(Severity::Invalid));
    }
    /// Eight programs of a compilation, each of which stood still for half a second, all at the same time.
    #[test]
    fn real_work_of_many_threads_stood_still_for_its_throttled_periods_at_most() {
        let mut run = crate::samples::task_run(etalon_model::TaskFigure::Time);
        with_layers(&mut run, Vec::new());
        let quota = |periods, throttled_periods| ProcessorQuota {
            processors: 2.0,
            periods,
            throttled_periods,
            throttled: Nanos::secs(4),
        };
        for (quota, told) in [
            (quota(220, 30), Some("14 % of its time")),
            (quota(2200, 30), Some("1.4 % of its time")),
            (quota(22000, 30), None),
        ] {
            run.circumstances.limits = Some(Limits {
                devices: Vec::new(),
                processor: Some(quota),
            });
            let message = of_processor(&run).map(|outcome| outcome.message.to_string());
            assert_eq!(message.is_some(), told.is_some(), "{message:?}");
            assert!(
                message
                    .unwrap_or_default()
                    .contains(told.unwrap_or_default())
            );
        }
    }
}
