//! A workload of several at once that was partly alone.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{ALONE, Levels};
use crate::sentence::said;

/// Shares of time without the others above which the figure is as much one of the workload alone, and above which it
/// carries a reservation.
const LEVELS: Levels<'_> = &[(0.5, Severity::Invalid), (0.05, Severity::Warn)];

pub(crate) const CHECK: Check = Check {
    code: "not-together",
    about: "A workload of several at once worked on while another had already ended.",
    advice: "End all of them by the same --time instead of by bytes or passes.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let concurrent = facts.run.circumstances.concurrent.as_ref()?;
    let span = concurrent.span.as_secs_f64();
    let share = concurrent.shared.as_secs_f64() / span;
    // A span of nothing has a share that is no number, and the others all the time.
    let found = ALONE.grade(span * (1.0 - share), span, LEVELS)?;
    let message = said!(
        "all workloads were under way for {shared} of the {span} that this one took, {share} of it.",
        shared = concurrent.shared,
        span = concurrent.span,
        share = Percent::from_fraction(share),
    );
    let evidence = [("shared_share", share)];
    Some(Outcome::new(found.severity, found.say(message), &evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::ConcurrentRuns;
    use etalon_units::Nanos;

    #[test]
    fn half_the_time_alone_invalidates() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        for (shared, severity) in [
            (99, None),
            (90, Some(Severity::Warn)),
            (40, Some(Severity::Invalid)),
        ] {
            run.circumstances.concurrent = Some(ConcurrentRuns {
                others: vec!["writer".to_owned()],
                span: Nanos::millis(100),
                shared: Nanos::millis(shared),
            });
            assert_eq!(super::run(&facts(&run)).map(|o| o.severity), severity);
        }
        // Threads do not end at the same instant.
        run.circumstances.concurrent = Some(ConcurrentRuns {
            others: vec!["writer".to_owned()],
            span: Nanos::millis(3),
            shared: Nanos::millis(1),
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Info);
        run.circumstances.concurrent = Some(ConcurrentRuns::default());
        assert_eq!(super::run(&facts(&run)), None);
    }
}
