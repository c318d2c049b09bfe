//! What keeps a figure from speaking of the storage.

use std::path::Path;

use etalon_model::{Ended, Evidence, Finding, Severity};
use etalon_units::{Bytes, Percent};
use etalon_workload::file_ops::{Direction, FileOp};
use rustix::fs::statfs;

use super::Options;
use super::measure::Series;

/// Below this share of its bytes, a read figure speaks of a cache.
const FETCHED_SHARE: f64 = 0.99;

/// `TMPFS_MAGIC` and `RAMFS_MAGIC` (linux/magic.h): filesystems without a device.
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];

/// Whether the directory of `file` lies in memory.
pub(crate) fn in_memory(file: &Path) -> bool {
    let directory = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    statfs(directory.unwrap_or(Path::new(".")))
        .is_ok_and(|found| IN_MEMORY.contains(&(found.f_type as u64)))
}

/// The findings of one series.
pub(crate) fn of(series: &Series, options: &Options, in_memory: bool) -> Vec<Finding> {
    let checks = [
        ended(series),
        refused(series),
        cached(series, in_memory),
        returned(series, options, in_memory),
    ];
    checks.into_iter().flatten().collect()
}

/// The one finding that holds for all cells of a filesystem in memory.
pub(crate) fn memory(in_memory: bool) -> Option<Finding> {
    in_memory.then(|| Finding {
        code: "no-device".to_owned(),
        severity: Severity::Info,
        message: "the files lie in memory, beneath them is no disk.".to_owned(),
        advice: "To measure a disk, name a file on it with -f.".to_owned(),
        evidence: Vec::new(),
    })
}

fn ended(series: &Series) -> Option<Finding> {
    let (code, message, advice) = match series.cut()? {
        Ended::Complete => return None,
        Ended::Interrupted => (
            "interrupted",
            "the run was stopped before its end; the figure covers the part until then.".to_owned(),
            "Run it again to the end.",
        ),
        Ended::DiskFull => (
            "disk-full",
            "the filesystem was full before the end; the figure covers the part until then."
                .to_owned(),
            "Free space, or use a smaller file.",
        ),
        Ended::Failed {
            operation,
            offset,
            errno,
        } => (
            "failed",
            format!(
                "{operation} at byte {offset} failed: {}; the figure covers the part until then.",
                std::io::Error::from_raw_os_error(errno)
            ),
            "Look at the kernel's log and at the disk's health.",
        ),
        Ended::Overload => (
            "failed",
            "the work fell behind.".to_owned(),
            "Use a smaller load.",
        ),
    };
    Some(Finding {
        code: code.to_owned(),
        severity: Severity::Invalid,
        message,
        advice: advice.to_owned(),
        evidence: Vec::new(),
    })
}

fn refused(series: &Series) -> Option<Finding> {
    let errno = series
        .measured
        .iter()
        .flat_map(|m| &m.passes)
        .find_map(|pass| pass.direct_refused)?;
    Some(Finding {
        code: "direct-refused".to_owned(),
        severity: Severity::Warn,
        message: "the filesystem refused O_DIRECT; the run went through the page cache.".to_owned(),
        advice: "Use a filesystem that has it, or -U, or a file of at least 20 times the memory."
            .to_owned(),
        evidence: vec![Evidence::new("errno", f64::from(errno))],
    })
}

/// The page cache served a read.
fn cached(series: &Series, in_memory: bool) -> Option<Finding> {
    if in_memory || series.op.direction() == Direction::Write || series.op == FileOp::Mixed {
        return None;
    }
    let passes = || series.measured.iter().flat_map(|m| &m.passes);
    let read: u64 = passes().map(|pass| pass.bytes.get()).sum();
    let fetched: Option<u64> = passes().map(|pass| pass.fetched.map(Bytes::get)).sum();
    let share = fetched? as f64 / read.max(1) as f64;
    (read > 0 && share < FETCHED_SHARE).then(|| Finding {
        code: "page-cache".to_owned(),
        severity: Severity::Invalid,
        message: format!(
            "storage served {} of the bytes that were read; the figure is that of memory.",
            Percent::from_fraction(share)
        ),
        advice: "Read with -I (O_DIRECT), remount with -U, or use a file of at least 20 times the memory.".to_owned(),
        evidence: vec![Evidence::new("fetched_share", share)],
    })
}

/// The clock stopped before the data were safe.
fn returned(series: &Series, options: &Options, in_memory: bool) -> Option<Finding> {
    let writes = super::measure::writes(series.op);
    let direct = series
        .measured
        .iter()
        .flat_map(|m| &m.passes)
        .all(|pass| pass.direct);
    let mapped = options.mapped && series.op.may_be_mapped();
    let advice = if mapped {
        "Add -e (fsync inside the clock) or -G (MS_SYNC)."
    } else {
        "Add -e (fsync inside the clock), -o (O_SYNC) or -I (O_DIRECT)."
    };
    (writes && !in_memory && !options.durable(series.op) && !direct).then(|| Finding {
        code: "not-durable".to_owned(),
        severity: Severity::Warn,
        message:
            "no fsync was inside the clock: the figure is the rate at which memory took the data."
                .to_owned(),
        advice: advice.to_owned(),
        evidence: Vec::new(),
    })
}
