//! What keeps a figure from speaking of the storage: the facts about its passes, for the judge.

use std::path::Path;

use etalon_file_ops::{Direction, FileOp, Fill};
use etalon_host::filesystem::lies_in_memory;
use etalon_judge::{
    Devices, FileAdvice, FileFacts, FileWork, check_files, files_at_work, files_in_memory,
};
use etalon_model::{Ended, Finding, Run};
use etalon_units::Bytes;
use rustix::fs::statfs;

use super::Options;
use super::measure::writes;
use super::series::Measured;

/// The code of both: what the devices took, and what the options tell.
const NOT_DURABLE: &str = "not-durable";

/// What helps, in iozone's options.
const ADVICE: FileAdvice = FileAdvice {
    direct_refused: "Use a filesystem that has it, or -U, or a file of at least 20 times the memory.",
    page_cache: "Read with -I (O_DIRECT), remount with -U, or use a file of at least 20 times the memory.",
    not_durable: "Add -e (fsync inside the clock), -o (O_SYNC) or -I (O_DIRECT).",
    no_device: "To measure a disk, name a file on it with -f.",
};

/// The same for mapped files, which neither -I nor -o reaches.
const MAPPED_ADVICE: FileAdvice = FileAdvice {
    page_cache: "Remount with -U, or use a file of at least 20 times the memory.",
    not_durable: "Add -e (fsync inside the clock) or -G (MS_SYNC).",
    ..ADVICE
};

/// Where `file` lies; its name alone stands for one here.
pub(crate) fn directory_of(file: &Path) -> &Path {
    let parent = file.parent();
    let named = parent.filter(|parent| !parent.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}

/// Whether the directory of `file` lies in memory.
pub(crate) fn in_memory(file: &Path) -> bool {
    statfs(directory_of(file)).is_ok_and(|found| lies_in_memory(&found))
}

/// What to do about a finding of the checks of all runs, in iozone's options.
fn advice(code: &str, mapped: bool) -> Option<&'static str> {
    let own = if mapped { &MAPPED_ADVICE } else { &ADVICE };
    match code {
        "page-cache" => Some(own.page_cache),
        "not-durable" => Some(own.not_durable),
        "no-device" => Some(own.no_device),
        "few-operations" => Some("Use a larger file (-s) or smaller records (-r)."),
        _ => None,
    }
}

/// What the figures of a command line have in common.
#[derive(Clone, Copy)]
pub(crate) struct CommonFacts<'a> {
    pub(crate) options: &'a Options,
    /// Whether the files lie on a filesystem in memory.
    pub(crate) in_memory: bool,
}

impl CommonFacts<'_> {
    /// The findings of one pass of `op`: those of its run, and what only the options and the passes of
    /// its workers tell.
    pub(crate) fn of_pass(self, op: FileOp, measured: &Measured, run: &Run) -> Vec<Finding> {
        let mapped = self.options.mapped && op.may_be_mapped();
        let mut found = run.findings.clone();
        for finding in &mut found {
            if let Some(advice) = advice(&finding.code, mapped) {
                advice.clone_into(&mut finding.advice);
            }
        }
        let facts = self.facts(op, measured, devices(run));
        let advice = if mapped { &MAPPED_ADVICE } else { &ADVICE };
        for own in check_files(&facts, advice) {
            let same = found.iter().position(|finding| finding.code == own.code);
            match same {
                // That of the run has the devices' figures.
                Some(_) if own.code == NOT_DURABLE => {}
                Some(at) => found[at] = own,
                None => found.push(own),
            }
        }
        found
    }

    fn facts(self, op: FileOp, measured: &Measured, devices: Devices) -> FileFacts {
        let CommonFacts { options, in_memory } = self;
        let passes = &measured.passes;
        let direct = passes.iter().all(|pass| pass.direct);
        FileFacts {
            ended: measured.cut().unwrap_or(Ended::Complete),
            direct_refused: passes.iter().find_map(|pass| pass.direct_refused),
            read: read(op, measured).filter(|_| !in_memory),
            left_in_memory: writes(op) && !in_memory && !direct && !options.durable(op),
            devices,
        }
    }
}

