//! Who had the processors while the jobs of a run were ready and waited for one.

use etalon_model::Run;

/// Seconds of waiting, over all jobs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Waiting {
    /// For other programs, at most as long as these ran.
    pub(crate) programs: f64,
    /// For threads of the kernel, which carry out what the jobs ask of filesystems and devices.
    pub(crate) kernel: f64,
}

impl Waiting {
    /// `None` where the kernel does not tell how long jobs waited. What a quota of processor time took is in neither. Where
    /// it is not known what the kernel's threads ran, all of it was for programs.
    pub(crate) fn of(run: &Run) -> Option<Waiting> {
        let waited = run.measurement.cpu_waited?.as_secs_f64();
        let waited = (waited - stopped(run)).max(0.0);
        let programs = others(run).map_or(waited, |others| waited.min(others));
        Some(Waiting {
            programs,
            kernel: waited - programs,
        })
    }
}

/// Seconds that other programs ran, on all processors.
fn others(run: &Run) -> Option<f64> {
    let machine = run.circumstances.machine.as_ref()?;
    let all = machine.programs_cpu?.as_secs_f64();
    Some((all - run.measurement.cpu()?.as_secs_f64()).max(0.0))
}

/// Seconds that a quota of processor time held the run's threads.
fn stopped(run: &Run) -> f64 {
    let limits = run.circumstances.limits.as_ref();
    let quota = limits.and_then(|limits| limits.processor);
    quota.map_or(0.0, |quota| quota.throttled.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::read_run;
    use etalon_model::MachineActivity;
    use etalon_units::Nanos;

    /// Jobs that ran for 1 s and waited for 400 ms, while all programs ran so long.
    fn waiting(programs: Option<u64>) -> Waiting {
        let mut run = read_run();
        let m = &mut run.measurement;
        (m.cpu_user, m.cpu_system) = (Some(Nanos::millis(400)), Some(Nanos::millis(600)));
        m.cpu_waited = Some(Nanos::millis(400));
        run.circumstances.machine = Some(MachineActivity {
            programs_cpu: programs.map(Nanos::millis),
            ..MachineActivity::default()
        });
        Waiting::of(&run).unwrap()
    }

    #[test]
    fn programs_hold_a_run_up_no_longer_than_they_ran() {
        let is = |programs, wanted: (f64, f64)| {
            let found = waiting(programs);
            let far = (found.programs - wanted.0).abs() + (found.kernel - wanted.1).abs();
            assert!(far < 1e-9, "{programs:?}: {found:?}");
        };
        is(Some(3000), (0.4, 0.0));
        is(Some(1100), (0.1, 0.3));
        is(Some(900), (0.0, 0.4));
        is(None, (0.4, 0.0));
    }
}
