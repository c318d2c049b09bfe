//! Clocks that jumped.

use etalon_model::Severity;
use etalon_units::Nanos;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// Slewing a clock moves it by at most 500 ppm (adjtimex(2)); twice that, and a little more, is a step.
const MAX_SLEW: f64 = 0.001;
const SLACK: Nanos = Nanos::millis(10);

pub(crate) const CHECK: Check = Check {
    code: "clock-trouble",
    about: "The wall clock was set or the machine slept during the run.",
    advice: "Let the clock be slewed, not stepped (chronyd, no ntpdate), keep the machine awake, and measure again.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let machine = facts.run.circumstances.machine.as_ref()?;
    let span = facts.run.elapsed.max(facts.run.measurement.duration);
    let allowed = SLACK.get() as f64 + span.get() as f64 * MAX_SLEW;
    let stepped = machine.clock_step.get() as f64 > allowed;
    let slept = machine.suspended > SLACK;
    (stepped || slept).then(|| {
        let message = said!(
            "the wall clock moved by {step} beyond the time that passed, and the machine slept for {slept}.",
            step = machine.clock_step,
            slept = machine.suspended,
        );
        let evidence = [
            ("step_ns", machine.clock_step.get() as f64),
            ("suspended_ns", machine.suspended.get() as f64),
        ];
        Outcome::new(Severity::Invalid, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::MachineActivity;

    #[test]
    fn steering_passes_and_a_step_or_a_sleep_does_not() {
        let mut run = read_run();
        let mut set = |clock_step, suspended| {
            run.circumstances.machine = Some(MachineActivity {
                clock_step,
                suspended,
                ..MachineActivity::default()
            });
            super::run(&facts(&run)).is_some()
        };
        assert!(!set(Nanos::micros(500), Nanos::ZERO));
        assert!(set(Nanos::secs(1), Nanos::ZERO));
        assert!(set(Nanos::ZERO, Nanos::secs(9)));
    }
}
