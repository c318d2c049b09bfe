//! A reading as a record for whoever keeps runs.

use std::time::SystemTime;

use std::collections::BTreeMap;

use etalon_model::{DeviceTraffic, Run, TaskFigure, TaskWorkload};
use etalon_units::Bytes;

use super::{DeviceReading, HdparmOptions};
use crate::keeper::{ToolRun, by_one_job, named, yes};
use etalon_workload::raw_read::{BLOCK, Part};

/// The record of a reading that has just ended; the cell bears the device's name only where several
/// devices are read.
pub(super) fn run(reading: &DeviceReading, options: &HdparmOptions, seed: u64) -> Run {
    let of = &reading.reading;
    let step = match of.read.part {
        Part::Cache => "-T",
        Part::Disk => "-t",
    };
    let device = reading.device.display();
    let (cell, device) = match options.devices.len() {
        1 => (step.to_owned(), String::new()),
        _ => (format!("{step} {device}"), device.to_string()),
    };
    let mut measurement = by_one_job(of.bytes.get() / BLOCK.get(), of.bytes, of.elapsed);
    measurement.direct = of.read.direct;
    measurement.reads.operations = measurement.jobs[0].operations;
    measurement.reads.bytes = of.bytes;
    let mut run = ToolRun {
        cell,
        workload: workload(
            step,
            seed,
            named([
                ("device", device),
                ("direct", yes(of.read.direct)),
                ("offset", of.read.offset.to_string()),
            ]),
        ),
        block: reading.run,
        ended: SystemTime::now(),
        measurement,
    }
    .record();
    run.device = of
        .device_share
        .filter(|_| of.read.part == Part::Disk)
        .map(|share| {
            let name = reading.device.file_name().unwrap_or_default();
            DeviceTraffic {
                devices: vec![name.to_string_lossy().into_owned()],
                read_bytes: Bytes((of.bytes.as_f64() * share.fraction()) as u64),
                ..DeviceTraffic::default()
            }
        });
    run
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

    use etalon_units::{Nanos, Percent};

    use super::*;
    use etalon_workload::raw_read::{RawRead, RawReading};

    fn kept(words: &str, part: Part) -> Run {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let options = HdparmOptions::parse(&words).unwrap();
        let reading = DeviceReading {
            device: options.devices[0].clone(),
            run: 4,
            reading: RawReading {
                read: RawRead::new(part, options.direct, options.offset),
                bytes: Bytes::mib(300),
                elapsed: Nanos::secs(3),
                cached_before: Some(Bytes::ZERO),
                device_share: Some(Percent::from_fraction(0.5)),
            },
        };
        run(&reading, &options, 7)
    }

    #[test]
    fn a_reading_is_a_throughput_with_what_the_device_delivered() {
        let run = kept("-t --direct /dev/sdx", Part::Disk);
        assert_eq!(
            (run.cell.as_str(), run.block, run.workload.seed()),
            ("-t", 4, Some(7))
        );
        assert_eq!(
            run.measurement.bytes_per_second_of_jobs(),
            Bytes::mib(100).as_f64()
        );
        assert_eq!(run.measurement.operations(), 150);
        assert_eq!(run.device_read_share(), Some(0.5));
        let task = run.workload.task().unwrap().clone();
        assert_eq!(task.figure, TaskFigure::Throughput);
        let shown = |name: &str| task.parameters.get(name).map(ToString::to_string);
        assert_eq!(
            (shown("direct"), shown("device")),
            (Some("yes".to_owned()), None)
        );
    }

    #[test]
    fn several_devices_are_told_apart_and_memory_has_no_device() {
        let run = kept("-T /dev/sdx /dev/sdy", Part::Cache);
        assert_eq!(run.cell, "-T /dev/sdx");
        assert_eq!(run.device, None);
    }
}
