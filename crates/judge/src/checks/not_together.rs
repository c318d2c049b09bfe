//! A workload of several at once that was partly alone.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Looks, Outcome};

/// Below this share of time with the others the figure carries a reservation.
const WARN: f64 = 0.95;
/// Below this share it is as much a figure of the workload alone.
const INVALID: f64 = 0.5;

pub(crate) const CHECK: Check = Check {
    code: "not-together",
    about: "A workload of several at once worked on while another had already ended.",
    advice: "End all of them by the same --time instead of by bytes or passes.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let concurrent = facts.run.circumstances.concurrent.as_ref()?;
    let share = concurrent.shared.as_secs_f64() / concurrent.span.as_secs_f64();
    // A span of nothing has a share that is no number, and the others all the time.
    let severity = match share {
        s if s < INVALID => Severity::Invalid,
        s if s < WARN => Severity::Warn,
        _ => return None,
    };
    let message = format!(
        "all workloads were under way for {} of the {} that this one took, {} of it.",
        concurrent.shared,
        concurrent.span,
        Percent::from_fraction(share)
    );
    Some(Outcome::new(severity, message, &[("shared_share", share)]))
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
        run.circumstances.concurrent = Some(ConcurrentRuns::default());
        assert_eq!(super::run(&facts(&run)), None);
    }
}
