//! Readahead that fetched more than was asked for.

use etalon_model::Severity;
use etalon_units::Bytes;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{figure, said};

/// Beyond this the device worked visibly more than the run asked.
const WORTH_TELLING: f64 = 1.10;
/// Readahead of a file's end and metadata may exceed short runs by this much.
const SLACK: Bytes = Bytes::mib(1);

pub(crate) const CHECK: Check = Check {
    code: "readahead-waste",
    about: "The devices read more than the run asked for: readahead fetched what nobody used.",
    advice: "For random reads use O_DIRECT or a smaller read_ahead_kb; else take the device's rate from the counters.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    // A write of a part of a page reads the rest of it.
    let share = run.device_read_share().filter(|_| !run.is_mixture())?;
    let own = run.measurement.bytes_with_warm_up.as_f64();
    let surplus = (share - 1.0) * own;
    (!run.measurement.is_direct() && share > WORTH_TELLING && surplus > SLACK.as_f64()).then(|| {
        let message = said!(
            "the devices read {count} bytes for each byte asked for.",
            count = figure(format!("{share:.2}")),
        );
        let evidence = [("device_read_share", share), ("surplus_bytes", surplus)];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};

    #[test]
    fn eight_times_the_bytes_are_told_of_a_buffered_read_only() {
        let mut run = read_run();
        run.device.as_mut().unwrap().read_bytes = Bytes::gib(2);
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.direct = Some(false);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("8.00 bytes"));
    }
}
