//! False alarms: a hundred honest sessions over ten configurations, and what is found of them.
//!
//! Nothing is wrong with any: the device has one speed, which varies by 3 % from run to run as disks do, a filesystem
//! commits some blocks of its journal, the hypervisor takes a tick now and then, the clock of the processors moves by a
//! per cent. Whatever is *warn* or *invalid* is an alarm without a fire. Seeds are fixed, so that the table of
//! `docs/checks.md` is that of each run of this test.

use std::collections::BTreeMap;

use etalon_judge::{Goal, judge_cell};
use etalon_model::{
    Arrival, Backend, BeneathFacts, Circumstances, DiskFacts, End, FakeDevice, FakeKind, FileFacts,
    Finding, FsyncPolicy, IoWorkload, MachineActivity, Operation, Run, Severity,
};
use etalon_units::{Bytes, Nanos, Percent};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::records::{judged, modelled};

const SESSIONS: u64 = 10;
/// The most that `quick` makes of a row in its minute, about.
const RUNS: usize = 8;
/// From run to run, on the scale of logarithms.
const NOISE: f64 = 0.03;
/// Ticks of two processors in a second.
const TICKS: u64 = 200;
/// The modelled disk.
const DISK: Bytes = Bytes::gib(100);

/// What is measured, and on which device.
struct Configuration {
    name: &'static str,
    turns: bool,
    workload: fn() -> IoWorkload,
}

const CONFIGURATIONS: [Configuration; 10] = [
    flash("random reads, flash", || of(Operation::RandRead, 2000, 1)),
    flash("random reads at depth 8, flash", || IoWorkload {
        queue_depth: 8,
        ..of(Operation::RandRead, 16_000, 8)
    }),
    flash("random writes, flash", || of(Operation::RandWrite, 2000, 1)),
    flash("random writes behind a cache", || IoWorkload {
        fake: FakeDevice {
            service: Nanos::millis(1),
            kind: FakeKind::WriteCache { requests: 16 },
            ..FakeDevice::default()
        },
        ..of(Operation::RandWrite, 4000, 1)
    }),
    flash("stream of writes, flash", || IoWorkload {
        block_size: Bytes::kib(64).into(),
        ..of(Operation::Write, 4000, 1)
    }),
    flash("four jobs of random reads", || IoWorkload {
        jobs: 4,
        ..of(Operation::RandRead, 8000, 4)
    }),
    flash("reads and writes, flash", || of(Operation::RandRw, 2000, 1)),
    flash("half of what the device can", || IoWorkload {
        arrival: Arrival::Poisson { rate: 250.0 },
        queue_depth: 32,
        ..of(Operation::RandRead, 2000, 1)
    }),
    Configuration {
        name: "random reads, disk that turns",
        turns: true,
        workload: || turning(Operation::RandRead, Bytes::kib(4)),
    },
    Configuration {
        name: "stream of reads, disk that turns",
        turns: true,
        workload: || turning(Operation::Read, Bytes::mib(1)),
    },
];

const fn flash(name: &'static str, workload: fn() -> IoWorkload) -> Configuration {
    Configuration {
        name,
        turns: false,
        workload,
    }
}

/// Four seconds and more, of which the course is looked at.
fn of(operation: Operation, micros: u64, servers: u32) -> IoWorkload {
    IoWorkload {
        operation,
        backend: Backend::Fake,
        direct: true,
        fsync: FsyncPolicy::End,
        file_size: Bytes::gib(64),
        end: End::Time(Nanos::secs(5)),
        fake: FakeDevice {
            service: Nanos::micros(micros),
            servers,
            ..FakeDevice::default()
        },
        ..IoWorkload::default()
    }
}

fn turning(operation: Operation, block_size: Bytes) -> IoWorkload {
    IoWorkload {
        block_size: block_size.into(),
        fake: FakeDevice {
            service: Nanos::millis(9),
            kind: FakeKind::Disk {
                bytes_per_second: 110_000_000,
                read_ahead_bytes: Bytes::mib(4),
                size_bytes: Bytes::gib(64),
            },
            ..FakeDevice::default()
        },
        ..of(operation, 9000, 1)
    }
}