/// What the run tells of the devices beneath it.
fn devices(run: &Run) -> Devices {
    let known = run.environment();
    match known.is_some_and(|now| !now.stack.top_devices().is_empty()) {
        _ if run.device.is_some() => Devices::Counted,
        true => Devices::Uncounted,
        false => Devices::Unknown,
    }
}

/// What was read and what storage served of it; `None` for writes, and where nobody counted.
fn read(op: FileOp, measured: &Measured) -> Option<(Bytes, Bytes)> {
    if op.direction() == Direction::Write || op == FileOp::Mixed {
        return None;
    }
    let passes = &measured.passes;
    let fetched: Option<u64> = passes.iter().map(|pass| pass.fetched.map(Bytes::get)).sum();
    Some((measured.bytes(), Bytes(fetched?)))
}

/// The one finding about the tool's own work on the data, which is inside the clock.
pub(crate) fn own_work(options: &Options) -> Option<Finding> {
    let work = match options.fill() {
        Fill::Stamped => return None,
        Fill::Byte(_) => FileWork::Compared,
        Fill::Placed { .. } => FileWork::MadeAndCompared,
        Fill::Shared { .. } => FileWork::Made,
    };
    Some(files_at_work(
        work,
        "For the rate of the storage leave -V, -+d and -+w out.",
    ))
}

/// The one finding that holds for all cells of a filesystem in memory.
pub(crate) fn memory(in_memory: bool) -> Option<Finding> {
    in_memory.then(|| files_in_memory(&ADVICE))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use etalon_model::stack::{Manifest, StackTree, TargetKind};
    use etalon_model::{EnvironmentMark, EnvironmentRecord, Measurement, TaskFigure, TaskWorkload};
    use etalon_units::Nanos;
    use serde_json::{from_value, json};

    use super::*;

    fn directory() -> StackTree {
        StackTree::of_nothing("/srv", TargetKind::Directory)
    }

    fn on_disk() -> StackTree {
        let disk = json!({
            "name": "sda", "devno": "8:0", "node": "/dev/sda", "size_bytes": 0, "read_only": false,
            "queue": null, "warnings": [], "below": [],
            "kind": { "type": "unknown", "why": "" },
        });
        StackTree {
            devices: vec![from_value(disk).unwrap()],
            ..directory()
        }
    }

    fn overlay(beneath: &StackTree) -> StackTree {
        let filesystem = json!({
            "fs_type": "overlay", "beneath": beneath,
            "detail": { "family": "overlay", "lower": ["/lower"], "upper": null, "work": null },
        });
        StackTree {
            filesystem: Some(from_value(filesystem).unwrap()),
            ..directory()
        }
    }

    /// A run on this stack that was too short to be counted by itself.
    fn uncounted(stack: StackTree) -> Run {
        let work = TaskWorkload::of_texts(
            "iozone",
            "write",
            TaskFigure::Throughput,
            Default::default(),
        );
        let mut run = Run::of("write", work, Measurement::of_nothing(Nanos::secs(1)));
        let manifest = Manifest {
            facts: Default::default(),
            hash: String::new(),
            missing: Vec::new(),
            unreadable: Vec::new(),
        };
        let record = Arc::new(EnvironmentRecord { manifest, stack });
        run.circumstances.environment = Some(EnvironmentMark::of(record));
        run
    }

    #[test]
    fn the_devices_of_an_overlay_are_those_of_its_upper_directory() {
        let of = |stack| devices(&uncounted(stack));
        assert_eq!(of(on_disk()), Devices::Uncounted);
        assert_eq!(of(overlay(&on_disk())), Devices::Uncounted);
        assert_eq!(of(overlay(&directory())), Devices::Unknown);
        assert_eq!(of(directory()), Devices::Unknown);
    }
}
