//! Bringing a target into the state that a run needs.

mod files;
mod record;
mod settle;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use etalon_host::FreeSpace;
use etalon_model::{Backend, End, Operation};
use etalon_units::Bytes;
use rustix::fs::FallocateFlags;

use crate::data::Pattern;
use crate::{Control, EngineError, Plan, TargetPlace};
use record::{Laid, Record};

/// A plan whose target is ready for one run.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub(crate) plan: Plan,
    pub(crate) pattern: Arc<Pattern>,
    pub(crate) epoch: u16,
}

impl Prepared {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// Lays out what the plan's target must hold before the run; call it before each run.
///
/// Files that are read, or written anywhere but from start to end, hold incompressible, stamped
/// data in every block, durable and without holes; those of an earlier call or run are used again.
/// A `write` run finds no file. What is only read, somebody's own file or device too, has nothing left in memory that
/// nobody has written yet.
///
/// # Errors
/// [`EngineError::Stopped`] within a second after `control` asked for it, [`EngineError::NoSpace`]
/// before anything is written, [`EngineError::DiskFull`] when space runs out all the same; in each
/// case unfinished files are removed.
pub fn prepare(plan: &Plan, control: &Control) -> Result<Prepared, EngineError> {
    let fresh = |seed, epoch| Prepared {
        plan: plan.clone(),
        pattern: Arc::new(Pattern::new(seed)),
        epoch,
    };
    let (seed, epoch) = match &plan.place {
        TargetPlace::Directory(directory) if plan.touches_target() => {
            data_files(plan, directory, control)?
        }
        _ => (plan.workload.seed, 1),
    };
    settle::settle(plan, control)?;
    Ok(fresh(seed, epoch))
}

/// Prepares the data files; returns the seed of what they hold and the number of the next run that
/// writes to them.
fn data_files(plan: &Plan, directory: &Path, control: &Control) -> Result<(u64, u16), EngineError> {
    let before = Record::read(directory);
    let mut record = before.clone();
    let writes_anew = plan.workload.operation == Operation::Write;
    let first = plan.files.first().and_then(|path| record.of(path));
    let seed = match first {
        Some(laid) if !writes_anew => laid.seed,
        _ => plan.workload.seed,
    };
    let missing = missing(plan, &record, seed);
    if writes_anew {
        room(plan, directory, &plan.files, bytes_to_write(plan))?;
        clear(plan)?;
    } else {
        room(plan, directory, &missing, plan.file_size)?;
        files::lay_out(plan, &Pattern::new(seed), &missing, control)?;
        for path in &missing {
            let epoch = record.of(path).map_or(0, |laid| laid.epoch);
            let size = plan.file_size;
            record.set(
                path,
                Laid {
                    seed,
                    size,
                    pristine: true,
                    epoch,
                },
            );
        }
    }
    let mut epoch = 0;
    if plan.workload.operation.writes() {
        epoch = next_epoch(plan, &record);
        for path in &plan.files {
            // What a file made anew will hold is known when the run has ended.
            let known = record.of(path).filter(|_| !writes_anew);
            let size = known.map_or(0, |laid| laid.size);
            record.set(
                path,
                Laid {
                    seed,
                    size,
                    pristine: false,
                    epoch,
                },
            );
        }
    }
    // A run that reads what is laid out already writes nothing to what it measures.
    if record != before {
        record.write(directory)?;
    }
    Ok((seed, epoch))
}

/// A number that no earlier run on these files had; after 65 535 runs numbers come again.
fn next_epoch(plan: &Plan, record: &Record) -> u16 {
    let last = plan
        .files
        .iter()
        .filter_map(|path| record.of(path))
        .map(|laid| laid.epoch)
        .max();
    last.unwrap_or(0).checked_add(1).unwrap_or(1)
}

/// Files that do not hold what the plan needs.
fn missing(plan: &Plan, record: &Record, seed: u64) -> Vec<PathBuf> {
    let compares_layout = plan.workload.verify && plan.workload.operation.reads();
    let holds = |path: &PathBuf| {
        let length = path.metadata().map_or(0, |meta| meta.len());
        record.of(path).is_some_and(|laid| {
            laid.seed == seed
                && laid.size >= plan.file_size
                && length >= plan.file_size
                && (laid.pristine || !compares_layout)
        })
    };
    plan.files
        .iter()
        .filter(|path| !holds(path))
        .cloned()
        .collect()
}

/// What a `write` run adds to each file, as far as it is known beforehand.
fn bytes_to_write(plan: &Plan) -> u64 {
    let span = plan.span();
    match plan.workload.end {
        End::Time(_) => 0,
        End::Pass => span,
        End::Bytes(bytes) => span.min(bytes.get().div_ceil(plan.files.len().max(1) as u64)),
    }
}

/// Refuses to begin when the free space, with what the files already take, cannot hold them.
fn room(plan: &Plan, directory: &Path, files: &[PathBuf], each: u64) -> Result<(), EngineError> {
    let space = FreeSpace::of_path(directory).map_err(|source| EngineError::Io {
        action: "ask for the free space of",
        path: directory.to_owned(),
        source,
    })?;
    let available = space.allowance();
    let there: u64 = files
        .iter()
        .map(|path| path.metadata().map_or(0, |meta| meta.len()))
        .sum();
    let needed = each
        .saturating_mul(files.len() as u64)
        .saturating_sub(there);
    if Bytes(needed) <= available || !plan.touches_target() || !space.has_size() {
        return Ok(());
    }
    Err(EngineError::NoSpace {
        path: directory.to_owned(),
        needed: Bytes(needed),
        available,
    })
}

/// Removes the files that a `write` run makes anew. A mapping cannot make a file longer, so its
/// files get their space beforehand.
fn clear(plan: &Plan) -> Result<(), EngineError> {
    for path in &plan.files {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let path = path.clone();
                return Err(EngineError::Io {
                    action: "remove",
                    path,
                    source: error,
                });
            }
            _ => {}
        }
        if plan.backend == Backend::Mmap {
            allocate(plan, path).map_err(|source| EngineError::Io {
                action: "allocate",
                path: path.clone(),
                source,
            })?;
        }
    }
    Ok(())
}

