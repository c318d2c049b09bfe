//! What of a workload must agree between arms, and which differences do not matter.
//!
//! The target, what lies beneath it, the kernel and the settings of the machine are what people
//! compare; they never stand in the way. The workload is the yardstick: two lengths of it are
//! compared only where the difference was declared, or is too small to matter.

use std::collections::BTreeSet;

use etalon_model::{
    CacheMode, End, IoWorkload, Operation, TaskFigure, TaskWorkload, Workload, WorkloadDifference,
};
use etalon_units::Bytes;

use super::Arm;
use super::io_conditions::{Conditions, FREE, of_io};

/// Of a metadata workload, how many files there are is the length of a run, where directories are
/// filled one after the other.
const FREE_OF_METADATA: &str = "files_in_all";

/// What tells that two workloads are of different programs; nothing else of them has one meaning.
const WORK: &str = "work";

/// Which workloads were carried out at the same time; a workload alone has not this condition.
pub const CONCURRENT: &str = "concurrent-workload";

/// What is compared without being declared; parameters of a task may not be called so.
const ALWAYS_DECLARED: [&str; 3] = ["target", "beneath", "etalon"];

/// Working sets that differ by no more than this factor are compared: a cache below holds the same
/// of both, nearly.
const SIZE_TOLERANCE: f64 = 2.0;

/// The same where large blocks are read or written one after the other around the page cache: no
/// byte is met twice, so that a cache hardly matters.
const SIZE_TOLERANCE_IN_SEQUENCE: f64 = 8.0;

/// Runs whose lengths differ by no more than this share are of one length: a check measures how long its rows may take,
/// to the nanosecond, each time anew.
const LENGTH_TOLERANCE: f64 = 0.05;

/// How some conditions are called by people.
const WORDS: [(&str, &str); 3] = [
    ("queue-records", "queue-depth"),
    ("queue-copied", "bcopy"),
    ("rate", "arrival"),
];

/// A condition's name as people write it: `file-size` for `file_size`.
pub fn condition_name(name: &str) -> String {
    let plain = name.trim().replace(['_', '.', ' '], "-").to_lowercase();
    let word = WORDS.iter().find(|(field, _)| *field == plain);
    word.map_or(plain, |(_, word)| (*word).to_owned())
}