/// The findings of weight on the cell of one session.
fn session(configuration: &Configuration, seed: u64) -> Vec<Finding> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let runs: Vec<Run> = (0..RUNS).map(|_| run(configuration, &mut rng)).collect();
    let all: Vec<&Run> = runs.iter().collect();
    let goal = Goal::new(None, 6, 30).unwrap();
    let found = judge_cell("a", &all, &goal).unwrap().findings;
    let of_weight = |finding: &Finding| finding.severity > Severity::Info;
    found.into_iter().filter(of_weight).collect()
}

fn run(configuration: &Configuration, rng: &mut Xoshiro256PlusPlus) -> Run {
    let mut workload = (configuration.workload)();
    workload.seed = rng.random();
    let speed = (NOISE * normal(rng)).exp();
    workload.fake.service = Nanos((workload.fake.service.get() as f64 / speed) as u64);
    if let FakeKind::Disk {
        bytes_per_second, ..
    } = &mut workload.fake.kind
    {
        *bytes_per_second = (*bytes_per_second as f64 * speed) as u64;
    }
    let mut run = modelled(workload);
    // A commit of the journal, now and then.
    let journal = Bytes::kib(4 * rng.random_range(0..=6));
    let device = run.device.as_mut().unwrap();
    device.written_bytes.0 += journal.get();
    device.flushes = Some(1);
    run.circumstances = around(configuration, rng);
    run.findings = judged(&run);
    run
}

/// What an ordinary machine does beside.
fn around(configuration: &Configuration, rng: &mut Xoshiro256PlusPlus) -> Circumstances {
    let stolen = rng.random_range(0..=5) as f64 / (5 * TICKS) as f64;
    let clock = 3000.0 * (1.0 + 0.01 * rng.random::<f64>());
    Circumstances {
        machine: Some(MachineActivity {
            steal: Percent::from_fraction(stolen),
            counted_ticks: Some(5 * TICKS),
            memory_some: Some(Percent::from_fraction(0.001 * rng.random::<f64>())),
            cpu_mhz: Some((3000.0, clock)),
            throttled: Some(0),
            clock_step: Nanos::micros(rng.random_range(0..500)),
            ..MachineActivity::default()
        }),
        beneath: Some(BeneathFacts {
            write_copies: 1.0,
            used: Some(Percent::from_fraction(0.7)),
            disks: Some(DiskFacts {
                size: DISK,
                rotational: Some(configuration.turns),
                cache: Some(Bytes::mib(256)),
            }),
            ..BeneathFacts::default()
        }),
        files: Some(FileFacts {
            size: Bytes::gib(64),
            ..FileFacts::default()
        }),
        ..Circumstances::default()
    }
}

fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// A row of the table: the configuration, sessions, those with a finding of each weight, and their codes.
fn row(configuration: &Configuration, number: u64) -> (String, usize, usize) {
    let sessions: Vec<Vec<Finding>> = (0..SESSIONS)
        .map(|seed| session(configuration, 1000 * number + seed))
        .collect();
    let with = |severity| {
        let has = |found: &&Vec<Finding>| found.iter().any(|f| f.severity == severity);
        sessions.iter().filter(has).count()
    };
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in sessions.iter().flatten() {
        *codes.entry(&finding.code).or_default() += 1;
    }
    let codes = codes
        .iter()
        .map(|(code, count)| format!("`{code}` {count}"));
    let codes: Vec<String> = codes.collect();
    let codes = if codes.is_empty() {
        "none".to_owned()
    } else {
        codes.join(", ")
    };
    let (invalid, warn) = (with(Severity::Invalid), with(Severity::Warn));
    let name = configuration.name;
    let text = format!("| {name} | {SESSIONS} | {invalid} | {warn} | {codes} |");
    (text, invalid, warn)
}

#[test]
fn honest_sessions_raise_few_alarms_and_none_that_invalidates() {
    let rows: Vec<(String, usize, usize)> = CONFIGURATIONS
        .iter()
        .zip(1..)
        .map(|(c, n)| row(c, n))
        .collect();
    let table: Vec<&str> = rows.iter().map(|(text, ..)| text.as_str()).collect();
    let table = table.join("\n");
    println!("{table}");
    let invalid: usize = rows.iter().map(|(_, invalid, _)| invalid).sum();
    let warn: usize = rows.iter().map(|(.., warn)| warn).sum();
    assert_eq!(invalid, 0, "{table}");
    assert!(warn <= 5, "{warn} of 100 sessions:\n{table}");
    let page = include_str!("../../../../docs/checks.md");
    assert!(
        page.contains(&table),
        "docs/checks.md has another table:\n{table}"
    );
}
