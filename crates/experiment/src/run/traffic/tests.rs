use super::*;
use etalon_model::{Backend, IoWorkload, Measurement, OpTotals, Operation};
use etalon_units::{Bytes, Nanos};

fn totals(mib: u64) -> OpTotals {
    OpTotals {
        bytes: Bytes::mib(mib),
        ..OpTotals::default()
    }
}

fn moved(devices: &[&str], read: u64, written: u64) -> DeviceTraffic {
    DeviceTraffic {
        devices: devices.iter().map(|&name| name.to_owned()).collect(),
        read_bytes: Bytes::mib(read),
        written_bytes: Bytes::mib(written),
        read_requests: read * 2,
        write_requests: written * 2,
        flushes: Some(3),
    }
}

/// A run that read and wrote so much, and saw its devices move this.
fn run(read: u64, written: u64, device: DeviceTraffic, leaves: Option<DeviceTraffic>) -> Run {
    let workload = IoWorkload {
        operation: Operation::Read,
        ..IoWorkload::default()
    };
    let measurement = Measurement {
        backend: Some(Backend::Sync),
        direct: Some(true),
        reads: totals(read),
        writes: totals(written),
        bytes_with_warm_up: Bytes::mib(read + written),
        ..Measurement::of_nothing(Nanos::secs(1))
    };
    Run {
        device: Some(device),
        leaves,
        ..Run::of("", workload, measurement)
    }
}

#[test]
fn two_readers_and_a_writer_of_one_disk_part_its_traffic() {
    let disk = || moved(&["sda"], 40, 12);
    let mut runs = [
        run(30, 0, disk(), None),
        run(10, 0, disk(), None),
        run(0, 6, disk(), None),
    ];
    apportion(&mut runs);
    let parts = runs.map(|run| run.device.unwrap());
    assert_eq!(
        parts,
        [
            moved(&["sda"], 30, 0),
            moved(&["sda"], 10, 0),
            moved(&["sda"], 0, 12)
        ]
    );
}

#[test]
fn what_nobody_asked_for_falls_on_all() {
    let disk = || moved(&["sda"], 40, 4);
    let mut runs = [run(30, 0, disk(), None), run(10, 0, disk(), None)];
    apportion(&mut runs);
    let written = runs.map(|run| run.device.unwrap().written_bytes);
    assert_eq!(written, [Bytes::mib(3), Bytes::mib(1)]);
}

#[test]
fn devices_of_ones_own_stay_whole() {
    let below = || moved(&["sdb"], 40, 0);
    let mut runs = [
        run(30, 0, moved(&["dm-0"], 30, 1), Some(below())),
        run(10, 0, moved(&["sdb"], 40, 0), None),
        run(8, 0, moved(&["sdc"], 9, 2), None),
    ];
    apportion(&mut runs);
    assert_eq!(runs[0].device, Some(moved(&["dm-0"], 30, 1)));
    assert_eq!(runs[0].leaves, Some(moved(&["sdb"], 30, 0)));
    assert_eq!(runs[1].device, Some(moved(&["sdb"], 10, 0)));
    assert_eq!(runs[2].device, Some(moved(&["sdc"], 9, 2)));
}
