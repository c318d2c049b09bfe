//! Sessions of the default minute on devices whose speed is known, with a simulated clock: how often the
//! interval of each row holds the truth.

use etalon_engine::{Control, Plan, TargetPlace, prepare, run};
use etalon_model::{Backend, FakeDevice, FakeKind, IoWorkload, Measurement};
use etalon_stats::{Estimate, MIN_RUNS_LAB, Sample};
use etalon_units::{ByteRate, Bytes, Nanos};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::groups::{Group, Means, STREAM_DEPTH, groups, importance};
use super::length::{floor_of, shorten, shrinks};
use super::pace::{Open, Pace};
use super::sizing::{Sizes, SizingInputs, choose};

const SESSIONS: u64 = 200;
/// How far the device's speed varies from run to run: each row's truth is its middle.
const NOISE: f64 = 0.03;
/// Of a whole run, beside its timed part.
const BESIDE: f64 = 0.05;
/// What the minute has for the rows that are modelled.
const BUDGET: f64 = 45.0;
/// Rate of the medium: 110 MB/s are 104.9 MiB/s.
const MEDIUM: u64 = 110_000_000;

/// A disk that turns, of 3 GB, which reads 4 MiB ahead.
fn disk() -> FakeDevice {
    FakeDevice {
        service: Nanos::millis(9),
        kind: FakeKind::Disk {
            bytes_per_second: MEDIUM,
            read_ahead_bytes: Bytes::mib(4),
            size_bytes: Bytes(3_000_000_000),
        },
        ..FakeDevice::default()
    }
}

/// A cache of sixteen writes before a device that takes a hundred a second.
fn cached() -> FakeDevice {
    FakeDevice {
        service: Nanos::millis(10),
        kind: FakeKind::WriteCache { requests: 16 },
        ..FakeDevice::default()
    }
}

/// The same device at `speed` times its speed.
fn at_speed(device: FakeDevice, speed: f64) -> FakeDevice {
    let service = Nanos((device.service.get() as f64 / speed) as u64);
    let kind = match device.kind {
        FakeKind::Disk {
            bytes_per_second,
            read_ahead_bytes,
            size_bytes,
        } => FakeKind::Disk {
            bytes_per_second: (bytes_per_second as f64 * speed) as u64,
            read_ahead_bytes,
            size_bytes,
        },
        other => other,
    };
    FakeDevice {
        service,
        kind,
        ..device
    }
}

fn sizes() -> Sizes {
    let inputs = SizingInputs {
        usable: Bytes::gib(100),
        memory: Bytes::gib(16),
        in_memory: false,
        takes_memory: false,
        direct: true,
        // Random rows go over the whole disk, and streams begin anywhere on it.
        device: Some(Bytes(3_000_000_000).round_down(Bytes::mib(1))),
        write_rate: ByteRate(110e6),
        budget: Nanos::secs(60),
        precision: None,
        file_size: None,
        runs_per_block: 7.0,
        needed_blocks: 1,
    };
    choose(&inputs).unwrap()
}

fn rows() -> Vec<Group> {
    let means = Means {
        direct: true,
        io_uring: true,
        writable: true,
        third_file: true,
        stream_depth: STREAM_DEPTH,
        files: Some(1000),
        durable_files: None,
    };
    let all = groups(&sizes(), &means, 1).unwrap();
    all.into_iter()
        .filter(|group| group.step().is_some())
        .collect()
}

fn workload(group: &Group) -> IoWorkload {
    let step = group.step().unwrap();
    let device = match step.workload.operation.writes() {
        true => cached(),
        false => disk(),
    };
    let mut workload = IoWorkload {
        backend: Backend::Fake,
        fake: device,
        ..step.workload.clone()
    };
    if workload.operation.writes() {
        // The cache counts writes of any size, and small ones are made in less time.
        workload.block_size = Bytes::kib(4).into();
    }
    workload
}

fn measured(workload: &IoWorkload) -> Measurement {
    let place = TargetPlace::Directory("/nowhere".into());
    let plan = Plan::resolve(workload, &place).unwrap();
    let prepared = prepare(&plan, &Control::default()).unwrap();
    run(&prepared, &Control::default()).unwrap()
}

