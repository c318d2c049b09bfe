//! Writing the files that a run needs.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use etalon_units::Bytes;

use crate::backend::Buffers;
use crate::data::Pattern;
use crate::{Control, EngineError, Plan};

/// One write while files are laid out.
const CHUNK: usize = 1 << 20;

/// Lays out files side by side, one thread each, a few at a time. When one fails, all of them go.
pub(super) fn lay_out(
    plan: &Plan,
    pattern: &Pattern,
    missing: &[PathBuf],
    control: &Control,
) -> Result<(), EngineError> {
    let threads = etalon_host::processor::count().max(2);
    for group in missing.chunks(threads) {
        let results: Vec<Result<(), EngineError>> = std::thread::scope(|scope| {
            let handles: Vec<_> = group
                .iter()
                .map(|path| scope.spawn(move || lay_out_one(plan, pattern, path, control)))
                .collect();
            handles
                .into_iter()
                .map(|handle| handle.join().unwrap_or(Err(EngineError::Defect { job: 0 })))
                .collect()
        });
        if let Some(error) = results.into_iter().find_map(Result::err) {
            for path in missing {
                let _ = std::fs::remove_file(path);
            }
            return Err(error);
        }
    }
    Ok(())
}

/// Writes one file from its start to its end, so that it never has a hole.
fn lay_out_one(
    plan: &Plan,
    pattern: &Pattern,
    path: &Path,
    control: &Control,
) -> Result<(), EngineError> {
    let failed = |action| {
        move |source| EngineError::Io {
            action,
            path: path.to_owned(),
            source,
        }
    };
    let number = plan.files.iter().position(|p| p == path).unwrap_or(0) as u32;
    let mut create = OpenOptions::new();
    create.write(true).create(true).truncate(true).mode(0o600);
    let plain = create.open(path).map_err(failed("create"))?;
    let direct = || {
        OpenOptions::new()
            .write(true)
            .custom_flags(libc::O_DIRECT)
            .open(path)
            .ok()
    };
    let direct: Option<File> = plan.direct.then(direct).flatten();
    let mut buffers = Buffers::new(1, CHUNK);
    let mut offset = 0;
    while offset < plan.file_size {
        if control.stopped() {
            return Err(EngineError::Stopped);
        }
        let length = (plan.file_size - offset).min(CHUNK as u64) as usize;
        let memory = &mut buffers.get(0)[..length];
        pattern.fill(memory, number, offset, 0);
        // A last piece that is not whole goes through the page cache.
        let whole = direct.as_ref().filter(|_| length == CHUNK);
        let written = whole.unwrap_or(&plain).write_all_at(memory, offset);
        written.map_err(|source| refused(plan, path, offset, source))?;
        offset += length as u64;
        control
            .progress
            .bytes
            .fetch_add(length as u64, Ordering::Relaxed);
        write_out(plan, &plain, offset, length as u64);
    }
    plain.sync_all().map_err(failed("fsync"))
}

/// Bytes of dirty pages after which they are sent to the device, so that the closing `fsync` has
/// little left and a stop is obeyed soon.
const DIRTY: u64 = 16 << 20;

/// Where the page cache is used, waits for the data of a while ago.
fn write_out(plan: &Plan, file: &File, offset: u64, length: u64) {
    if !plan.direct && offset % DIRTY < length {
        // Only the pace depends on it; the fsync at the end tells of errors.
        let _ = rustix::fs::fdatasync(file);
    }
}

fn refused(plan: &Plan, path: &Path, offset: u64, source: std::io::Error) -> EngineError {
    match source.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => EngineError::DiskFull {
            path: path.to_owned(),
            written: Bytes(offset),
            size: Bytes(plan.file_size),
        },
        _ => EngineError::Io {
            action: "write",
            path: path.to_owned(),
            source,
        },
    }
}
