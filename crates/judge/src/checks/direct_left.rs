//! `O_DIRECT` that was left before the end.

use etalon_model::{Fallback, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "direct-left",
    about: "O_DIRECT was turned off for blocks that were not whole, so the run went through the page cache.",
    advice: "Compare it only with other buffered figures.",
    short_about: Some("Blocks that were not whole went through the page cache."),
    short_advice: Some("Compare it only with other buffered figures."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let buffered = m.fallbacks.iter().find_map(|fallback| match fallback {
        Fallback::DirectLeft { buffered } => Some(*buffered),
        _ => None,
    })?;
    let own = m.writes.bytes;
    let share = buffered.as_f64() / own.as_f64().max(1.0);
    let message = said!(
        "buffered, not direct: {buffered} of the {own} written, {share} of them, from the first block that was not whole.",
        buffered = buffered,
        own = own,
        share = Percent::from_fraction(share),
    );
    let evidence = [
        ("buffered_bytes", buffered.as_f64()),
        ("own_bytes", own.as_f64()),
    ];
    Some(Outcome::new(Severity::Warn, message, &evidence))
}

#[cfg(test)]
mod tests {
    use etalon_units::Bytes;

    use super::*;
    use crate::samples::{facts, read_run};

    #[test]
    fn what_was_written_after_o_direct_was_left_is_told() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.writes.bytes = Bytes::mib(8);
        run.measurement.fallbacks = vec![Fallback::DirectLeft {
            buffered: Bytes::mib(6),
        }];
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        let said = "6 MiB of the 8 MiB written, 75 % of them,";
        assert!(outcome.message.contains(said), "{outcome:?}");
    }
}
