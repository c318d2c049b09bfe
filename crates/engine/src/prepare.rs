//! Laying out the files that a run needs.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use etalon_units::Bytes;
use serde::{Deserialize, Serialize};

use crate::backend::Buffers;
use crate::data::Pattern;
use crate::{Control, EngineError, Plan, TargetPlace};

/// One write while files are laid out.
const CHUNK: usize = 1 << 20;

/// The record of what the files of a directory hold.
const RECORD: &str = ".layout.json";

/// A plan whose files hold what the run needs.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub(crate) plan: Plan,
    pub(crate) pattern: Arc<Pattern>,
}

impl Prepared {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// What the files of a private directory hold.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Layout {
    files: BTreeMap<String, Laid>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Laid {
    seed: u64,
    size: u64,
    /// True until a run writes to the file.
    pristine: bool,
}

/// Lays out what the plan's files must hold before the run: incompressible, stamped data in every
/// block, durable. Files that an earlier call laid out are used again. Call it before each run.
///
/// # Errors
/// [`EngineError::Stopped`] within a second after `control` asked for it, [`EngineError::NoSpace`]
/// before anything is written, [`EngineError::DiskFull`] when space runs out all the same; in each
/// case unfinished files are removed.
pub fn prepare(plan: &Plan, control: &Control) -> Result<Prepared, EngineError> {
    let mut seed = plan.workload.seed;
    if let (TargetPlace::Directory(directory), true) = (&plan.place, plan.touches_target()) {
        let mut layout = read_layout(directory);
        if let Some(first) = plan.files.first() {
            seed = layout.files.get(&key(first)).map_or(seed, |laid| laid.seed);
        }
        let pattern = Arc::new(Pattern::new(seed));
        let missing = missing(plan, &layout, seed);
        if plan.needs_data() {
            room(plan, directory, &missing)?;
            lay_out(plan, &pattern, &missing, control)?;
            for path in &missing {
                let laid = Laid {
                    seed,
                    size: plan.file_size,
                    pristine: true,
                };
                layout.files.insert(key(path), laid);
            }
        }
        if plan.workload.operation.writes() {
            for path in &plan.files {
                if let Some(laid) = layout.files.get_mut(&key(path)) {
                    laid.pristine = false;
                }
            }
        }
        write_layout(directory, &layout)?;
        return Ok(Prepared {
            plan: plan.clone(),
            pattern,
        });
    }
    Ok(Prepared {
        plan: plan.clone(),
        pattern: Arc::new(Pattern::new(seed)),
    })
}

fn key(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Files that do not hold what the plan needs.
fn missing(plan: &Plan, layout: &Layout, seed: u64) -> Vec<PathBuf> {
    let holds = |path: &PathBuf| {
        let length = path.metadata().map_or(0, |meta| meta.len());
        layout.files.get(&key(path)).is_some_and(|laid| {
            laid.seed == seed
                && laid.size >= plan.file_size
                && length >= plan.file_size
                && (laid.pristine || !plan.workload.verify)
        })
    };
    plan.files
        .iter()
        .filter(|path| !holds(path))
        .cloned()
        .collect()
}

/// Refuses to begin when the free space cannot hold the files.
fn room(plan: &Plan, directory: &Path, missing: &[PathBuf]) -> Result<(), EngineError> {
    let io = |action| {
        let path = directory.to_owned();
        move |source: rustix::io::Errno| EngineError::Io {
            action,
            path,
            source: source.into(),
        }
    };
    let free = rustix::fs::statvfs(directory).map_err(io("ask for the free space of"))?;
    let available = free.f_bavail.saturating_mul(free.f_frsize);
    let there: u64 = missing
        .iter()
        .map(|p| p.metadata().map_or(0, |m| m.len()))
        .sum();
    let needed = plan.file_size.saturating_mul(missing.len() as u64);
    if needed.saturating_sub(there) <= available {
        return Ok(());
    }
    Err(EngineError::NoSpace {
        path: directory.to_owned(),
        needed: Bytes(needed - there),
        available: Bytes(available),
    })
}

fn read_layout(directory: &Path) -> Layout {
    std::fs::read(directory.join(RECORD))
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default()
}

fn write_layout(directory: &Path, layout: &Layout) -> Result<(), EngineError> {
    let path = directory.join(RECORD);
    let text = serde_json::to_vec(layout).unwrap_or_default();
    std::fs::write(&path, text).map_err(|source| EngineError::Io {
        action: "write",
        path,
        source,
    })
}

/// Lays out files side by side, one thread each, as many at a time as there are processors.
fn lay_out(
    plan: &Plan,
    pattern: &Pattern,
    missing: &[PathBuf],
    control: &Control,
) -> Result<(), EngineError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for group in missing.chunks(threads.max(2)) {
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
        let failed = results.into_iter().find_map(Result::err);
        if let Some(error) = failed {
            for path in missing {
                let _ = std::fs::remove_file(path);
            }
            return Err(error);
        }
    }
    Ok(())
}

fn lay_out_one(
    plan: &Plan,
    pattern: &Pattern,
    path: &Path,
    control: &Control,
) -> Result<(), EngineError> {
    let io = |action| {
        move |source| EngineError::Io {
            action,
            path: path.to_owned(),
            source,
        }
    };
    let number = plan.files.iter().position(|p| p == path).unwrap_or(0) as u32;
    let mut create = OpenOptions::new();
    create.write(true).create(true).truncate(true);
    let plain = create.open(path).map_err(io("create"))?;
    let direct = plan.direct.then(|| {
        OpenOptions::new()
            .write(true)
            .custom_flags(libc::O_DIRECT)
            .open(path)
            .ok()
    });
    let direct: Option<File> = direct.flatten();
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
        whole
            .unwrap_or(&plain)
            .write_all_at(memory, offset)
            .map_err(|source| match source.raw_os_error() {
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
            })?;
        offset += length as u64;
        control
            .progress
            .bytes
            .fetch_add(length as u64, Ordering::Relaxed);
    }
    plain.sync_all().map_err(io("fsync"))
}
