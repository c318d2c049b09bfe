//! Writes that the devices did not take.

use etalon_model::{FsyncPolicy, Severity, SyncMode};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};

/// Up to 1 % of the bytes may still be in memory at the end without changing the figure.
const DEVICE_SHARE: f64 = 0.99;

pub(crate) const CHECK: Check = Check {
    code: "not-durable",
    about: "The devices took less than 99 % of the bytes written; the rest was still in memory, or a layer shrank it.",
    advice: "Write with fsync inside the clock (--fsync end) or with O_DIRECT.",
    run,
};

fn run(facts: &Facts) -> Option<Outcome> {
    // A mirror that took only one copy of each byte has not kept the promise either.
    let copies = facts.run.expected_write_copies();
    let share = facts.run.device_write_share()? / copies;
    let w = &facts.run.workload;
    let forced = w.fsync != FsyncPolicy::Never || w.sync != SyncMode::None;
    (share < DEVICE_SHARE).then(|| {
        let share_text = Percent::from_fraction(share);
        let cause = if forced {
            "although fsync was inside the clock: a layer below compresses, deduplicates or ignores it"
        } else {
            "and no fsync was inside the clock: the rest was still in memory"
        };
        let message = format!("the devices took {share_text} of the bytes that were written, {cause}.");
        Outcome::new(Severity::Invalid, message, &[("device_write_share", share)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, write_run};
    use etalon_units::Bytes;

    #[test]
    fn a_write_left_in_memory_is_caught_and_a_durable_one_is_not() {
        let mut run = write_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.workload.fsync = FsyncPolicy::Never;
        run.device.as_mut().unwrap().written_bytes = Bytes::ZERO;
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("took 0 %") && outcome.message.contains("in memory"));
    }
}
