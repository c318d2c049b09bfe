//! An open loop whose generator came too late.

use etalon_model::Severity;
use etalon_units::Nanos;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// Lateness beyond this share of the reported tail is part of the tail.
const SHARE_OF_TAIL: f64 = 0.10;

pub(crate) const CHECK: Check = Check {
    code: "generator-late",
    about: "Operations started later than their intended moment by a share that shows in the tail.",
    advice: "Lower the rate or add jobs; if the target was saturated, the rate is above what it sustains.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let lag = m.lag.as_ref()?.quantile(0.99)?;
    let response = m.latency().quantile(0.99)?;
    let share = lag.get() as f64 / response.get().max(1) as f64;
    (share > SHARE_OF_TAIL && lag > Nanos::micros(100)).then(|| {
        let message = said!(
            "operations started {lag} late at p99, where the response took {response}.",
            lag = lag,
            response = response,
        );
        let evidence = [
            ("lag_p99_ns", lag.get() as f64),
            ("response_p99_ns", response.get() as f64),
        ];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::LatencyHistogram;

    #[test]
    fn lateness_of_the_order_of_the_tail_is_told() {
        let mut run = read_run();
        let mut lag = LatencyHistogram::new();
        lag.record_n(1_000, 1000);
        run.measurement.lag = Some(lag.clone());
        assert_eq!(super::run(&facts(&run)), None);
        lag.record_n(5_000_000, 1000);
        run.measurement.lag = Some(lag);
        assert!(super::run(&facts(&run)).is_some());
    }
}
