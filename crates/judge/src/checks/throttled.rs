//! Processors that were slowed down for heat, or changed their clock.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::resolution::THROTTLES;
use crate::sentence::{figure, said};

/// A change of the mean clock beyond this shows in processor-bound figures.
const CHANGE: f64 = 0.05;

pub(crate) const CHECK: Check = Check {
    code: "throttled",
    about: "A processor was throttled for heat during the run, or the clock of the processors changed by more than 5 %.",
    advice: "Improve the cooling, set the governor to performance, and measure again.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let machine = facts.run.circumstances.machine.as_ref()?;
    let events = machine.throttled.unwrap_or(0);
    let (low, high) = machine.cpu_mhz.unwrap_or((1.0, 1.0));
    let change = high / low.max(1.0) - 1.0;
    if events == 0 && change <= CHANGE {
        return None;
    }
    let message = if events > 0 {
        said!(
            "processors were throttled for heat {count} times.",
            count = events,
        )
    } else {
        said!(
            "the mean clock of the processors went between {low} and {high} MHz.",
            low = figure(format!("{low:.0}")),
            high = figure(format!("{high:.0}")),
        )
    };
    let severity = if events > 0 {
        Severity::Warn
    } else {
        Severity::Info
    };
    let evidence = [("throttle_events", events as f64), ("clock_change", change)];
    let outcome = Outcome::new(severity, message, &evidence);
    Some(THROTTLES.weigh(outcome, events as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::MachineActivity;

    #[test]
    fn heat_warns_and_a_moving_clock_is_told() {
        let mut run = read_run();
        let mut set = |throttled, cpu_mhz| {
            run.circumstances.machine = Some(MachineActivity {
                throttled,
                cpu_mhz,
                ..MachineActivity::default()
            });
            super::run(&facts(&run)).map(|o| o.severity)
        };
        assert_eq!(set(Some(0), Some((3000.0, 3010.0))), None);
        assert_eq!(set(Some(3), None), Some(Severity::Warn));
        assert_eq!(set(Some(1), None), Some(Severity::Info));
        assert_eq!(set(None, Some((2000.0, 3000.0))), Some(Severity::Info));
    }
}
