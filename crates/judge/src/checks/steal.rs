//! Processor time that the hypervisor gave to others.

use etalon_model::Severity;

use crate::check::{Check, Facts, Looks, Outcome};

/// Above this share the figure carries a reservation.
const WARN: f64 = 0.01;
/// Above this share it is the neighbours' figure as well.
const INVALID: f64 = 0.05;

pub(crate) const CHECK: Check = Check {
    code: "steal",
    about: "The hypervisor took processor time away during the run.",
    advice: "Measure when the host is quieter, or on a machine of its own.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let steal = facts.run.circumstances.machine.as_ref()?.steal;
    let share = steal.fraction();
    let severity = match share {
        s if s > INVALID => Severity::Invalid,
        s if s > WARN => Severity::Warn,
        _ => return None,
    };
    let message = format!("the hypervisor took {steal} of the processor time for others.");
    Some(Outcome::new(severity, message, &[("steal_share", share)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::MachineActivity;
    use etalon_units::Percent;

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
}
