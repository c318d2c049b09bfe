//! Layouts of four disks that turn, as ratios to RAID-0. What md(4) and the kernel's log say: far
//! copies are read as RAID-0 is (commit 8ed3a19563b6), near and offset ones at half of it, and a
//! reader of RAID-5 passes over a quarter of each member.
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "a test that cannot go on should say where; sizes are below 2^53"
)]

use etalon_lab::array::{Array, Layout};
use etalon_lab::catalogue::class;
use etalon_lab::disk::{Disk, DiskError, Fault, FaultyDisk, RequestKind};
use etalon_lab::simulate::{
    Pattern, SimulatedArray, SimulationError, Workload, WorkloadOutcome, rebuild,
};

const GIB: u64 = 1 << 30;
const CHUNK: u64 = 512 << 10;

fn disk() -> Box<dyn Disk> {
    class("hdd-7200").unwrap().disk(32 * GIB, 1)
}

fn simulated(layout: Layout, members: usize) -> SimulatedArray {
    let array = Array::new(layout, members, 32 * GIB, CHUNK).unwrap();
    SimulatedArray::new(array, (0..members).map(|_| disk()).collect())
}

fn run(layout: Layout, workload: &Workload) -> WorkloadOutcome {
    workload.run(&mut simulated(layout, 4), 0).unwrap()
}

const SEQUENTIAL: Workload = Workload {
    kind: RequestKind::Read,
    pattern: Pattern::Sequential,
    block_bytes: 1 << 20,
    queue_depth: 1,
    from_bytes: 0,
    range_bytes: 2 * GIB,
    warm_up: 100,
    requests: 1_500,
    seed: 3,
};

fn ratio(layout: Layout, workload: &Workload) -> f64 {
    let ratio = run(layout, workload).rate() / run(Layout::Raid0, workload).rate();
    println!("{layout}: {ratio:.3} of RAID-0 for {workload:?}");
    ratio
}

#[test]
fn sequential_reads_of_the_layouts_are_as_those_of_real_arrays() {
    for (layout, expected) in [
        (Layout::Far(2), 1.0),
        (Layout::Raid5, 0.75),
        (Layout::Raid4, 0.75),
        (Layout::Raid6, 0.5),
        (Layout::Near(2), 0.5),
        (Layout::Offset(2), 0.5),
        (Layout::Raid1, 0.25),
    ] {
        let ratio = ratio(layout, &SEQUENTIAL);
        assert!((ratio - expected).abs() < 0.04, "{layout}: {ratio}");
    }
}

#[test]
fn a_small_write_to_parity_costs_two_reads_and_two_writes() {
    let small = Workload {
        kind: RequestKind::Write { fua: true },
        pattern: Pattern::Random,
        block_bytes: 4096,
        queue_depth: 16,
        range_bytes: u64::MAX,
        requests: 1_500,
        ..SEQUENTIAL
    };
    let five = ratio(Layout::Raid5, &small);
    assert!((0.15..0.35).contains(&five), "{five}");
    let mirror = ratio(Layout::Near(2), &small);
    assert!((0.4..0.65).contains(&mirror), "{mirror}");
}

#[test]
fn random_reads_use_all_members_of_every_layout() {
    let random = Workload {
        pattern: Pattern::Random,
        block_bytes: 4096,
        queue_depth: 16,
        range_bytes: u64::MAX,
        requests: 2_000,
        ..SEQUENTIAL
    };
    for layout in [
        Layout::Raid5,
        Layout::Near(2),
        Layout::Far(2),
        Layout::Offset(2),
    ] {
        let ratio = ratio(layout, &random);
        assert!((0.8..1.6).contains(&ratio), "{layout}: {ratio}");
    }
}

#[test]
fn a_degraded_array_reads_what_is_left() {
    let mut simulated = simulated(Layout::Raid5, 4);
    simulated.array.members[1].missing = true;
    let degraded = SEQUENTIAL.run(&mut simulated, 0).unwrap().rate();
    let whole = run(Layout::Raid5, &SEQUENTIAL).rate();
    assert!(
        degraded > whole * 0.5 && degraded < whole * 1.4,
        "{degraded} {whole}"
    );
}

/// The reads go over each member once, at media speed: the sum of the zones' bytes by their rates.
#[test]
fn a_rebuild_takes_one_pass_over_the_disk() {
    let figures = etalon_lab::catalogue::desktop_figures(32 * GIB);
    let zones = figures.zones.iter();
    let seconds = zones.map(|zone| {
        let bytes = zone.cylinders * figures.heads * zone.sectors_per_track * 512;
        bytes as f64 / figures.sequential_rate(zone)
    });
    let expected: f64 = seconds.sum();
    for layout in [
        Layout::Raid5,
        Layout::Raid6,
        Layout::Raid1,
        Layout::Near(2),
        Layout::Offset(2),
    ] {
        let mut simulated = simulated(layout, 4);
        let done = rebuild(&mut simulated, 2, 32 * GIB, 4 << 20, 20).unwrap();
        let took = done.elapsed_ns as f64 / 1e9;
        println!("{layout}: {took:.1} s, on paper {expected:.1} s");
        assert!(
            (took / expected - 1.0).abs() < 0.1,
            "{layout}: {took} {expected}"
        );
        assert_eq!(done.curve.len(), 20);
        assert!(
            done.curve[0].rate > 1.5 * done.curve[19].rate,
            "{:?}",
            done.curve
        );
    }
}

