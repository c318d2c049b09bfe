//! Sessions of twenty seconds on slow devices, with a simulated clock: what every row has, and the time that
//! is proposed.

use etalon_engine::{Control, Plan, TargetPlace, prepare, run};
use etalon_model::{Backend, Choice, End, FakeDevice, IoWorkload, Order};
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::{ByteRate, Bytes, Nanos};

use super::groups::{Group, Means, groups, importance, stream_depth};
use super::lacking::{self, Time};
use super::length::{floor_of, pays, share_that_shrinks, shorten, shrinks};
use super::pace::{Open, Pace};
use super::sizing::{Sizes, SizingInputs, choose};

const BUDGET: f64 = 20.0;
/// How far beyond its budget a session may go: what is under way comes to its end.
const LATE: f64 = 10.0;
/// The write that finds the rate, and the files that find what names take.
const PILOTS: f64 = 1.5;
/// Of a whole run, beside its timed part.
const BESIDE: f64 = 0.1;

/// A device that serves one operation at a time.
#[derive(Clone, Copy)]
pub(super) struct Slow {
    pub(super) name: &'static str,
    bytes_per_second: f64,
    /// Of any operation at a random place, or of 512 KiB of a stream.
    service: f64,
    /// Of a pass over names.
    names: f64,
    /// How long the device writes what such a pass leaves behind.
    leaves: f64,
}

pub(super) const DEVICES: [Slow; 3] = [
    Slow {
        name: "2 MB/s",
        bytes_per_second: 2e6,
        service: 0.0,
        names: 2.0,
        leaves: 0.0,
    },
    Slow {
        name: "100 operations a second",
        bytes_per_second: 1e9,
        service: 0.01,
        names: 16.0,
        leaves: 0.0,
    },
    Slow {
        name: "8 ms seeks",
        bytes_per_second: 110e6,
        service: 0.008,
        names: 9.0,
        leaves: 0.0,
    },
];

/// As the kernel's blkio.throttle: memory takes 20 000 files in half a second, and their inodes' 1 400 blocks are
/// written one by one.
pub(super) const THROTTLED: Slow = Slow {
    name: "100 operations a second, behind memory",
    bytes_per_second: 1e9,
    service: 0.01,
    names: 0.5,
    leaves: 14.0,
};

impl Slow {
    fn takes(&self, workload: &IoWorkload) -> f64 {
        let bytes = workload.block_size.largest().as_f64();
        let operations = match workload.operation.order() {
            Order::Random => 1.0,
            _ if self.bytes_per_second > 500e6 => bytes / Bytes::kib(512).as_f64(),
            _ => 0.0,
        };
        (operations * self.service).max(bytes / self.bytes_per_second)
    }

    fn rate(&self) -> f64 {
        let block = IoWorkload {
            block_size: Bytes::mib(1).into(),
            ..IoWorkload::default()
        };
        block.block_size.largest().as_f64() / self.takes(&block)
    }

    /// How long a run lasts, with what is in flight at its end.
    fn run(&self, workload: &IoWorkload) -> f64 {
        let workload = IoWorkload {
            backend: Backend::Fake,
            fake: FakeDevice {
                service: Nanos::from_secs_f64(self.takes(workload)),
                ..FakeDevice::default()
            },
            ..workload.clone()
        };
        let place = TargetPlace::Directory("/nowhere".into());
        let plan = Plan::resolve(&workload, &place).unwrap();
        let prepared = prepare(&plan, &Control::default()).unwrap();
        let m = run(&prepared, &Control::default()).unwrap();
        m.duration.as_secs_f64() + workload.warm_up.as_secs_f64()
    }
}

fn planned(slow: &Slow, budget: f64) -> (Sizes, Vec<Group>) {
    let inputs = SizingInputs {
        usable: Bytes::gib(100),
        memory: Bytes::gib(16),
        in_memory: false,
        takes_memory: false,
        direct: true,
        device: None,
        write_rate: ByteRate(slow.rate()),
        budget: Nanos::from_secs_f64(budget - PILOTS),
        precision: None,
        file_size: None,
        runs_per_block: 7.0,
        needed_blocks: 1,
    };
    let sizes = choose(&inputs).unwrap();
    let means = Means {
        direct: true,
        io_uring: true,
        writable: true,
        third_file: true,
        stream_depth: stream_depth(inputs.write_rate, sizes.run),
        files: Some(1000),
        durable_files: None,
    };
    let groups = groups(&sizes, &means, 1).unwrap();
    (sizes, groups)
}

pub(super) struct SlowSession {
    runs: Vec<usize>,
    names: Vec<String>,
    /// When each block began.
    pub(super) begins: Vec<f64>,
    pub(super) spent: f64,
    lacking: Option<Choice>,
}

/// A pass of the row: all that it takes, and what of that gets shorter with it.
fn pass(slow: &Slow, group: &Group, scale: f64) -> (Nanos, Nanos) {
    let Group::Io(step) = group else {
        let all = Nanos::from_secs_f64(slow.names * (0.2 + 0.8 * scale));
        return (all, share_that_shrinks(all));
    };
    let mut workload = step.workload.clone();
    shorten(&mut workload, scale);
    let timed = slow.run(&workload);
    let shrinks = shrinks(&workload, Nanos::from_secs_f64(timed));
    (Nanos::from_secs_f64(timed + BESIDE), shrinks)
}

