//! Memory that ran short.

use etalon_model::{CacheMode, MachineActivity, Run, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{Levels, MEMORY_WAITS, Resolution, SWAPPED, reached};
use crate::sentence::said;

/// Share of the time that some task may wait for memory (the kernel's accounting/psi.rst).
const WAITING: f64 = 0.005;
/// Bytes swapped over the run's own above which the swap traffic is part of the figure, and above which the figure carries
/// a reservation.
const SHARES: Levels<'_> = &[(0.05, Severity::Invalid), (0.01, Severity::Warn)];
/// Bytes of a page, at least (`getpagesize(2)`).
const PAGE: u64 = 4096;

const ELSEWHERE: &str = "Nothing is to be done: this run's memory was not short.";

pub(crate) const CHECK: Check = Check {
    code: "memory-pressure",
    about: "Memory was short during the run: tasks waited for it, pages were swapped, or a process was killed.",
    advice: "Free memory or use fewer and smaller files; swap belongs switched off while storage is measured.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let machine = run.circumstances.machine.as_ref()?;
    let swapped = machine.swapped_in_pages + machine.swapped_out_pages;
    let waited = machine.memory_some.unwrap_or_default();
    let killed = kills_here(machine);
    let Some((severity, held)) = severity(run, machine, swapped) else {
        return killed_elsewhere(machine);
    };
    let message = said!(
        "some task waited for memory {waited} of the time, {pages} pages were swapped and {killed} processes killed.",
        waited = waited,
        pages = swapped,
        killed = killed,
    );
    let message = match held {
        Some(source) => source.say(message),
        None => message,
    };
    let evidence = [
        ("memory_some_share", waited.fraction()),
        ("swapped_pages", swapped as f64),
        (
            "swapped_share_of_bytes",
            swapped_share(run, swapped).unwrap_or_default(),
        ),
        ("oom_kills", machine.oom_kills as f64),
        ("alloc_stalls", machine.alloc_stalls as f64),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

/// Processes killed for want of the memory that the run has as well. A limit of another control group is met by the processes
/// of that group alone, and no allocation stalls for want of the machine's memory (`cgroup_reclaim` in mm/vmscan.c).
fn kills_here(machine: &MachineActivity) -> u64 {
    match machine.own_oom_kills {
        Some(0) if machine.alloc_stalls == 0 => 0,
        _ => machine.oom_kills,
    }
}

fn killed_elsewhere(machine: &MachineActivity) -> Option<Outcome> {
    (machine.oom_kills > 0).then(|| {
        let message = said!(
            "{killed} processes of other control groups were killed for the limits of their own groups.",
            killed = machine.oom_kills,
        );
        let evidence = [("oom_kills", machine.oom_kills as f64)];
        Outcome::new(Severity::Info, message, &evidence).advising(ELSEWHERE)
    })
}

/// By what it weighs: the time that tasks waited, and the bytes swapped beside the run's own; with the source whose
/// resolution holds it down.
fn severity(
    run: &Run,
    machine: &MachineActivity,
    swapped: u64,
) -> Option<(Severity, Option<&'static Resolution>)> {
    if kills_here(machine) > 0 {
        return Some((Severity::Invalid, None));
    }
    if !SWAPPED.resolves(swapped as f64) {
        return of_waiting(run, machine, swapped);
    }
    let share = swapped_share(run, swapped);
    // Without bytes to compare with, and without PSI, any swapping may be all of the figure.
    let cannot_be_weighed = share.is_none() && machine.memory_some.is_none();
    let severity = match waited(run, machine) == Waited::Long || cannot_be_weighed {
        true => Severity::Invalid,
        false => share
            .and_then(|share| reached(share, SHARES))
            .unwrap_or(Severity::Info),
    };
    Some((severity, None))
}

/// Where few pages or none were swapped.
fn of_waiting(
    run: &Run,
    machine: &MachineActivity,
    swapped: u64,
) -> Option<(Severity, Option<&'static Resolution>)> {
    // A limited cache makes its own group wait; that is what was asked for.
    let limited = matches!(run.workload.cache(), Some(CacheMode::Limited(_)));
    match (waited(run, machine), swapped) {
        (Waited::Long, _) if !limited => Some((Severity::Warn, None)),
        (Waited::Moment, 0) if !limited => Some((Severity::Info, Some(&MEMORY_WAITS))),
        (_, 0) => None,
        _ => Some((Severity::Info, Some(&SWAPPED))),
    }
}

/// For how long some task waited for memory.
#[derive(PartialEq)]
enum Waited {
    /// For no share that is worth telling.
    No,
    /// For such a share of a run so short that it was a moment.
    Moment,
    Long,
}

fn waited(run: &Run, machine: &MachineActivity) -> Waited {
    let share = machine.memory_some.unwrap_or_default().fraction();
    let seconds = share * run.measurement.duration.as_secs_f64();
    match (share > WAITING, MEMORY_WAITS.resolves(seconds)) {
        (false, _) => Waited::No,
        (true, false) => Waited::Moment,
        (true, true) => Waited::Long,
    }
}

/// Bytes swapped over the run's own; none where the run moved no data.
fn swapped_share(run: &Run, pages: u64) -> Option<f64> {
    let own = run.measurement.bytes_with_warm_up.as_f64();
    (own > 0.0).then(|| (pages * PAGE) as f64 / own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run, task_run};
    use etalon_model::TaskFigure;
    use etalon_units::{Nanos, Percent};

    fn judged(run: &Run, waited: Option<f64>, pages: u64) -> Option<Severity> {
        let mut run = run.clone();
        run.circumstances.machine = Some(MachineActivity {
            memory_some: waited.map(Percent::from_fraction),
            swapped_out_pages: pages,
            ..MachineActivity::default()
        });
        super::run(&facts(&run)).map(|outcome| outcome.severity)
    }

    #[test]
    fn waiting_warns_and_swapping_is_weighed_by_its_time_and_bytes() {
        // 256 MiB are 65536 pages.
        let run = read_run();
        for (waited, pages, severity) in [
            (Some(0.0), 0, None),
            (Some(0.02), 0, Some(Severity::Warn)),
            (Some(0.0), 552, Some(Severity::Info)),
            (None, 552, Some(Severity::Info)),
            (Some(0.02), 552, Some(Severity::Invalid)),
            (Some(0.0), 1966, Some(Severity::Warn)),
            (Some(0.0), 6554, Some(Severity::Invalid)),
        ] {
            assert_eq!(judged(&run, waited, pages), severity, "{waited:?} {pages}");
        }
    }

    #[test]
    fn without_bytes_the_time_decides_and_what_cannot_be_weighed_spoils() {
        let mut run = task_run(TaskFigure::Rate);
        assert_eq!(judged(&run, Some(0.0), 17), Some(Severity::Info));
        assert_eq!(judged(&run, Some(0.02), 17), Some(Severity::Invalid));
        assert_eq!(judged(&run, None, 17), Some(Severity::Invalid));
        // A page or some of them decide nothing, nor does a moment of waiting.
        assert_eq!(judged(&run, Some(0.02), 1), Some(Severity::Warn));
        assert_eq!(judged(&run, None, 16), Some(Severity::Info));
        run.measurement.duration = Nanos::millis(100);
        assert_eq!(judged(&run, Some(0.02), 17), Some(Severity::Info));
        assert_eq!(judged(&run, Some(0.02), 0), Some(Severity::Info));
    }

    #[test]
    fn a_killed_process_invalidates() {
        let mut run = read_run();
        run.circumstances.machine = Some(MachineActivity {
            oom_kills: 1,
            ..MachineActivity::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
    }

    #[test]
    fn a_process_that_met_the_limit_of_another_group_is_told_and_spoils_nothing() {
        for (own, stalls, waited, severity) in [
            (Some(0), 0, 0.0, Severity::Info),
            // It is the neighbour who waits, yet the time is of the whole machine.
            (Some(0), 0, 0.02, Severity::Warn),
            // The machine's memory was short too.
            (Some(0), 3, 0.0, Severity::Invalid),
            (Some(1), 0, 0.0, Severity::Invalid),
            (None, 0, 0.0, Severity::Invalid),
        ] {
            let mut run = read_run();
            run.circumstances.machine = Some(MachineActivity {
                oom_kills: 1,
                own_oom_kills: own,
                alloc_stalls: stalls,
                memory_some: Some(Percent::from_fraction(waited)),
                ..MachineActivity::default()
            });
            let outcome = super::run(&facts(&run)).unwrap();
            assert_eq!(outcome.severity, severity, "{own:?} {stalls} {waited}");
            let told = outcome.message.contains("other control groups");
            assert_eq!(told, severity == Severity::Info);
        }
    }
}