/// Operations a second.
fn rate(m: &Measurement) -> f64 {
    m.operations() as f64 / m.duration.as_secs_f64()
}

/// What the device does where nothing varies, over ten minutes, or by what is known of it.
fn truth(workload: &IoWorkload) -> f64 {
    let block = workload.block_size.largest().as_f64();
    match workload.fake.kind {
        FakeKind::Disk { .. } if block >= Bytes::mib(1).as_f64() => MEDIUM as f64 / block,
        FakeKind::WriteCache { .. } => 100.0,
        _ => rate(&measured(&IoWorkload {
            end: etalon_model::End::Time(Nanos::secs(600)),
            ..workload.clone()
        })),
    }
}

fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// The figures of each row in one session.
fn session(rows: &[Group], seed: u64) -> Vec<Vec<f64>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let ranks = rows
        .iter()
        .enumerate()
        .map(|(at, row)| (importance(at), floor_of(row)));
    let mut pace = Pace::new(ranks, 8);
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
    let (mut spent, mut took) = (0.0, 0.0);
    loop {
        let open: Vec<Open> = values
            .iter()
            .enumerate()
            .map(|(row, values)| Open {
                row,
                usable: values.len(),
            })
            .collect();
        let left = Nanos::from_secs_f64((BUDGET - spent).max(0.0));
        let next = pace.next_block(&open, Nanos::from_secs_f64(took), left);
        if next.is_empty() {
            return values;
        }
        took = 0.0;
        for row in next {
            let mut workload = workload(&rows[row]);
            shorten(&mut workload, pace.scale(row));
            workload.seed = rng.random();
            let speed = (NOISE * normal(&mut rng)).exp();
            workload.fake = at_speed(workload.fake, speed);
            let m = measured(&workload);
            let elapsed = m.duration.as_secs_f64() + workload.warm_up.as_secs_f64();
            let whole = Nanos::from_secs_f64(elapsed + BESIDE);
            let elapsed = Nanos::from_secs_f64(elapsed);
            pace.passed(row, whole, shrinks(&workload, elapsed));
            took += whole.as_secs_f64();
            values[row].push(rate(&m));
        }
        spent += took;
    }
}

/// How many of the sessions have an interval around the truth of each row, one seed in so many from the first.
fn held(rows: &[Group], truths: &[f64], first: u64, step: usize) -> Vec<u32> {
    let mut held = vec![0; rows.len()];
    for seed in (first..SESSIONS).step_by(step) {
        for (row, values) in session(rows, 1000 + seed).into_iter().enumerate() {
            assert!(values.len() >= MIN_RUNS_LAB, "{row}: {} runs", values.len());
            let estimate = Estimate::of_runs(&Sample::new(values).unwrap());
            held[row] += u32::from(estimate.interval.unwrap().contains(truths[row]));
        }
    }
    held
}

/// Of all sessions, each of which has its seed, on all processors.
fn held_in_all(rows: &[Group], truths: &[f64]) -> Vec<u32> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Vec<u32>> = std::thread::scope(|scope| {
        let part = |first| scope.spawn(move || held(rows, truths, first as u64, threads));
        let parts: Vec<_> = (0..threads).map(part).collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    });
    let of_row = |row| parts.iter().map(|part| part[row]).sum();
    (0..rows.len()).map(of_row).collect()
}

#[test]
fn the_intervals_of_the_default_minute_hold_the_truth() {
    let rows = rows();
    let truths: Vec<f64> = rows.iter().map(|row| truth(&workload(row))).collect();
    let held = held_in_all(&rows, &truths);
    for ((row, held), truth) in rows.iter().zip(held).zip(truths) {
        let share = f64::from(held) / SESSIONS as f64;
        let name = &row.step().unwrap().name;
        println!("{name}: {share:.3} of the intervals hold {truth:.2} a second");
        assert!((0.93..=0.99).contains(&share), "{name}: {share}");
    }
}