pub(super) fn session(slow: &Slow, budget: f64) -> SlowSession {
    let (sizes, groups) = planned(slow, budget);
    let row = |(at, group): (usize, &Group)| (importance(at), floor_of(group));
    let mut pace = Pace::new(groups.iter().enumerate().map(row), sizes.blocks);
    let names = Nanos::from_secs_f64(slow.names + slow.leaves);
    pace.guess(groups.len() - 1, names, share_that_shrinks(names));
    let setup = PILOTS + 2.0 * sizes.file.as_f64() / slow.rate();
    let (mut runs, mut spent, mut took) = (vec![0; groups.len()], setup, 0.0);
    let (mut owed, mut begins) = (0.0, Vec::new());
    for block in 0.. {
        let open = runs.iter().enumerate();
        let open: Vec<Open> = open.map(|(row, &usable)| Open { row, usable }).collect();
        let left = Nanos::from_secs_f64((budget - spent).max(0.0));
        let next = pace.next_block(&open, Nanos::from_secs_f64(took), left);
        if next.is_empty() || (block > 0 && left == Nanos::ZERO) {
            break;
        }
        took = 0.0;
        begins.push(spent);
        // Names come first, so that what they leave holds back all others.
        for row in next.into_iter().rev() {
            let scale = pace.scale(row);
            let (all, shrinks) = pass(slow, &groups[row], scale);
            let waits = match &groups[row] {
                Group::Io(_) => std::mem::take(&mut owed),
                Group::Names(_) => {
                    let left = Nanos::from_secs_f64(f64::max(budget - spent - took, 0.0));
                    owed = slow.leaves * scale;
                    let waits = pays(left).as_secs_f64().min(owed);
                    owed -= waits;
                    waits
                }
            };
            let shrinks = match &groups[row] {
                Group::Io(_) => shrinks,
                Group::Names(_) => {
                    share_that_shrinks(Nanos::from_secs_f64(all.as_secs_f64() + waits))
                }
            };
            let all = Nanos::from_secs_f64(all.as_secs_f64() + waits);
            pace.passed(row, all, shrinks);
            took += all.as_secs_f64();
            runs[row] += 1;
        }
        spent += took;
    }
    let lacking: Vec<usize> = (0..runs.len())
        .filter(|&at| runs[at] < MIN_RUNS_LAB)
        .collect();
    let rows = lacking.iter().flat_map(|&at| groups[at].cells());
    let time = Time {
        least_runs: MIN_RUNS_LAB,
        budget: Nanos::from_secs_f64(budget),
        setup: Nanos::from_secs_f64(setup),
        interval: pace.interval_of(&lacking),
        interval_of_all: pace.interval_of_all(),
    };
    SlowSession {
        lacking: lacking::choice(rows.map(str::to_owned).collect(), time),
        names: groups
            .iter()
            .map(|group| group.cells()[0].to_owned())
            .collect(),
        runs,
        begins,
        spent,
    }
}

#[test]
fn every_row_of_data_has_its_interval_or_what_it_has_and_the_time_for_it() {
    for slow in DEVICES {
        let SlowSession {
            runs,
            names,
            spent,
            lacking,
            ..
        } = session(&slow, BUDGET);
        println!("{}: {runs:?} in {spent:.1} s, {lacking:?}", slow.name);
        assert!(spent <= BUDGET + LATE, "{}: {spent}", slow.name);
        let told = lacking.as_ref().map_or(&[][..], Choice::dropped_rows);
        for (at, name) in names.iter().enumerate() {
            let is_data = at + 1 < names.len();
            assert!(runs[at] > 0 || !is_data, "{}: no {name}", slow.name);
            assert!(
                runs[at] >= MIN_RUNS_LAB || told.contains(name),
                "{}: {name}",
                slow.name
            );
        }
        // Names never take the time of data.
        let data = &runs[..names.len() - 1];
        let all_have = data.iter().all(|&runs| runs >= MIN_RUNS_LAB);
        assert!(
            all_have || runs[names.len() - 1] <= MIN_RUNS_LAB,
            "{runs:?}"
        );
    }
}

/// What the default minute is worth where people look for the answer: six runs of six rows fit.
#[test]
fn a_minute_at_a_hundred_operations_a_second_gives_every_row_of_data_its_interval() {
    for slow in [DEVICES[1], THROTTLED] {
        let SlowSession { runs, spent, .. } = session(&slow, 60.0);
        println!("{}: {runs:?} in {spent:.1} s", slow.name);
        let data = &runs[..runs.len() - 1];
        assert!(data.iter().all(|&runs| runs >= MIN_RUNS_LAB), "{runs:?}");
    }
}

#[test]
fn the_budget_that_is_proposed_does() {
    for slow in DEVICES {
        let Some(Choice::Dropped { budget_ns, .. }) = session(&slow, BUDGET).lacking else {
            continue;
        };
        let longer = session(&slow, budget_ns.as_secs_f64());
        println!("{}: {budget_ns} {:?}", slow.name, longer.runs);
        let has_all = longer.runs.iter().all(|&runs| runs >= MIN_RUNS_LAB);
        assert!(has_all, "{}: {:?}", slow.name, longer.runs);
    }
}

#[test]
fn the_files_are_laid_out_in_a_fraction_of_the_budget() {
    for slow in DEVICES {
        let (sizes, groups) = planned(&slow, BUDGET);
        let lay_out = 2.0 * sizes.file.as_f64() / slow.rate();
        assert!(lay_out < BUDGET * 0.13, "{}: {lay_out}", slow.name);
        let step = groups[0].step().unwrap();
        assert!(matches!(step.workload.end, End::Time(_)));
    }
}
