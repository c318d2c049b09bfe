//! A generator that had no processor.

use etalon_model::{Backend, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{Levels, RUN_DELAY};
use crate::sentence::said;
use crate::waiting::Waiting;

/// Shares of the time of the jobs above which waiting for a processor makes the figure that of other programs, and above
/// which it is a reservation.
const LEVELS: Levels<'_> = &[(0.20, Severity::Invalid), (0.05, Severity::Warn)];

pub(crate) const CHECK: Check = Check {
    code: "cpu-starved",
    about: "Other programs took the processors from the run.",
    advice: "Stop other programs (top shows which are busy) and measure again.",
    short_about: Some("Other programs took the processors from the run."),
    short_advice: Some("Stop other programs (top shows which are busy) and measure again."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let m = &run.measurement;
    let available = m.duration.as_secs_f64() * m.jobs.len().max(1) as f64;
    if m.backend == Some(Backend::Fake) || available <= 0.0 {
        return None;
    }
    // What a quota took is told as that, and what the kernel's threads took is the run's own I/O.
    let waited = Waiting::of(run)?.programs;
    let share = waited / available;
    let found = RUN_DELAY.grade(waited, available, LEVELS)?;
    let message = said!(
        "the jobs were ready to run and had no processor {share} of the time.",
        share = Percent::from_fraction(share.min(1.0)),
    );
    let pressure = run.circumstances.machine.as_ref().and_then(|m| m.cpu_some);
    let mut evidence = vec![("waited_share", share)];
    evidence.extend(pressure.map(|some| ("cpu_some_share", some.fraction())));
    Some(Outcome::new(found.severity, found.say(message), &evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::{Limits, MachineActivity, ProcessorQuota, Run};
    use etalon_units::Nanos;

    fn severity(run: &Run) -> Option<Severity> {
        super::run(&facts(run)).map(|outcome| outcome.severity)
    }

    #[test]
    fn waiting_is_weighed_by_the_time_of_the_jobs() {
        let mut run = read_run();
        assert_eq!(severity(&run), None);
        for (waited, found) in [
            (20, None),
            (100, Some(Severity::Warn)),
            (600, Some(Severity::Invalid)),
        ] {
            run.measurement.cpu_waited = Some(Nanos::millis(waited));
            assert_eq!(severity(&run), found, "{waited} ms");
        }
        // The same time among four jobs is a quarter of it.
        let job = run.measurement.jobs[0].clone();
        run.measurement.jobs = vec![job; 4];
        assert_eq!(severity(&run), Some(Severity::Warn));
    }

    #[test]
    fn one_slice_of_a_short_run_is_its_resolution() {
        let mut run = read_run();
        run.measurement.duration = Nanos::millis(20);
        for (waited, found) in [(8, Severity::Info), (18, Severity::Invalid)] {
            run.measurement.cpu_waited = Some(Nanos::millis(waited));
            assert_eq!(severity(&run), Some(found), "{waited} ms");
        }
    }

    #[test]
    fn what_a_quota_took_is_not_told_twice() {
        let mut run = read_run();
        run.measurement.cpu_waited = Some(Nanos::millis(800));
        run.circumstances.limits = Some(Limits {
            devices: Vec::new(),
            processor: Some(ProcessorQuota {
                throttled: Nanos::millis(780),
                ..ProcessorQuota::default()
            }),
        });
        assert_eq!(severity(&run), None);
    }

    #[test]
    fn a_run_that_waits_for_the_kernels_threads_is_not_starved_by_programs() {
        let mut run = read_run();
        run.measurement.cpu_waited = Some(Nanos::millis(600));
        let ran = run.measurement.cpu().unwrap();
        for (others, found) in [(0, None), (600, Some(Severity::Invalid))] {
            run.circumstances.machine = Some(MachineActivity {
                programs_cpu: Some(Nanos(ran.get() + Nanos::millis(others).get())),
                ..MachineActivity::default()
            });
            assert_eq!(severity(&run), found, "{others} ms");
        }
    }
}
