//! Processor time that the hypervisor gave to others.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{Levels, STOLEN, reached};
use crate::sentence::said;

/// From the first share on the figure is the neighbours' as well, from the second it carries a reservation.
const LEVELS: Levels<'_> = &[(0.05, Severity::Invalid), (0.01, Severity::Warn)];

pub(crate) const CHECK: Check = Check {
    code: "steal",
    about: "The hypervisor took processor time away during the run.",
    advice: "Measure when the host is quieter, or on a machine of its own.",
    short_about: Some("The hypervisor gave processor time to other guests."),
    short_advice: Some("Measure when the host is quieter."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let machine = facts.run.circumstances.machine.as_ref()?;
    let (steal, share) = (machine.steal, machine.steal.fraction());
    let tick = machine
        .counted_ticks
        .map_or(0.0, |all| 1.0 / all.max(1) as f64);
    let evidence = [("steal_share", share), ("tick_share", tick)];
    let severity = match machine.counted_ticks {
        Some(all) => {
            let all = all.max(1) as f64;
            STOLEN.grade(share * all, all, LEVELS)?.severity
        }
        None => reached(share, LEVELS)?,
    };
    let message = match severity {
        Severity::Info => said!(
            "the hypervisor may have taken {steal} of the processor time for others; in a run so short it is counted in steps of {tick}.",
            steal = steal,
            tick = Percent::from_fraction(tick),
        ),
        _ => said!(
            "the hypervisor took {steal} of the processor time for others.",
            steal = steal,
        ),
    };
    Some(Outcome::new(severity, message, &evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::MachineActivity;

    #[test]
    fn one_percent_warns_and_five_invalidate() {
        let mut run = read_run();
        for (share, severity) in [
            (0.005, None),
            (0.03, Some(Severity::Warn)),
            (0.10, Some(Severity::Invalid)),
        ] {
            run.circumstances.machine = Some(MachineActivity {
                steal: Percent::from_fraction(share),
                ..MachineActivity::default()
            });
            assert_eq!(super::run(&facts(&run)).map(|o| o.severity), severity);
        }
    }

    #[test]
    fn one_stolen_tick_of_a_short_run_is_its_resolution_and_several_are_steal() {
        let mut run = read_run();
        // 100 ms on two processors are twenty ticks of proc_stat(5).
        for (stolen, all, severity) in [
            (1.0, 20_u64, Severity::Info),
            (2.0, 20, Severity::Warn),
            (3.0, 20, Severity::Invalid),
            (20.0, 200, Severity::Invalid),
        ] {
            run.circumstances.machine = Some(MachineActivity {
                steal: Percent::from_fraction(stolen / all as f64),
                counted_ticks: Some(all),
                ..MachineActivity::default()
            });
            let outcome = super::run(&facts(&run)).unwrap();
            assert_eq!(outcome.severity, severity, "{stolen} of {all}");
        }
    }
}
