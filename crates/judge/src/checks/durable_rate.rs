//! Writes that returned long before they were durable.

use etalon_model::Severity;
use etalon_units::{ByteRate, Nanos};

use crate::check::{Check, Facts, Outcome};

/// Rates further apart than this are told both.
const APART: f64 = 1.05;

pub(crate) const CHECK: Check = Check {
    code: "returned-early",
    about: "The writes returned more than 5 % sooner than they were durable; the figure counts until they were.",
    advice: "Use this figure, which is durable; a tool without fsync would show the higher one.",
    run,
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let returned_in = m.duration.saturating_sub(m.final_fsync);
    if m.final_fsync == Nanos::ZERO || returned_in == Nanos::ZERO {
        return None;
    }
    let returned = ByteRate::over(m.writes.bytes, returned_in);
    let durable = ByteRate::over(m.writes.bytes, m.duration);
    (returned.0 > durable.0 * APART).then(|| {
        let message = format!(
            "returned at {returned}, durable at {durable}: the closing fsync took {}.",
            m.final_fsync
        );
        let evidence = [
            ("returned_bytes_per_second", returned.0),
            ("durable_bytes_per_second", durable.0),
        ];
        Outcome::new(Severity::Info, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, write_run};

    #[test]
    fn a_closing_fsync_of_half_the_time_is_told() {
        let mut run = write_run();
        run.measurement.final_fsync = Nanos::millis(10);
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.final_fsync = Nanos::millis(500);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(
            outcome.message.contains("durable at 256 MiB/s"),
            "{}",
            outcome.message
        );
    }
}
