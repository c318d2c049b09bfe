use super::*;
use crate::tree::Stack;
use std::path::Path;

fn quick() -> MonitorOptions {
    MonitorOptions {
        disks_every: Nanos::millis(10),
        machine_every: Nanos::millis(20),
        processes: true,
    }
}

#[test]
fn a_monitor_records_and_stops() {
    let roots = Roots::default();
    let tree = Stack::of(Path::new("."), &roots).unwrap();
    let monitor = Monitor::start(&tree, &roots, quick()).unwrap();
    while monitor.latest().is_none_or(|sample| sample.cpu.is_none()) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let recording = monitor.stop();
    let sample = recording.samples.last().unwrap();
    assert!(
        sample
            .memory
            .is_some_and(|memory| memory.available.get() > 0)
    );
    assert!(recording.ticks.len() >= recording.samples.len());
    let disks = tree.layers().len();
    assert!(
        recording
            .ticks
            .iter()
            .all(|tick| tick.disks.len() == disks && tick.span > Nanos::ZERO)
    );
    assert!(recording.cost.wall > Nanos::ZERO && recording.cost.cpu > Nanos::ZERO);
}

#[test]
fn a_machine_without_files_gives_empty_samples() {
    let empty = tempfile::tempdir().unwrap();
    let roots = Roots::default();
    let tree = Stack::of(Path::new("."), &roots).unwrap();
    let blind = Monitor::start(&tree, &Roots::under(empty.path()), quick()).unwrap();
    let recording = blind.stop();
    let sample = recording.samples.last().unwrap();
    assert_eq!(
        (sample.cpu, sample.memory, sample.pressure),
        (None, None, None)
    );
    assert!(sample.disks.iter().all(|disk| disk.delta.is_none()));
}

#[test]
fn a_full_recording_counts_what_it_drops() {
    let mut cost = MonitorCost::default();
    let mut records = vec![0; MOST_TICKS];
    push_bounded(&mut records, 1, &mut cost);
    assert_eq!((records.len(), cost.dropped), (MOST_TICKS, 1));
}

#[test]
fn dropping_a_monitor_stops_its_thread() {
    let roots = Roots::default();
    let tree = Stack::of(Path::new("."), &roots).unwrap();
    let monitor = Monitor::start(&tree, &roots, quick()).unwrap();
    let latest = Arc::downgrade(&monitor.latest);
    drop(monitor);
    assert!(latest.upgrade().is_none());
}