fn allocate(plan: &Plan, path: &Path) -> std::io::Result<()> {
    let file = std::fs::File::create(path)?;
    match rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, plan.file_size) {
        Err(rustix::io::Errno::OPNOTSUPP) => file.set_len(plan.file_size),
        other => Ok(other?),
    }
}

/// After a `write` run: records the files that it has filled from start to end, so that a read
/// finds them laid out. `written` holds each job's bytes.
pub(crate) fn note_written(prepared: &Prepared, written: &[u64]) -> Result<(), EngineError> {
    let plan = &prepared.plan;
    let TargetPlace::Directory(directory) = &plan.place else {
        return Ok(());
    };
    if plan.workload.operation != Operation::Write || !plan.touches_target() || plan.base != 0 {
        return Ok(());
    }
    if plan.workload.block_size.is_mix() {
        // As many bytes as the file has may still miss its end.
        return Ok(());
    }
    let size = plan.span();
    let mut record = Record::read(directory);
    for (number, path) in plan.files.iter().enumerate() {
        let full = if plan.shared() {
            (0..plan.workload.jobs)
                .zip(written)
                .all(|(job, &bytes)| bytes >= plan.share(job).part().1 * plan.block)
        } else {
            written.get(number).is_some_and(|&bytes| bytes >= size)
        };
        if full {
            let seed = prepared.pattern.seed();
            let epoch = prepared.epoch;
            record.set(
                path,
                Laid {
                    seed,
                    size,
                    pristine: false,
                    epoch,
                },
            );
        }
    }
    record.write(directory)
}
