//! A database or a web server whose processors were the limit.

use etalon_model::Severity;
use etalon_units::{Nanos, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::SERVER_TIME;
use crate::sentence::said;

/// Of the time of the part, by the processes of the server and this one together.
const BUSY: f64 = 0.9;

pub(crate) const CHECK: Check = Check {
    code: "server-bound",
    about: "The processors of the server were the limit, not the storage.",
    advice: "Read the figure as that of the server and its processors; more rows than its caches hold show the disk.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let service = m.service.as_ref()?;
    // A figure that is a rate has no sync in its time.
    let returned = m.duration.saturating_sub(m.final_fsync);
    if service.server_cpu == Nanos::ZERO || !SERVER_TIME.resolves(returned.as_secs_f64()) {
        return None;
    }
    let share = service.server_cpu.as_secs_f64() / returned.as_secs_f64();
    (share > BUSY).then(|| {
        let message = said!(
            "the processes of {server} kept processors busy for {share} of the time.",
            server = &service.engine,
            share = Percent::from_fraction(share),
        );
        Outcome::new(Severity::Warn, message, &[("server_share", share)])
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
}