/// The names of all conditions of these arms, for `--by`; those of I/O are known whatever was done.
pub fn condition_names(arms: &[Arm<'_>]) -> BTreeSet<String> {
    let own = arms.iter().flat_map(|arm| conditions(arm).into_keys());
    let of_io = of_io(&IoWorkload::default()).into_keys();
    let always = ALWAYS_DECLARED.map(str::to_owned);
    own.chain(of_io).chain(always).collect()
}

/// Every condition in which the workloads of `arms` differ. What one of them has not is off there.
pub(super) fn differences(arms: &[Arm<'_>]) -> Vec<WorkloadDifference> {
    let all: Vec<Conditions> = arms.iter().map(conditions).collect();
    let names: BTreeSet<&String> = all.iter().flat_map(Conditions::keys).collect();
    let value = |own: &Conditions, name: &String| {
        let value = own.get(name).cloned();
        Some(value.unwrap_or_else(|| "none".to_owned()))
    };
    let difference = |name: &String| WorkloadDifference {
        condition: name.clone(),
        values: all.iter().map(|own| value(own, name)).collect(),
    };
    let differs = |difference: &WorkloadDifference| {
        let mut values = difference.values.windows(2);
        values.any(|pair| pair[0] != pair[1])
    };
    let found = names.into_iter().map(difference).filter(differs);
    let found: Vec<_> = found
        .filter(|difference| !is_of_one_length(&difference.condition, arms))
        .collect();
    let of_work = found.iter().find(|one| one.condition == WORK).cloned();
    let is_mixed = arms.iter().any(|arm| arm.cell.workload.io().is_some());
    match of_work.filter(|_| is_mixed) {
        Some(work) => vec![work],
        None => found,
    }
}

/// Whether `condition` is how long runs or their warm-up last, and that is as good as equal in all arms.
fn is_of_one_length(condition: &str, arms: &[Arm<'_>]) -> bool {
    let length = |arm: &Arm<'_>| {
        let io = arm.cell.workload.io()?;
        match (condition, io.end) {
            ("end", End::Time(length)) => Some(length.as_secs_f64()),
            ("warm-up", _) => Some(io.warm_up.as_secs_f64()),
            _ => None,
        }
    };
    let lengths: Option<Vec<f64>> = arms.iter().map(length).collect();
    lengths.is_some_and(|all| {
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(0.0, f64::max);
        most <= least * (1.0 + LENGTH_TOLERANCE)
    })
}

/// Whether the difference between two workloads is too small to matter.
pub(super) fn is_tolerated(condition: &str, base: &Workload, other: &Workload) -> bool {
    let (Some(base), Some(other)) = (base.io(), other.io()) else {
        return false;
    };
    let is_near = || factor(base.file_size, other.file_size) <= tolerance(base, other);
    FREE.contains(&condition) || condition == "file-size" && is_near()
}

fn tolerance(base: &IoWorkload, other: &IoWorkload) -> f64 {
    let in_sequence =
        |io: &IoWorkload| io.direct && matches!(io.operation, Operation::Read | Operation::Write);
    match in_sequence(base) && in_sequence(other) {
        true => SIZE_TOLERANCE_IN_SEQUENCE,
        false => SIZE_TOLERANCE,
    }
}

/// By how much the larger is larger; infinite where one is whatever was there.
fn factor(a: Bytes, b: Bytes) -> f64 {
    a.max(b).as_f64() / a.min(b).as_f64()
}

/// What must agree, by name.
fn conditions(arm: &Arm<'_>) -> Conditions {
    let mut conditions = match &arm.cell.workload {
        Workload::Task(task) => of_task(task),
        Workload::Io(io) => of_io(io),
    };
    let first = arm.runs.first();
    let concurrent = first.and_then(|run| run.circumstances.concurrent.as_ref());
    if let Some(concurrent) = concurrent {
        let others = concurrent.others.join(" and ");
        conditions.insert(CONCURRENT.to_owned(), others);
    }
    if let Some((run, declared)) = first.and_then(|run| Some((run, run.workload.io()?.cache))) {
        let m = &run.measurement;
        let cache = match (m.is_direct(), declared) {
            (true, _) => "O_DIRECT".to_owned(),
            (false, CacheMode::AsFound | CacheMode::Direct) => "page cache".to_owned(),
            (false, state) => format!("page cache, {state}"),
        };
        conditions.insert("cache".to_owned(), cache);
        if let Some(backend) = m.backend {
            conditions.insert("backend".to_owned(), backend.to_string());
        }
    }
    conditions
}

/// Of a task only what it says of itself counts: the options of I/O are not used.
fn of_task(task: &TaskWorkload) -> Conditions {
    let unit = match task.figure {
        TaskFigure::Rate => "a rate",
        TaskFigure::Throughput => "a throughput",
        TaskFigure::Time => "a time",
    };
    let mut conditions = Conditions::from([
        ("work".to_owned(), task.work.clone()),
        ("step".to_owned(), task.step.clone()),
        ("figure".to_owned(), unit.to_owned()),
    ]);
    let is_free = |name: &str| task.work == "metadata" && name == FREE_OF_METADATA;
    for (name, value) in task.parameters.iter().filter(|(name, _)| !is_free(name)) {
        let name = condition_name(name);
        // Real work may have a parameter that is called like a condition of every cell.
        let taken = conditions.contains_key(&name) || ALWAYS_DECLARED.contains(&name.as_str());
        let name = match taken {
            true => format!("set-{name}"),
            false => name,
        };
        conditions.insert(name, value.to_string());
    }
    conditions
}
