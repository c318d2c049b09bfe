//! The tool or the processor as the limit, not the storage.

use etalon_model::{Backend, Measurement, Run, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::resolution::PROCESSOR_TIME;
use crate::sentence::said;
use crate::value::is_timed;
use crate::waiting::Waiting;

/// Share of the jobs' processors above which the processor may be the limit.
const BUSY: f64 = 0.80;
/// Share above which it is.
const SATURATED: f64 = 0.95;
/// Waiting for less than this share of the time is what any machine has.
const HELD: f64 = 0.05;
/// An operation that costs no more than this many times the tool's own cost is the tool's.
const NEAR_CEILING: f64 = 1.10;

pub(crate) const CHECK: Check = Check {
    code: "cpu-bound",
    about: "The processor was the limit, not the storage.",
    advice: "Spread the work over more jobs, or read the figure as that of processor and kernel.",
    short_about: Some("The processor was the limit, not the storage."),
    short_advice: Some("Read it as the speed of this machine, or use more jobs."),
    ..Check::of_run(run)
};

/// Threads that worked at once: of jobs, or of the clients of a server.
fn threads(m: &Measurement) -> usize {
    let clients = m.service.as_ref().map_or(0, |service| service.clients);
    m.jobs.len().max(clients as usize).max(1)
}

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    // Of a step the time until it returned is looked at, and a closing sync works no processor.
    let looked_at = match is_timed(facts.run) {
        true => m.duration.saturating_sub(m.final_fsync),
        false => m.duration,
    };
    let is_counted = facts.run.workload.task().is_some();
    if is_counted && !PROCESSOR_TIME.resolves(looked_at.as_secs_f64()) {
        return None;
    }
    if is_timed(facts.run) {
        return of_step(m);
    }
    if m.backend == Some(Backend::Fake) || m.operations() == 0 {
        return None;
    }
    let available = m.duration.as_secs_f64() * threads(m) as f64;
    let busy = m.cpu()?.as_secs_f64() / available;
    let kernel = m.cpu_system?.as_secs_f64() / available;
    let ns_per_operation = available * 1e9 / m.operations() as f64;
    let at_ceiling = facts
        .null_ns_per_operation
        .is_some_and(|null| ns_per_operation <= null * NEAR_CEILING);
    let severity = match busy {
        b if b > SATURATED && (at_ceiling || m.backend == Some(Backend::Null)) => Severity::Invalid,
        b if b > BUSY => Severity::Warn,
        _ => return of_kernel_threads(facts.run, busy, available),
    };
    let message = said!(
        "the jobs kept their processors {busy} busy, {kernel} in the kernel.",
        busy = Percent::from_fraction(busy),
        kernel = Percent::from_fraction(kernel),
    );
    let evidence = [
        ("processor_share", busy),
        ("kernel_share", kernel),
        ("ns_per_operation", ns_per_operation),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

/// Threads of the kernel that carry out the run's I/O need processors too, on which the jobs then wait.
fn of_kernel_threads(run: &Run, busy: f64, available: f64) -> Option<Outcome> {
    let held = Waiting::of(run)?.kernel / available;
    (held > HELD && busy + held > BUSY).then(|| {
        let message = said!(
            "the jobs kept their processors {busy} busy, and waited {held} of the time for threads of the kernel.",
            busy = Percent::from_fraction(busy),
            held = Percent::from_fraction(held),
        );
        let evidence = [("processor_share", busy), ("kernel_threads_share", held)];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

/// Real work may well be bound by processors, of which its programs use several at once: that is
/// worth knowing and no fault.
fn of_step(m: &Measurement) -> Option<Outcome> {
    let returned = m.duration.saturating_sub(m.final_fsync).as_secs_f64();
    let busy = m.cpu()?.as_secs_f64() / returned;
    (busy > BUSY).then(|| {
        let message = said!(
            "processors worked for the step {busy} of the time until it returned.",
            busy = Percent::from_fraction(busy),
        );
        Outcome::new(Severity::Info, message, &[("processor_share", busy)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run, task_run};
    use etalon_model::{MachineActivity, TaskFigure};
    use etalon_units::Nanos;

    #[test]
    fn a_busy_processor_warns_and_the_tools_own_ceiling_invalidates() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.cpu_system = Some(Nanos::millis(970));
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        // 65 536 operations in a second are 15 µs each.
        let facts = Facts {
            run: &run,
            null_ns_per_operation: Some(15_000.0),
        };
        assert_eq!(super::run(&facts).unwrap().severity, Severity::Invalid);
    }

    #[test]
    fn what_the_kernels_threads_took_of_the_processors_is_the_runs_own() {
        let mut run = read_run();
        run.measurement.cpu_system = Some(Nanos::millis(700));
        run.measurement.cpu_waited = Some(Nanos::millis(200));
        let ran = run.measurement.cpu().unwrap();
        run.circumstances.machine = Some(MachineActivity {
            programs_cpu: Some(ran),
            ..MachineActivity::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        assert!(outcome.message.contains("20 % of the time"), "{outcome:?}");
        // Other programs had them: no sign that the work of the run took all of the machine.
        let others = Nanos(ran.get() + Nanos::millis(200).get());
        run.circumstances.machine.as_mut().unwrap().programs_cpu = Some(others);
        assert_eq!(super::run(&facts(&run)), None);
    }

    #[test]
    fn a_busy_step_is_worth_a_note_and_a_short_one_is_not_counted() {
        let mut run = task_run(TaskFigure::Time);
        run.measurement.final_fsync = Nanos::millis(500);
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.cpu_user = Some(Nanos::millis(800));
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Info);
        assert!(outcome.message.contains("180 %"), "{}", outcome.message);
        // What counts is the time until it returned: the rest of this second is its sync.
        run.measurement.final_fsync = Nanos::millis(850);
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.final_fsync = Nanos::ZERO;
        run.measurement.duration = Nanos::millis(150);
        assert_eq!(super::run(&facts(&run)), None);
        let mut names = task_run(TaskFigure::Rate);
        names.measurement.cpu_system = Some(Nanos::millis(990));
        assert!(super::run(&facts(&names)).is_some());
        // Of four clients that is a quarter of what they could take.
        let mut clients = names.clone();
        clients.measurement.service = Some(etalon_model::ServiceFacts {
            clients: 4,
            ..etalon_model::ServiceFacts::default()
        });
        assert_eq!(super::run(&facts(&clients)), None);
        names.measurement.duration = Nanos::millis(150);
        assert_eq!(super::run(&facts(&names)), None);
    }
}
