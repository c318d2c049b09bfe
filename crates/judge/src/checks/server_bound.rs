//! A database or a web server whose processors were the limit, or the locks that its clients hold.

use etalon_model::{ServiceFacts, Severity};
use etalon_units::{Nanos, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{LOCK_TIME, SERVER_TIME};
use crate::sentence::said;

/// Of the time of the part, by the processes of the server and this one together.
const BUSY: f64 = 0.9;

/// Of the time of all clients together.
const LOCKED: f64 = 0.5;

pub(crate) const CHECK: Check = Check {
    code: "server-bound",
    about: "The processors of the server were the limit, or locks, and not the storage.",
    advice: "Read the figure as that of the server and its processors; more rows than its caches hold show the disk.",
    ..Check::of_run(run)
};

/// What to do where clients stand in each other's way.
const FEWER_CLIENTS: &str = "Read the figure as that of the waiting, or take fewer clients or more rows (pgbench: a scale of at least the clients).";

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let service = m.service.as_ref()?;
    // A figure that is a rate has no sync in its time.
    let returned = m.duration.saturating_sub(m.final_fsync).as_secs_f64();
    // What waits leaves processors free, and asks for something else.
    waiting(service, returned).or_else(|| computing(service, returned))
}

fn computing(service: &ServiceFacts, seconds: f64) -> Option<Outcome> {
    if service.server_cpu == Nanos::ZERO || !SERVER_TIME.resolves(seconds) {
        return None;
    }
    let share = service.server_cpu.as_secs_f64() / seconds;
    (share > BUSY).then(|| {
        let message = said!(
            "the processes of {server} kept processors busy for {share} of the time.",
            server = &service.engine,
            share = Percent::from_fraction(share),
        );
        Outcome::new(Severity::Warn, message, &[("server_share", share)])
    })
}

/// Clients that wait for each other's locks most of their time are slow on any storage.
fn waiting(service: &ServiceFacts, seconds: f64) -> Option<Outcome> {
    let waited = service.lock_wait?.as_secs_f64();
    let share = waited / (seconds * f64::from(service.clients.max(1)));
    (share > LOCKED && LOCK_TIME.resolves(waited)).then(|| {
        let message = said!(
            "the clients of {server} waited for each other's locks for {share} of their time.",
            server = &service.engine,
            share = Percent::from_fraction(share),
        );
        Outcome::new(Severity::Warn, message, &[("lock_share", share)]).advising(FEWER_CLIENTS)
    })
}

#[cfg(test)]
mod tests {
    use etalon_model::{ServiceFacts, TaskFigure};
    use etalon_units::Nanos;

    use crate::samples::{facts, task_run};

    #[test]
    fn a_server_that_computes_is_found_in_what_is_long_enough_to_tell() {
        let mut run = task_run(TaskFigure::Time);
        let mut with = |server_cpu, duration| {
            run.measurement.duration = duration;
            run.measurement.service = Some(ServiceFacts {
                server_cpu,
                ..ServiceFacts::default()
            });
            super::run(&facts(&run)).is_some()
        };
        assert!(with(Nanos::millis(950), Nanos::secs(1)));
        assert!(!with(Nanos::millis(500), Nanos::secs(1)));
        assert!(!with(Nanos::millis(400), Nanos::millis(400)));
        assert!(!with(Nanos::ZERO, Nanos::secs(1)));
    }

    #[test]
    fn clients_that_wait_for_each_other_most_of_their_time_are_found() {
        let mut run = task_run(TaskFigure::Rate);
        run.measurement.duration = Nanos::secs(2);
        let mut with = |lock_wait, clients| {
            run.measurement.service = Some(ServiceFacts {
                lock_wait,
                clients,
                ..ServiceFacts::default()
            });
            super::run(&facts(&run)).map(|outcome| outcome.message.to_string())
        };
        let found = with(Some(Nanos::secs(12)), 8).unwrap();
        assert!(found.contains("locks for 75 % of"), "{found}");
        assert_eq!(with(Some(Nanos::secs(7)), 8), None);
        assert_eq!(with(Some(Nanos::millis(450)), 0), None);
        assert_eq!(with(None, 8), None);
    }
}
