//! Models against what can be computed on paper. `docs/lab.md` has the table.
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "a test that cannot go on should say where; sizes and times are below 2^53"
)]

use etalon_lab::array::{Array, Layout};
use etalon_lab::catalogue::{
    ASSUMED, CLASSES, Class, SourcedFigure, class, desktop_figures, laptop_figures, server_figures,
    shingled_figures,
};
use etalon_lab::disk::hdd::{Discipline, Hdd, HddFigures, RecordingZone};
use etalon_lab::disk::ssd::{Ssd, SsdFigures};
use etalon_lab::disk::{Disk, Request, RequestKind};
use etalon_lab::simulate::{Pattern, SimulatedArray, Workload, WorkloadOutcome};

const GIB: u64 = 1 << 30;

fn classes() -> [(&'static str, HddFigures); 4] {
    [
        ("hdd-7200", desktop_figures(64 * GIB)),
        ("hdd-5400", laptop_figures(64 * GIB)),
        ("hdd-10k", server_figures(64 * GIB)),
        ("hdd-smr", shingled_figures(64 * GIB)),
    ]
}

fn alone(disk: Box<dyn Disk>) -> SimulatedArray {
    let array = Array::new(Layout::Raid0, 1, disk.bytes(), 1 << 20).unwrap();
    SimulatedArray::new(array, vec![disk])
}

fn on_hdd(figures: &HddFigures, workload: &Workload) -> WorkloadOutcome {
    let mut simulated = alone(Box::new(Hdd::new(figures.clone())));
    workload.run(&mut simulated, 0).unwrap()
}

fn workload(kind: RequestKind, pattern: Pattern, block_bytes: u64) -> Workload {
    Workload {
        kind,
        pattern,
        block_bytes,
        queue_depth: 1,
        from_bytes: 0,
        range_bytes: u64::MAX,
        warm_up: 0,
        requests: 0,
        seed: 7,
    }
}

fn close(what: &str, measured: f64, expected: f64, share: f64) {
    let off = measured / expected - 1.0;
    println!(
        "{what}: {measured:.4e}, on paper {expected:.4e}, {:+.2} %",
        off * 100.0
    );
    assert!(
        off.abs() <= share,
        "{what}: {measured} instead of {expected}"
    );
}

#[test]
fn each_zone_has_its_sequential_rate() {
    for (name, figures) in classes() {
        let mut first = 0_u64;
        for (number, zone) in figures.zones.iter().enumerate() {
            let bytes = zone.cylinders * figures.heads * zone.sectors_per_track * 512;
            for kind in [RequestKind::Read, RequestKind::WRITE] {
                let sequential = Workload {
                    from_bytes: first.div_ceil(1 << 20) << 20,
                    range_bytes: bytes - (2 << 20),
                    warm_up: 200,
                    requests: 1_000,
                    ..workload(kind, Pattern::Sequential, 1 << 20)
                };
                let rate = on_hdd(&figures, &sequential).rate();
                let what = format!("{name} zone {number} {kind:?}");
                close(&what, rate, figures.sequential_rate(zone), 0.01);
            }
            first += bytes;
        }
    }
}

/// Bytes per second in order, at a depth at which delays pass beside the bytes of other requests.
fn sequential_rate(class: &Class, kind: RequestKind) -> f64 {
    let sequential = Workload {
        queue_depth: 16,
        warm_up: 400,
        requests: 2_000,
        ..workload(kind, Pattern::Sequential, 1 << 20)
    };
    let mut simulated = alone(class.disk(64 * GIB, 1));
    sequential.run(&mut simulated, 0).unwrap().rate()
}

/// What is read or written in order at this rate, after a source.
fn cited_rate(figure: &SourcedFigure) -> Option<(RequestKind, f64)> {
    let kind = match figure.name {
        "rate" | "read rate" | "outer rate" => RequestKind::Read,
        "write rate" => RequestKind::WRITE,
        _ => return None,
    };
    let megabytes: f64 = figure.value.strip_suffix(" MB/s")?.parse().unwrap();
    (figure.source != ASSUMED).then_some((kind, megabytes * 1e6))
}

#[test]
fn a_class_has_the_sequential_rates_that_its_sources_give() {
    let mut cited = Vec::new();
    for class in CLASSES {
        for (kind, rate) in class.figures.iter().filter_map(cited_rate) {
            let what = format!("{} {kind:?}", class.name);
            close(&what, sequential_rate(class, kind), rate, 0.01);
            cited.push(class.name);
        }
    }
    assert_eq!(cited, ["hdd-7200", "hdd-10k", "hdd-smr", "sd", "network"]);
}

/// The disk with the same number of cylinders in one zone, for which the mean seek has a closed form.
fn one_zone(figures: &HddFigures) -> HddFigures {
    let cylinders = figures.zones.iter().map(|zone| zone.cylinders).sum();
    let sectors_per_track = figures.zones[8].sectors_per_track;
    let zones = vec![RecordingZone {
        cylinders,
        sectors_per_track,
    }];
    HddFigures {
        zones,
        ..figures.clone()
    }
}

/// Two places at random are u cylinders of N apart with the density 2(1 - u): the integral of the
/// curve a + b*sqrt(uN) up to t, and of c + e*uN from there.
fn mean_seek_ns(figures: &HddFigures) -> f64 {
    let n = figures.zones[0].cylinders as f64;
    let curve = figures.seek;
    let t = curve.long_from as f64 / n;
    let short = curve.short_ns * (2.0 * t - t * t);
    let root = curve.root_ns * n.sqrt() * (4.0 / 3.0 * t.powf(1.5) - 0.8 * t.powf(2.5));
    let long = curve.long_ns * (1.0 - t).powi(2);
    let line = curve.cylinder_ns * n * (1.0 / 3.0 - t * t + 2.0 / 3.0 * t.powi(3));
    short + root + long + line
}

#[test]
fn a_random_read_is_a_seek_and_half_a_turn_and_the_transfer() {
    for (name, figures) in classes() {
        let figures = one_zone(&figures);
        let random = Workload {
            requests: 20_000,
            ..workload(RequestKind::Read, Pattern::Random, 4096)
        };
        let turn = figures.turn_ns() as f64;
        let track = (figures.zones[0].sectors_per_track * 512) as f64;
        let transfer = 4096.0 / track * turn;
        let expected = figures.command_ns as f64 + mean_seek_ns(&figures) + turn / 2.0 + transfer;
        let mean = on_hdd(&figures, &random).mean_ns;
        close(&format!("{name} random read, ns"), mean, expected, 0.02);
    }
}

/// Worthington, Ganger and Patt, "Scheduling algorithms for modern disk drives" (SIGMETRICS 1994):
/// the shortest positioning time first beats all orders that only know the seek, and first come
/// first served by a factor of two and more under load.
#[test]
fn a_queue_by_position_gains_with_its_depth_and_one_in_order_does_not() {
    let mut figures = desktop_figures(64 * GIB);
    let iops = |figures: &HddFigures, queue_depth| {
        let random = Workload {
            queue_depth,
            warm_up: 100,
            requests: 6_000,
            ..workload(RequestKind::Read, Pattern::Random, 4096)
        };
        on_hdd(figures, &random).iops()
    };
    let depths = [1, 2, 4, 8, 16, 32];
    let gains: Vec<f64> = depths.map(|depth| iops(&figures, depth)).into();
    println!("NCQ by depth: {gains:.1?} IOPS");
    assert!(gains.is_sorted(), "{gains:?}");
    let gain = gains[5] / gains[0];
    assert!((2.0..4.0).contains(&gain), "{gain}");
    figures.discipline = Discipline::Fifo;
    close(
        "first come first served at 32",
        iops(&figures, 32),
        gains[0],
        0.03,
    );
}

/// A link, and dies of which each reads a page in 0.06 ms. A request of 1 MiB has its pages on all dies, and takes the link
/// when they are read; of random pages dies give no more than one each 0.06 ms, and so much only where none is ever idle.
#[test]
fn flash_reads_what_its_dies_give() {
    for (name, dies, command_ns, link) in [
        ("ssd-sata", 8.0, 20_000.0, 600e6),
        ("ssd-nvme", 32.0, 8_000.0, 3.5e9),
    ] {
        let read_ns = 60_000.0;
        let class = class(name).unwrap();
        let read = |pattern, block_bytes: u64, queue_depth| {
            let reads = Workload {
                queue_depth,
                warm_up: 1_000,
                requests: 400_000_000 / block_bytes,
                ..workload(RequestKind::Read, pattern, block_bytes)
            };
            let mut simulated = alone(class.disk(GIB, 1));
            reads.run(&mut simulated, 0).unwrap()
        };
        let across_ns = |bytes: f64| bytes * 1e9 / link;
        let first = read(Pattern::Random, 4096, 1).mean_ns;
        let alone_ns = command_ns + read_ns + across_ns(4096.0);
        close(&format!("{name} a page, ns"), first, alone_ns, 0.001);
        let mebibyte = (1_u64 << 20) as f64;
        let ordered = read(Pattern::Sequential, 1 << 20, 1).rate();
        let paper_ns = command_ns + 256.0 / dies * read_ns + across_ns(mebibyte);
        close(
            &format!("{name} in order"),
            ordered,
            mebibyte * 1e9 / paper_ns,
            0.001,
        );
        let most = dies * 1e9 / read_ns;
        let deep = read(Pattern::Random, 4096, 2_048).iops();
        close(&format!("{name} at depth 2048"), deep, most, 0.05);
        let usual = read(Pattern::Random, 4096, 16).iops();
        println!("{name} at depth 16: {usual:.0} IOPS");
        assert!(usual < most && usual < 16e9 / alone_ns, "{usual}");
    }
}

fn small_ssd(spare_percent: u64) -> SsdFigures {
    let bytes = 256 << 20;
    SsdFigures {
        bytes,
        spare_bytes: bytes / 100 * spare_percent,
        pages_per_block: 256,
        dies: 4,
        read_ns: 60_000,
        program_ns: 600_000,
        slc_program_ns: 200_000,
        program_bytes: 32 << 10,
        erase_ns: 1_500_000,
        slc_bytes: 0,
        fold_rate: 0,
        command_ns: 10_000,
        interface_rate: 600_000_000,
        buffer_bytes: 1 << 20,
    }
}

/// The principal branch of Lambert's function on (-1/e, 0), by Newton's method.
fn lambert(x: f64) -> f64 {
    let mut w = -0.5_f64;
    for _ in 0..200 {
        w -= (w * w.exp() - x) / (w.exp() * (1.0 + w));
    }
    w
}

/// Xiang and Kurkoski, "An improved analytical expression for write amplification in NAND flash"
/// (ICNC 2012): with a = flash by user pages, greedy collection of large blocks under uniform writes
/// has an amplification of a / (a + W(-a*exp(-a))).
#[test]
fn greedy_collection_amplifies_writes_as_its_closed_form() {
    for spare in [7, 15, 28] {
        let figures = small_ssd(spare);
        let mut ssd = Ssd::new(figures);
        let pages = figures.bytes / 4096;
        let mut at_ns = 0;
        let mut write = |ssd: &mut Ssd, count: u64, place: &mut dyn FnMut(u64) -> u64| {
            for number in 0..count {
                let offset_bytes = place(number) * 4096;
                let request = Request {
                    id: number,
                    kind: RequestKind::WRITE,
                    offset_bytes,
                    length_bytes: 4096,
                };
                ssd.submit(at_ns, request);
                at_ns = loop {
                    ssd.next_event_ns().unwrap();
                    if let Some(ended) = ssd.step() {
                        break ended.at_ns;
                    }
                };
            }
        };
        let mut state = 1_u64;
        let mut random = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % pages
        };
        write(&mut ssd, pages, &mut |number| number);
        assert!(
            (ssd.ftl().write_amplification() - 1.0).abs() < 1e-9,
            "fresh out of its box"
        );
        write(&mut ssd, 6 * pages, &mut random);
        ssd.forget_counts();
        write(&mut ssd, 4 * pages, &mut random);
        let a = ssd.ftl().overprovision_ratio();
        let expected = a / (a + lambert(-a * (-a).exp()));
        let what = format!("write amplification with {spare} % spare");
        close(&what, ssd.ftl().write_amplification(), expected, 0.04);
    }
}
