//! Memory that ran short.

use etalon_model::{CacheMode, Severity};

use crate::check::{Check, Facts, Looks, Outcome};

/// Share of the time that some task may wait for memory (the kernel's accounting/psi.rst).
const WAITING: f64 = 0.005;

pub(crate) const CHECK: Check = Check {
    code: "memory-pressure",
    about: "Memory was short during the run: tasks waited for it, pages were swapped, or a process was killed.",
    advice: "Free memory or use fewer and smaller files; swap belongs switched off while storage is measured.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let machine = run.circumstances.machine.as_ref()?;
    let swapped = machine.swapped_in_pages + machine.swapped_out_pages;
    let waited = machine.memory_some.unwrap_or_default();
    // A limited cache makes its own group wait; that is what was asked for.
    let limited = matches!(run.workload.cache(), Some(CacheMode::Limited(_)));
    let severity = if swapped > 0 || machine.oom_kills > 0 {
        Severity::Invalid
    } else if waited.fraction() > WAITING && !limited {
        Severity::Warn
    } else {
        return None;
    };
    let message = format!(
        "some task waited for memory {waited} of the time, {swapped} pages were swapped and {} processes killed.",
        machine.oom_kills
    );
    let evidence = [
        ("memory_some_share", waited.fraction()),
        ("swapped_pages", swapped as f64),
        ("oom_kills", machine.oom_kills as f64),
        ("alloc_stalls", machine.alloc_stalls as f64),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::MachineActivity;
    use etalon_units::Percent;

    #[test]
    fn waiting_warns_and_swapping_invalidates() {
        let mut run = read_run();
        let calm = MachineActivity::default();
        let waiting = MachineActivity {
            memory_some: Some(Percent::from_fraction(0.02)),
            ..calm.clone()
        };
        let swapping = MachineActivity {
            swapped_out_pages: 1,
            ..calm.clone()
        };
        for (machine, severity) in [
            (calm, None),
            (waiting, Some(Severity::Warn)),
            (swapping, Some(Severity::Invalid)),
        ] {
            run.circumstances.machine = Some(machine);
            assert_eq!(super::run(&facts(&run)).map(|o| o.severity), severity);
        }
    }
}
