//! What a session adds to a difference: figures that no device bounds are others in the next one.
//!
//! Where the pages of files, the slabs of names and the structures of a directory lie in memory is decided anew in each
//! session and stays as it is within it. So the runs of one session agree better with each other than with those of
//! another, and an interval from runs alone is too narrow between sessions.

use etalon_model::{DeviceTraffic, Run, Unit};
use etalon_stats::Design;
use etalon_units::Bytes;

use super::Arm;

/// How far figures of memory in operations or seconds lie apart between sessions of the same storage: the standard
/// deviation of their logarithms. The program `sessions` under `benches/`, whose README has its table, found 0 to 7 %.
const OF_OPERATIONS: f64 = 0.10;

/// The same of bytes per second, for which two processors and the kernel's workers share the way to memory: 2 to 60 %,
/// half of them below 19 %.
const OF_BYTES: f64 = 0.30;

/// What a figure of memory in this unit varies by from session to session of the same storage, as the standard
/// deviation of its logarithm.
pub fn session_spread(unit: Unit) -> f64 {
    match unit {
        Unit::BytesPerSecond => OF_BYTES,
        Unit::OperationsPerSecond | Unit::Seconds => OF_OPERATIONS,
    }
}

/// Of so small a share of the operations, and of their bytes, the devices' speed does not show in the figure.
const DEVICE_SHARE: f64 = 0.1;

/// How arms of several sessions were measured: with or without what a session adds.
pub(super) fn apart(arms: &[Arm<'_>]) -> Design {
    spread_between(arms).map_or(Design::Independent, |spread| Design::Sessions { spread })
}

/// What a session adds to the differences of these arms; `None` where they are of one session, or a device bounds them.
pub(crate) fn spread_between(arms: &[Arm<'_>]) -> Option<f64> {
    let is_one = arms.iter().all(|arm| arm.session == arms[0].session);
    let is_memory = arms
        .iter()
        .any(|arm| !arm.runs.is_empty() && arm.runs.iter().all(|run| is_at_memory_speed(run)));
    (!is_one && is_memory).then(|| session_spread(arms[0].cell.unit))
}

/// Whether memory and processor decide the figure: the data lies in memory, or the devices have next to nothing to do.
fn is_at_memory_speed(run: &Run) -> bool {
    // The modelled device takes the same time in every session.
    if run.measurement.is_without_storage() {
        return false;
    }
    let beneath = run.circumstances.beneath.as_ref();
    let in_memory = beneath.is_some_and(|beneath| !beneath.in_memory.is_empty());
    in_memory
        || run
            .device
            .as_ref()
            .is_some_and(|device| has_little_to_do(device, run))
}

/// One request may serve many operations, as readahead does: the bytes count too, where the operations have any.
fn has_little_to_do(device: &DeviceTraffic, run: &Run) -> bool {
    let m = &run.measurement;
    let requests = (device.read_requests + device.write_requests) as f64;
    let bytes = device.read_bytes.as_f64() + device.written_bytes.as_f64();
    let is_idle = requests <= DEVICE_SHARE * m.operations() as f64;
    is_idle && (m.bytes() == Bytes::ZERO || bytes <= DEVICE_SHARE * m.bytes().as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{read_run, task_run};
    use etalon_model::{BeneathFacts, TaskFigure};

    #[test]
    fn memory_is_what_lies_there_and_what_devices_have_no_part_in() {
        let mut run = read_run();
        run.measurement.reads.operations = 1000;
        run.measurement.reads.bytes = Bytes::mib(4);
        let mut with = |requests, mib, places: &[&str]| {
            let device = run.device.as_mut().unwrap();
            (device.read_requests, device.read_bytes) = (requests, Bytes::mib(mib));
            run.circumstances.beneath = Some(BeneathFacts {
                in_memory: places.iter().map(|&place| place.to_owned()).collect(),
                ..BeneathFacts::default()
            });
            is_at_memory_speed(&run)
        };
        assert!(with(100, 0, &[]) && !with(101, 0, &[]));
        // Readahead of 128 KiB for records of 4 KiB.
        assert!(!with(32, 4, &[]));
        assert!(with(1000, 4, &["tmpfs at /dev/shm"]));
        // Of a server's storage nothing is known here.
        run.circumstances.beneath = None;
        run.device = None;
        assert!(!is_at_memory_speed(&run));
    }

    #[test]
    fn names_have_no_bytes() {
        let mut run = task_run(TaskFigure::Rate);
        let mut with = |requests| {
            run.device = Some(DeviceTraffic {
                write_requests: requests,
                written_bytes: Bytes::mib(8),
                ..DeviceTraffic::default()
            });
            is_at_memory_speed(&run)
        };
        assert!(with(100) && !with(1000));
    }
}
