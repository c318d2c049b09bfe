//! A reading as a part of a pass that is measured.

use std::collections::BTreeMap;
use std::path::Path;

use etalon_model::{TaskFigure, TaskWorkload};
use etalon_workload::measurable::PartReport;
use etalon_workload::raw_read::{BLOCK, Part, RawReading};

use super::HdparmOptions;
use crate::keeper::{by_one_job, named, part_of, yes};

/// The step of a timing, as it is typed.
pub(super) fn step(part: Part) -> &'static str {
    match part {
        Part::Cache => "-T",
        Part::Disk => "-t",
    }
}

/// What the cell of a timing is called: with the device's name only where several are read.
pub(super) fn cell(device: &Path, part: Part, options: &HdparmOptions) -> String {
    match options.devices.len() {
        1 => step(part).to_owned(),
        _ => format!("{} {}", step(part), device.display()),
    }
}

/// A reading that has just ended as a part of its visit.
pub(super) fn report(
    device: &Path,
    reading: &RawReading,
    options: &HdparmOptions,
    seed: u64,
) -> PartReport {
    let step = step(reading.read.part);
    let cell = cell(device, reading.read.part, options);
    let device = match options.devices.len() {
        1 => String::new(),
        _ => device.display().to_string(),
    };
    let operations = reading.bytes.get() / BLOCK.get();
    let mut measurement = by_one_job(operations, reading.bytes, reading.elapsed);
    measurement.direct = Some(reading.read.direct);
    // What -T reads comes from memory, and no device has to deliver it.
    let totals = match reading.read.part {
        Part::Cache => &mut measurement.metadata,
        Part::Disk => &mut measurement.reads,
    };
    (totals.operations, totals.bytes) = (operations, reading.bytes);
    let workload = workload(
        step,
        seed,
        named([
            ("device", device),
            ("direct", yes(reading.read.direct)),
            ("offset", reading.read.offset.to_string()),
        ]),
    );
    part_of((step, &cell), workload, measurement)
}

/// Requests have one size, which no option changes.
fn workload(step: &str, seed: u64, parameters: BTreeMap<String, String>) -> TaskWorkload {
    TaskWorkload {
        block_size: Some(BLOCK),
        seed: Some(seed),
        ..TaskWorkload::of_texts("hdparm", step, TaskFigure::Throughput, parameters)
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use etalon_units::{Bytes, Nanos, Percent};

    use super::super::span::timed_read;
    use super::*;

    fn kept(words: &str, part: Part) -> PartReport {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let options = HdparmOptions::parse(&words).unwrap();
        let reading = RawReading {
            read: timed_read(part, options.direct, options.offset),
            bytes: Bytes::mib(300),
            elapsed: Nanos::secs(3),
            cached_before: Some(Bytes::ZERO),
            device_share: Some(Percent::from_fraction(0.5)),
        };
        report(&options.devices[0], &reading, &options, 7)
    }

    #[test]
    fn a_reading_is_a_throughput_that_the_device_must_deliver() {
        let run = kept("-t --direct /dev/sdx", Part::Disk);
        assert_eq!((run.cell.as_str(), run.workload.seed()), ("-t", Some(7)));
        assert_eq!(
            run.measurement.bytes_per_second_of_jobs(),
            Bytes::mib(100).as_f64()
        );
        assert_eq!(run.measurement.operations(), 150);
        assert_eq!(run.measurement.reads.bytes, Bytes::mib(300));
        assert_eq!(run.measurement.direct, Some(true));
        let task = run.workload.task().unwrap().clone();
        assert_eq!(task.figure, TaskFigure::Throughput);
        let shown = |name: &str| task.parameters.get(name).map(ToString::to_string);
        assert_eq!(
            (shown("direct"), shown("device")),
            (Some("yes".to_owned()), None)
        );
    }

    #[test]
    fn several_devices_are_told_apart_and_memory_is_no_device() {
        let run = kept("-T /dev/sdx /dev/sdy", Part::Cache);
        assert_eq!(run.cell, "-T /dev/sdx");
        assert_eq!(run.measurement.reads.bytes, Bytes::ZERO);
    }
}
