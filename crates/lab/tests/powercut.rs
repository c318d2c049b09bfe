//! Power cuts of bare disks on the virtual clock: what was promised by an honest disk is there, and whatever a
//! lying one has lost is found.

#![expect(
    clippy::unwrap_used,
    reason = "in a helper of a test, a failure is a failed test"
)]

use etalon_lab::catalogue::class;
use etalon_lab::disk::{Disk as _, Fault, FaultyDisk, Request, RequestKind};
use etalon_lab::powercut::{DeviceCuts, DeviceWriter, Durability, PowerCut};
use etalon_lab::serve::FlushPromise;

const CUTS: u64 = 200;

fn cuts(model: &str, promise: FlushPromise, durability: Durability) -> Vec<PowerCut> {
    let cuts = DeviceCuts::new(DeviceWriter {
        class: class(model).unwrap(),
        bytes: 256 << 20,
        promise,
        durability,
        records: 64,
        seed: 20_261_127,
    });
    let cuts = cuts.unwrap();
    (1..=CUTS).map(|number| cuts.cut(number).unwrap()).collect()
}

#[test]
fn an_honest_disk_loses_nothing_that_it_promised_in_200_cuts() {
    for model in ["hdd-7200", "ssd-sata", "sd"] {
        for durability in [Durability::Fsync, Durability::Dsync] {
            let made = cuts(model, FlushPromise::Kept, durability);
            for cut in &made {
                assert_eq!(cut.lost, [], "LOST: {model}, {durability:?}: {cut:?}");
            }
            // The cuts fall all over the time.
            let promised: Vec<u64> = made.iter().map(|cut| cut.promised).collect();
            assert!(
                promised.iter().any(|promised| *promised < 8),
                "{promised:?}"
            );
            assert!(
                promised.iter().any(|promised| *promised > 56),
                "{promised:?}"
            );
        }
    }
}

#[test]
fn a_lying_disk_is_caught_in_every_cut_that_lost_data() {
    for model in ["hdd-7200", "ssd-sata", "sd"] {
        for durability in [Durability::Fsync, Durability::Dsync] {
            let made = cuts(model, FlushPromise::Ignored, durability);
            let caught = made.iter().filter(|cut| !cut.lost.is_empty()).count();
            assert!(caught > 150, "{model}, {durability:?}: {caught}");
            for cut in &made {
                // What was under way was promised by nobody.
                let must_be_caught = cut.dropped_bytes > 4096;
                assert!(!must_be_caught || !cut.lost.is_empty(), "LOST: {cut:?}");
                assert!(cut.dropped_bytes > 0 || cut.lost.is_empty(), "{cut:?}");
            }
        }
    }
}

#[test]
fn what_nobody_made_durable_is_lost_by_an_honest_disk_as_well() {
    let made = cuts("hdd-7200", FlushPromise::Kept, Durability::None);
    assert!(made.iter().any(|cut| !cut.lost.is_empty()));
}

#[test]
fn a_seed_gives_the_same_cuts_in_any_order() {
    let once = cuts("ssd-sata", FlushPromise::Ignored, Durability::Fsync);
    assert_eq!(
        once,
        cuts("ssd-sata", FlushPromise::Ignored, Durability::Fsync)
    );
    let moments: std::collections::BTreeSet<u64> = once.iter().map(|cut| cut.at_ns).collect();
    assert_eq!(moments.len(), once.len());
}

/// When a request of this kind is answered after a cached write of 64 MiB.
fn answered_ns(faults: Vec<Fault>, kind: RequestKind) -> u64 {
    let mut disk = FaultyDisk::new(class("hdd-7200").unwrap().disk(1 << 30, 1), faults);
    let request = |id, kind, length_bytes| Request {
        id,
        kind,
        offset_bytes: 0,
        length_bytes,
    };
    let mut now_ns = 0;
    for (id, kind, bytes) in [(1, RequestKind::WRITE, 8 << 20), (2, kind, 4096)] {
        disk.submit(now_ns, request(id, kind, bytes));
        now_ns = loop {
            disk.next_event_ns().unwrap();
            if let Some(ended) = disk.step().filter(|ended| ended.id == id) {
                break ended.at_ns;
            }
        };
    }
    now_ns
}

#[test]
fn a_flush_that_is_ignored_takes_no_time() {
    for kind in [RequestKind::Flush, RequestKind::Write { fua: true }] {
        let honest = answered_ns(Vec::new(), kind);
        let lying = answered_ns(vec![Fault::IgnoresFlush], kind);
        assert!(honest > lying + 1_000_000, "{kind:?}: {honest}, {lying}");
    }
}
