//! Requests that were answered with an error, or not at all.

use std::collections::BTreeMap;

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said, word};

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
    let told = said!(
        "{failed} of {requests} requests failed, {share}.",
        failed = failed,
        requests = service.requests,
        share = Percent::from_fraction(share),
    );
    let evidence = [("failed", failed as f64), ("share", share)];
    let message = by_kind(told, &service.failed);
    Some(Outcome::new(severity, message, &evidence))
}

/// The sentence with what was wrong, and how often, behind it.
fn by_kind(told: Sentence, failed: &BTreeMap<String, u64>) -> Sentence {
    let kinds = failed.iter().enumerate();
    kinds.fold(told, |told, (index, (kind, count))| {
        told.then(of_kind(index == 0, *count, word_of(kind)))
    })
}

fn of_kind(is_first: bool, count: u64, kind: &str) -> Sentence {
    match is_first {
        true => said!(": {count} x {kind}.", count = count, kind = kind),
        false => said!(", {count} x {kind}.", count = count, kind = kind),
    }
}

/// What was wrong as the catalogues have it.
fn word_of(kind: &str) -> &str {
    match kind {
        "no answer" => word!("no answer"),
        "no answer in time" => word!("no answer in time"),
        "connection broke off" => word!("connection broke off"),
        "endless body" => word!("endless body"),
        "wrong length" => word!("wrong length"),
        "moved away" => word!("moved away"),
        "failed transaction" => word!("failed transaction"),
        "ignored error" => word!("ignored error"),
        "lost connection" => word!("lost connection"),
        other => other,
    }
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
