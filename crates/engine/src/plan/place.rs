//! What a plan must know of its target, and what the target refuses.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt, MetadataExt as _, OpenOptionsExt};
use std::path::{Path, PathBuf};

use etalon_model::{Fallback, IoWorkload, Operation};
use rustix::fs::{AtFlags, Mode, OFlags, StatxFlags};
use rustix::io::Errno;

use super::queue_limits::{QueueLimits, UNFIT_ZONES};
use super::{Plan, TargetPlace};
use crate::PlanError;
use crate::backend::ZonedPart;

/// Size of the range of the backends that have no target.
const IMAGINED: u64 = 1 << 30;

/// Boundaries that any disk accepts where the kernel does not tell (before Linux 6.1).
const USUAL_BLOCK: u64 = 512;

/// The file size of a backend without a target.
pub(super) fn imagined_size(w: &IoWorkload) -> u64 {
    match w.file_size.get() {
        0 => IMAGINED.max(w.block_size.largest().get()),
        size => size,
    }
}

fn access(action: &'static str, path: &Path, source: std::io::Error) -> PlanError {
    PlanError::Access {
        action,
        path: path.to_owned(),
        source,
    }
}

/// Fills in the plan's files and sizes, and refuses what the target cannot do.
pub(super) fn look(plan: &mut Plan) -> Result<(), PlanError> {
    match plan.place.clone() {
        TargetPlace::Directory(path) => directory(plan, &path),
        TargetPlace::File { path, writable } => file(plan, path, writable),
        TargetPlace::BlockDevice { path, writable } => device(plan, path, writable),
    }
}

fn directory(plan: &mut Plan, path: &Path) -> Result<(), PlanError> {
    let meta = path.metadata().map_err(|e| access("look at", path, e))?;
    if !meta.is_dir() {
        return Err(PlanError::WrongKind {
            path: path.to_owned(),
            expected: "directory",
        });
    }
    if plan.workload.operation.trims() {
        return Err(no_trims_of_files(plan.workload.operation, path.to_owned()));
    }
    let count = if plan.shared() { 1 } else { plan.workload.jobs };
    plan.files = (0..count).map(|n| path.join(format!("f{n}"))).collect();
    plan.file_size = match plan.workload.file_size.get() {
        0 => smallest(&plan.files)?,
        size => size,
    };
    probe_directory(plan, path)
}

/// The size of the smallest of the files, all of which must exist.
fn smallest(files: &[PathBuf]) -> Result<u64, PlanError> {
    let sizes = files
        .iter()
        .map(|path| path.metadata().map(|meta| meta.len()));
    let sizes: Result<Vec<u64>, _> = sizes.collect();
    sizes
        .ok()
        .and_then(|sizes| sizes.into_iter().min())
        .filter(|&size| size > 0)
        .ok_or(PlanError::SizeNeeded)
}

/// Tries `O_DIRECT` with a file that has no name, or with one that is removed at once.
fn probe_directory(plan: &mut Plan, path: &Path) -> Result<(), PlanError> {
    let tmp = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let direct = if plan.direct {
        OFlags::DIRECT
    } else {
        OFlags::empty()
    };
    let mode = Mode::RUSR | Mode::WUSR;
    let named = || {
        let probe = path.join(".probe");
        let create = OFlags::CREATE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = rustix::fs::open(&probe, create | direct, mode);
        let _ = std::fs::remove_file(&probe);
        file
    };
    let opened = match rustix::fs::open(path, tmp | direct, mode) {
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT) => named(),
        other => other,
    };
    match opened {
        Ok(fd) if plan.direct => aligned(plan, path, &File::from(fd)),
        Err(Errno::INVAL | Errno::OPNOTSUPP) if plan.direct => {
            refuse_direct(plan, Errno::INVAL);
            Ok(())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(access("create a file in", path, error.into())),
    }
}

fn refuse_direct(plan: &mut Plan, error: Errno) {
    plan.direct = false;
    plan.fallbacks.push(Fallback::DirectRefused {
        errno: error.raw_os_error(),
    });
}

fn file(plan: &mut Plan, path: PathBuf, writable: bool) -> Result<(), PlanError> {
    let meta = path.metadata().map_err(|e| access("look at", &path, e))?;
    if !meta.is_file() {
        return Err(PlanError::WrongKind {
            path,
            expected: "regular file",
        });
    }
    let operation = plan.workload.operation;
    if operation.trims() {
        return Err(no_trims_of_files(operation, path));
    }
    if operation.writes() && !writable {
        let reason =
            "it is an existing file, and writing would destroy what it holds; give a directory";
        return Err(PlanError::NotForTarget {
            operation,
            path,
            reason,
        });
    }
    if meta.len() == 0 && plan.workload.operation.reads() {
        return Err(PlanError::Empty { path });
    }
    plan.file_size = meta.len();
    if plan.workload.file_size.get() > 0 {
        let asked = plan.workload.file_size.get();
        plan.file_size = if operation.reads() {
            asked.min(meta.len())
        } else {
            asked
        };
    }
    existing(plan, path)
}

