//! The options of a cell in the words of fio's job files.

use etalon_model::{Backend, Cell, FsyncPolicy, IoWorkload, Measurement, Run, SyncMode};
use serde_json::{Map, Value};

/// Those that its runs were made with: what was in force, where that is one thing, and else what was asked for.
pub(crate) fn options(cell: &Cell, runs: &[&Run]) -> Value {
    let Some(io) = cell.workload.io() else {
        return Value::Object(Map::new());
    };
    let direct = in_force(runs, |m| m.direct).unwrap_or(io.direct);
    let backend = in_force(runs, |m| m.backend).unwrap_or(io.backend);
    let all = what(cell, io)
        .into_iter()
        .chain(way(direct, backend))
        .chain(mixture(io))
        .chain(durability(io));
    let all = all.map(|(name, value)| (name.to_owned(), Value::String(value)));
    Value::Object(all.collect())
}

type Word = (&'static str, String);

/// What was read or written.
fn what(cell: &Cell, io: &IoWorkload) -> [Word; 6] {
    [
        ("name", cell.name.clone()),
        ("rw", io.operation.name().to_owned()),
        ("bs", block_size(io)),
        ("iodepth", io.queue_depth.to_string()),
        ("numjobs", io.jobs.to_string()),
        ("size", io.file_size.get().to_string()),
    ]
}

/// How it was issued.
fn way(direct: bool, backend: Backend) -> [Word; 3] {
    let bit = |is: bool| u8::from(is).to_string();
    [
        ("direct", bit(direct)),
        ("buffered", bit(!direct)),
        ("ioengine", backend.name().to_owned()),
    ]
}

fn mixture(io: &IoWorkload) -> Option<Word> {
    let percent = || ("rwmixread", io.read_percent.to_string());
    io.operation.is_mixed().then(percent)
}

/// What made writes durable within the clock.
fn durability(io: &IoWorkload) -> Vec<Word> {
    if !io.operation.writes() {
        return Vec::new();
    }
    let sync = match io.sync {
        SyncMode::None => None,
        SyncMode::DSync => Some("dsync"),
        SyncMode::Sync => Some("sync"),
    };
    let call = if io.fdatasync { "fdatasync" } else { "fsync" };
    let every = match io.fsync {
        FsyncPolicy::Every(writes) => Some((call, writes.to_string())),
        FsyncPolicy::Never | FsyncPolicy::End => None,
    };
    let at_end = (io.fsync != FsyncPolicy::Never).then(|| ("end_fsync", "1".to_owned()));
    let sync = sync.map(|mode| ("sync", mode.to_owned()));
    [sync, every, at_end].into_iter().flatten().collect()
}

/// What all runs had; `None` where they differ, or one of them does not tell.
fn in_force<T: PartialEq>(runs: &[&Run], of: fn(&Measurement) -> Option<T>) -> Option<T> {
    let mut all = runs.iter().map(|run| of(&run.measurement));
    let first = all.next()??;
    let is_first = |other: Option<T>| other.as_ref() == Some(&first);
    all.all(is_first).then_some(first)
}

/// The block size as people write it for fio: `4k`, `1m`; of several the largest.
pub(crate) fn block_size(io: &IoWorkload) -> String {
    let (number, unit) = io.block_size.largest().in_whole_units();
    let sign = unit.trim_end_matches('B').trim_end_matches('i');
    format!("{number}{}", sign.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{cell, run};
    use etalon_model::Operation;

    fn of(io: IoWorkload, runs: &[Run]) -> Value {
        let mut cell = cell();
        cell.workload = io.into();
        options(&cell, &runs.iter().collect::<Vec<_>>())
    }

    #[test]
    fn what_was_in_force_is_told_and_not_what_was_refused() {
        let asked = || IoWorkload {
            direct: true,
            backend: Backend::IoUring,
            ..IoWorkload::default()
        };
        let mut runs = [run(0), run(1)];
        for run in &mut runs {
            run.measurement.direct = Some(false);
            run.measurement.backend = Some(Backend::Sync);
        }
        let told = of(asked(), &runs);
        assert_eq!(
            (&told["direct"], &told["buffered"]),
            (&"0".into(), &"1".into())
        );
        assert_eq!(told["ioengine"], "sync");
        runs[1].measurement.direct = Some(true);
        runs[1].measurement.backend = None;
        let told = of(asked(), &runs);
        assert_eq!(
            (&told["direct"], &told["ioengine"]),
            (&"1".into(), &"io_uring".into())
        );
    }

    #[test]
    fn what_made_writes_durable_is_told_in_fios_words() {
        let of = |sync, fsync, fdatasync| {
            let io = IoWorkload {
                operation: Operation::Rw,
                read_percent: 70,
                sync,
                fsync,
                fdatasync,
                ..IoWorkload::default()
            };
            let told = of(io, &[]);
            assert_eq!(told["rwmixread"], "70");
            ["sync", "fsync", "fdatasync", "end_fsync"]
                .map(|name| told[name].as_str().map(str::to_owned))
        };
        let words = |all: [&str; 4]| all.map(|word| (!word.is_empty()).then(|| word.to_owned()));
        let end = of(SyncMode::None, FsyncPolicy::End, false);
        assert_eq!(end, words(["", "", "", "1"]));
        let every = of(SyncMode::DSync, FsyncPolicy::Every(8), true);
        assert_eq!(every, words(["dsync", "", "8", "1"]));
        let every = of(SyncMode::Sync, FsyncPolicy::Every(8), false);
        assert_eq!(every, words(["sync", "8", "", "1"]));
        let never = of(SyncMode::None, FsyncPolicy::Never, false);
        assert_eq!(never, words(["", "", "", ""]));
    }
}
