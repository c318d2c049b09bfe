//! Requests that were answered with an error, or not at all.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// From this share on the figure is that of the errors.
const SPOILT: f64 = 0.01;

pub(crate) const CHECK: Check = Check {
    code: "failed-requests",
    about: "Requests failed: their times are not those of an answer.",
    advice: "Look into the server's log, and measure again without them.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let service = facts.run.measurement.service.as_ref()?;
    let failed = service.failures();
    if failed == 0 {
        return None;
    }
    let share = failed as f64 / service.requests.max(failed) as f64;
    let severity = match share >= SPOILT {
        true => Severity::Invalid,
        false => Severity::Warn,
    };
    let kinds = service
        .failed
        .iter()
        .map(|(kind, count)| format!("{count} x {kind}"));
    let message = said!(
        "{failed} of {requests} requests failed, {share}: {kinds}.",
        failed = failed,
        requests = service.requests,
        share = Percent::from_fraction(share),
        kinds = kinds.collect::<Vec<_>>().join(", "),
    );
    let evidence = [("failed", failed as f64), ("share", share)];
    Some(Outcome::new(severity, message, &evidence))
}

#[cfg(test)]
mod tests {
    use etalon_model::{ServiceFacts, Severity, TaskFigure};

    use crate::samples::{facts, task_run};

    #[test]
    fn a_few_failures_warn_and_many_spoil() {
        let mut run = task_run(TaskFigure::Time);
        let mut with = |count| {
            run.measurement.service = Some(ServiceFacts {
                requests: 1000,
                failed: [("status 404".to_owned(), count)].into(),
                ..ServiceFacts::default()
            });
            super::run(&facts(&run))
        };
        assert_eq!(with(0), None);
        assert_eq!(with(3).unwrap().severity, Severity::Warn);
        let many = with(30).unwrap();
        assert_eq!(many.severity, Severity::Invalid);
        assert!(many.message.contains("30 x status 404"), "{}", many.message);
    }
}
