//! A cache below the block layer of this machine.

use etalon_model::{RereadProbe, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{figure, said};

/// A second reading sooner than the first by this factor comes from a cache.
const MIN_SPEEDUP: f64 = 1.2;

/// What the caches of the processor can save by themselves on a device that is memory: a byte that
/// comes from main memory takes this long where one core reads 4 GB/s, the slowest of DDR4 machines.
const MEMORY_NS_PER_BYTE: f64 = 0.25;

const IN_MEMORY: &str = "Read it as the speed of memory, or put the file on a disk.";

pub(crate) const CHECK: Check = Check {
    code: "cache-below",
    about: "A cache below the devices serves repeated reads, or they are files in memory: the figure is that of the device and its cache together.",
    advice: "Use a working set far beyond that cache, switch it off (QEMU: cache=none), or report it with the result.",
    short_about: Some("A cache below the disk serves repeated reads."),
    short_advice: Some("Report it with the result."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let circumstances = &facts.run.circumstances;
    let reads = facts.run.measurement.reads.operations > 0;
    let by_probe = circumstances
        .reread
        .filter(|_| reads)
        .and_then(|p| probed(&p));
    by_probe.or_else(|| in_memory(&circumstances.beneath.as_ref()?.in_memory))
}

fn probed(probe: &RereadProbe) -> Option<Outcome> {
    let saved_ns = probe.first.0.saturating_sub(probe.second.0) as f64;
    let by_processor_ns = probe.block_size.get() as f64 * MEMORY_NS_PER_BYTE;
    // The median of the ratios and the ratio of the medians may contradict each other, and then neither
    // is proof.
    let by_medians = probe.first.0 as f64 / (probe.second.0 as f64).max(1.0);
    let agree = probe.ratio > MIN_SPEEDUP && by_medians > MIN_SPEEDUP && probe.low > 1.0;
    (agree && saved_ns > by_processor_ns).then(|| {
        let times = |ratio: f64| figure(format!("{ratio:.2}"));
        let message = said!(
            "{blocks} blocks of {size} took {first} and, read again, {second} (medians), each of them {times} times as fast in the median ({low} to {high}): a cache below the devices serves repeats.",
            blocks = probe.blocks,
            size = probe.block_size,
            first = probe.first,
            second = probe.second,
            times = times(probe.ratio),
            low = times(probe.low),
            high = times(probe.high),
        );
        Outcome::new(Severity::Warn, message, &evidence(probe))
    })
}

fn evidence(probe: &RereadProbe) -> [(&'static str, f64); 4] {
    [
        ("reread_ratio", probe.ratio),
        ("reread_ratio_low", probe.low),
        ("reread_ratio_high", probe.high),
        ("reread_blocks", probe.blocks as f64),
    ]
}

/// Devices that are files in memory; what is memory throughout is told as that.
fn in_memory(places: &[String]) -> Option<Outcome> {
    let devices: Vec<&str> = places
        .iter()
        .map(String::as_str)
        .filter(|place| place.contains(" (file "))
        .collect();
    (!devices.is_empty()).then(|| {
        let message = said!(
            "{devices} serves everything from memory.",
            devices = devices.join(", "),
        );
        Outcome::new(Severity::Warn, message, &[]).advising(IN_MEMORY)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::BeneathFacts;
    use etalon_units::{Bytes, Nanos};

    #[test]
    fn a_second_reading_twice_as_fast_is_a_cache_and_an_uncertain_one_is_not() {
        let mut run = read_run();
        let probe = |ratio, low| {
            Some(RereadProbe {
                ratio,
                low,
                high: ratio * 1.1,
                first: Nanos(80_000),
                second: Nanos((80_000.0 / ratio) as u64),
                block_size: Bytes::kib(4),
                ..RereadProbe::default()
            })
        };
        for (ratio, low, caught) in [(2.0, 1.9, true), (1.1, 1.05, false), (1.5, 0.9, false)] {
            run.circumstances.reread = probe(ratio, low);
            assert_eq!(super::run(&facts(&run)).is_some(), caught, "{ratio}");
        }
    }

    #[test]
    fn what_the_processors_caches_save_on_a_device_of_memory_is_no_cache_below() {
        let mut run = read_run();
        for (first, second, caught) in [(1_700, 1_300, false), (9_000, 6_000, true)] {
            run.circumstances.reread = Some(RereadProbe {
                ratio: 1.31,
                low: 1.30,
                first: Nanos(first),
                second: Nanos(second),
                block_size: Bytes::kib(4),
                ..RereadProbe::default()
            });
            assert_eq!(super::run(&facts(&run)).is_some(), caught, "{first}");
        }
    }

    #[test]
    fn a_device_whose_file_lies_in_memory_is_named() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts {
            in_memory: vec!["loop0 (file /dev/shm/x) on tmpfs at /dev/shm".to_owned()],
            ..BeneathFacts::default()
        });
        assert!(super::run(&facts(&run)).unwrap().message.contains("loop0"));
        let beneath = run.circumstances.beneath.as_mut().unwrap();
        beneath.in_memory = vec!["tmpfs at /dev/shm".to_owned()];
        assert_eq!(super::run(&facts(&run)), None);
    }

    #[test]
    fn a_ratio_that_its_own_medians_contradict_is_no_evidence() {
        let mut run = read_run();
        run.circumstances.reread = Some(RereadProbe {
            ratio: 2.18,
            low: 1.9,
            first: Nanos(29_400),
            second: Nanos(26_700),
            block_size: Bytes::kib(4),
            ..RereadProbe::default()
        });
        assert_eq!(super::run(&facts(&run)), None);
    }
}
