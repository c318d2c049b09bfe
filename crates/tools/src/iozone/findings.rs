//! What keeps a figure from speaking of the storage: the facts about its passes, for the judge.

use std::path::Path;

use etalon_file_ops::{Direction, FileOp, Fill};
use etalon_judge::{FileAdvice, FileFacts, check_files, files_at_work, files_in_memory};
use etalon_model::{Ended, Finding};
use etalon_units::Bytes;
use rustix::fs::statfs;

use super::Options;
use super::measure::{Series, writes};

/// `TMPFS_MAGIC` and `RAMFS_MAGIC` (linux/magic.h): filesystems without a device.
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];

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
    statfs(directory_of(file)).is_ok_and(|found| IN_MEMORY.contains(&(found.f_type as u64)))
}

/// The findings of one series.
pub(crate) fn of(series: &Series, options: &Options, in_memory: bool) -> Vec<Finding> {
    let mut passes = series.measured.iter().flat_map(|m| &m.passes);
    let direct = passes.clone().all(|pass| pass.direct);
    let facts = FileFacts {
        ended: series.cut().unwrap_or(Ended::Complete),
        direct_refused: passes.find_map(|pass| pass.direct_refused),
        read: read(series).filter(|_| !in_memory),
        left_in_memory: writes(series.op) && !in_memory && !direct && !options.durable(series.op),
    };
    let mapped = options.mapped && series.op.may_be_mapped();
    check_files(&facts, if mapped { &MAPPED_ADVICE } else { &ADVICE })
}

/// What was read and what storage served of it; `None` for writes, and where nobody counted.
fn read(series: &Series) -> Option<(Bytes, Bytes)> {
    if series.op.direction() == Direction::Write || series.op == FileOp::Mixed {
        return None;
    }
    let passes = || series.measured.iter().flat_map(|m| &m.passes);
    let read: u64 = passes().map(|pass| pass.bytes.get()).sum();
    let fetched: Option<u64> = passes().map(|pass| pass.fetched.map(Bytes::get)).sum();
    Some((Bytes(read), Bytes(fetched?)))
}

/// The one finding about the tool's own work on the data, which is inside the clock.
pub(crate) fn own_work(options: &Options) -> Option<Finding> {
    let message = match options.fill() {
        Fill::Stamped => return None,
        Fill::Byte(_) => "every byte that is read is compared inside the clock.",
        Fill::Placed { .. } => {
            "what is written is made inside the clock, and every byte that is read is compared there."
        }
        Fill::Shared { .. } => "what is written is made inside the clock.",
    };
    Some(files_at_work(
        message,
        "For the rate of the storage leave -V, -+d and -+w out.",
    ))
}

/// The one finding that holds for all cells of a filesystem in memory.
pub(crate) fn memory(in_memory: bool) -> Option<Finding> {
    in_memory.then(|| files_in_memory(&ADVICE))
}