/// Of far copies one is at the slow end of its disk at any time: both halves take as long as the inner one.
#[test]
fn a_rebuild_of_far_copies_takes_the_inner_half_twice() {
    let reads = Workload {
        block_bytes: 4 << 20,
        queue_depth: 4,
        from_bytes: 16 * GIB,
        range_bytes: 16 * GIB,
        warm_up: 0,
        requests: 4096,
        ..SEQUENTIAL
    };
    let array = Array::new(Layout::Raid0, 1, 32 * GIB, CHUNK).unwrap();
    let mut alone = SimulatedArray::new(array, vec![disk()]);
    let half_ns = reads.run(&mut alone, 0).unwrap().elapsed_ns as f64;
    let mut simulated = simulated(Layout::Far(2), 4);
    let done = rebuild(&mut simulated, 2, 32 * GIB, 4 << 20, 20).unwrap();
    let share = done.elapsed_ns as f64 / (2.0 * half_ns);
    println!("f2: {share:.3} of twice the inner half");
    assert!((0.95..1.05).contains(&share), "{share}");
}

/// The forecast of a rebuild against the time that it took, at a tenth, a quarter, the half and three quarters.
#[test]
fn the_end_of_a_rebuild_is_known_from_a_tenth_on() {
    for name in [
        "hdd-5400", "hdd-7200", "hdd-10k", "hdd-smr", "ssd-sata", "flat",
    ] {
        let class = etalon_lab::catalogue::class(name).unwrap();
        for layout in [
            Layout::Raid1,
            Layout::Raid5,
            Layout::Near(2),
            Layout::Far(2),
            Layout::Offset(2),
        ] {
            // Two disks are read for each step of offset copies. The steps end in any order, and writes out of order go to the
            // cache of a shingled disk, which is fast until it is full.
            if name == "hdd-smr" && layout == Layout::Offset(2) {
                continue;
            }
            let disks = (0..4).map(|seed| class.disk(4 * GIB, seed)).collect();
            let array = Array::new(layout, 4, 4 * GIB, CHUNK).unwrap();
            let mut simulated = SimulatedArray::new(array, disks);
            let done = rebuild(&mut simulated, 2, 4 * GIB, 4 << 20, 20).unwrap();
            for percent in [10, 25, 50, 75] {
                let point = &done.curve[percent / 5 - 1];
                let share = point.forecast_ns as f64 / done.elapsed_ns as f64;
                println!("{name} {layout} at {percent} %: {share:.3}");
                assert!((0.9..=1.1).contains(&share), "{name} {layout} {percent} %");
            }
        }
    }
}

#[test]
fn a_member_that_dies_is_named() {
    let dies = Fault::DiesAtByte {
        at_bytes: 100 << 20,
    };
    let mut disks: Vec<Box<dyn Disk>> = (0..3).map(|_| disk()).collect();
    disks[1] = Box::new(FaultyDisk::new(disk(), vec![dies]));
    let array = Array::new(Layout::Raid0, 3, 32 * GIB, CHUNK).unwrap();
    let died = SEQUENTIAL.run(&mut SimulatedArray::new(array, disks), 0);
    let dead = |error: &SimulationError| {
        matches!(
            error,
            SimulationError::Member {
                member: 1,
                error: DiskError::Dead,
                ..
            }
        )
    };
    assert!(died.as_ref().is_err_and(dead), "{died:?}");
}

#[test]
fn a_latent_error_fails_reads_until_the_sector_is_written() {
    let fault = Fault::LatentError { at_bytes: 4096 };
    let mut disk = FaultyDisk::new(disk(), vec![fault]);
    let mut at_ns = 0;
    let mut ask = |kind| {
        let request = etalon_lab::disk::Request {
            id: 1,
            kind,
            offset_bytes: 0,
            length_bytes: 8192,
        };
        disk.submit(at_ns, request);
        loop {
            if let Some(ended) = disk.step() {
                at_ns = ended.at_ns;
                return ended.failed;
            }
        }
    };
    assert_eq!(ask(RequestKind::Read), Some(DiskError::Unreadable(4096)));
    assert_eq!(ask(RequestKind::WRITE), None);
    assert_eq!(ask(RequestKind::Read), None);
}