/// Why a block device that nobody gave to be written is not, and where what was asked for is done.
fn only_read(operation: Operation) -> &'static str {
    match operation.trims() {
        true => {
            "it is a block device, which is only read here; trims are measured alone, by `etalon measure`"
        }
        false => "it is a block device, which is only read here; give a directory",
    }
}

fn device(plan: &mut Plan, path: PathBuf, writable: bool) -> Result<(), PlanError> {
    let meta = path.metadata().map_err(|e| access("look at", &path, e))?;
    if !meta.file_type().is_block_device() {
        return Err(PlanError::WrongKind {
            path,
            expected: "block device",
        });
    }
    let operation = plan.workload.operation;
    if operation.changes() && !writable {
        let reason = only_read(operation);
        return Err(PlanError::NotForTarget {
            operation,
            path,
            reason,
        });
    }
    let mut opened = File::open(&path).map_err(|e| access("open", &path, e))?;
    let size = opened
        .seek(SeekFrom::End(0))
        .map_err(|e| access("measure", &path, e))?;
    if size == 0 {
        return Err(PlanError::Empty { path });
    }
    plan.file_size = match plan.workload.file_size.get() {
        0 => size,
        asked => asked.min(size),
    };
    if operation.changes() {
        let queue = QueueLimits::of(Path::new("/sys"), meta.rdev());
        let by_zones = match queue.refusal(&plan.workload) {
            None if queue.is_host_managed => zones(plan, &opened, &path)?,
            refused => refused,
        };
        if let Some(reason) = by_zones {
            return Err(PlanError::NotForTarget {
                operation,
                path,
                reason,
            });
        }
    }
    existing(plan, path)
}

/// Finds the zones that are written; why they cannot be.
fn zones(plan: &mut Plan, device: &File, path: &Path) -> Result<Option<&'static str>, PlanError> {
    let end = match plan.workload.range.get() {
        0 => plan.file_size,
        range => plan.base.saturating_add(range).min(plan.file_size),
    };
    let part = ZonedPart::of(device, plan.base, end);
    let part = part.map_err(|error| access("ask for the zones of", path, error))?;
    plan.zoned = part.filter(|part| part.zone.is_multiple_of(plan.block.max(1)));
    Ok(plan.zoned.is_none().then_some(UNFIT_ZONES))
}

/// A file's blocks are its filesystem's: punching holes measures what that does, and no trim of a device.
fn no_trims_of_files(operation: Operation, path: PathBuf) -> PlanError {
    PlanError::NotForTarget {
        operation,
        path,
        reason: "trims are of a whole block device or a part of one; name a device, or see what fstrim does \
                 to a filesystem by a plan (discard = \"fstrim\")",
    }
}

/// Opens a file that is there as the run will, to learn what it refuses.
fn existing(plan: &mut Plan, path: PathBuf) -> Result<(), PlanError> {
    let mut options = OpenOptions::new();
    options.read(true).write(plan.workload.operation.changes());
    let plain = options.open(&path).map_err(|e| access("open", &path, e))?;
    if plan.direct {
        options.custom_flags(libc::O_DIRECT);
        match options.open(&path) {
            Ok(direct) => aligned(plan, &path, &direct)?,
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
                refuse_direct(plan, Errno::INVAL);
            }
            Err(error) => return Err(access("open", &path, error)),
        }
    }
    drop(plain);
    plan.files = vec![path];
    Ok(())
}

/// Refuses sizes that `O_DIRECT` does not allow on this file.
fn aligned(plan: &mut Plan, path: &Path, file: &File) -> Result<(), PlanError> {
    let Some(unit) = direct_unit(file) else {
        refuse_direct(plan, Errno::INVAL);
        return Ok(());
    };
    let sizes = plan.sizes.iter().map(|(size, _)| size.get());
    let sizes = sizes.chain([plan.block]).map(|size| ("block size", size));
    for (field, value) in sizes.chain([("offset", plan.base)]) {
        if value % unit != 0 {
            return Err(PlanError::NotAligned {
                path: path.to_owned(),
                field,
                value,
                unit,
            });
        }
    }
    Ok(())
}

/// The unit of offsets and lengths under `O_DIRECT`, in bytes (statx(2), `STATX_DIOALIGN`);
/// `None` when the file cannot do it.
fn direct_unit(file: &File) -> Option<u64> {
    match rustix::fs::statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN) {
        Ok(found) if found.stx_mask & StatxFlags::DIOALIGN.bits() != 0 => {
            (found.stx_dio_offset_align > 0).then(|| u64::from(found.stx_dio_offset_align))
        }
        _ => Some(rustix::fs::ioctl_blksszget(file).map_or(USUAL_BLOCK, u64::from)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_trims_is_not_sent_to_a_directory_that_takes_no_trims() {
        assert!(!only_read(Operation::TrimWrite).contains("directory"));
        assert!(only_read(Operation::RandWrite).contains("directory"));
    }
}
