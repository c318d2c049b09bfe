//! Reads that the devices did not serve.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};

/// A read figure speaks of the device only when the device served at least this share; what is
/// missing came from a cache.
const DEVICE_SHARE: f64 = 0.99;

pub(crate) const CHECK: Check = Check {
    code: "page-cache",
    about: "The devices served less than 99 % of the bytes read; a cache above them served the rest.",
    advice: "Read with O_DIRECT, drop the cache before the run, or use a working set of at least 20 times the memory.",
    run,
};

fn run(facts: &Facts) -> Option<Outcome> {
    let share = facts.run.device_read_share()?;
    (share < DEVICE_SHARE).then(|| {
        let message = format!(
            "the devices served {} of the bytes that were read.",
            Percent::from_fraction(share)
        );
        Outcome::new(Severity::Invalid, message, &[("device_read_share", share)])
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::DeviceTraffic;
    use etalon_units::Bytes;

    #[test]
    fn a_warm_read_is_caught_and_a_device_read_is_not() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        // 15 of 256 MiB, as a warm buffered read of a cached file shows.
        run.device.as_mut().unwrap().read_bytes = Bytes::mib(15);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("5.9 %"), "{}", outcome.message);
    }

    #[test]
    fn a_cache_between_a_loop_device_and_its_disk_is_caught() {
        let mut run = read_run();
        run.leaves = Some(DeviceTraffic::default());
        assert!(super::run(&facts(&run)).is_some());
    }
}
