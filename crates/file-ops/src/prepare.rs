//! One operation on one file: what it is to do, and how it is made ready.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use etalon_units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

use super::content::Content;
use super::data::RecordBuffers;
use super::file;
use super::halt::Halt;
use super::pass::Pass;
use super::ready::ReadyWorker;
use super::think::{Pauses, Think};
use super::{ClockWitness, Direction, FileOp, FileOpError, Settings};

/// What one worker is to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WorkerJob {
    pub(crate) op: FileOp,
    pub(crate) path: PathBuf,
    pub(crate) settings: Settings,
    /// Number of this pass over the file, so that no pass writes what an earlier one wrote.
    pub(crate) number: u64,
}

/// Carries out one operation on one file; `number` tells this pass from others over the same file.
/// The witness is told around its clock.
///
/// # Errors
/// When the pass cannot begin; what fails within the clock is told by [`Pass::ended`].
pub fn run_pass(
    op: FileOp,
    path: &Path,
    settings: &Settings,
    number: u64,
    (stop, witness): (&AtomicBool, &dyn ClockWitness),
) -> Result<Pass, FileOpError> {
    let job = WorkerJob {
        op,
        path: path.to_owned(),
        settings: settings.clone(),
        number,
    };
    // Getting ready warms what the first records need; whatever came between would slow them down.
    witness.starts();
    Ok(prepare(&job)?.go(Halt { stop, wall: None }, witness))
}

/// Opens the file and touches the memory that the pass will use.
pub(crate) fn prepare(job: &WorkerJob) -> Result<ReadyWorker, FileOpError> {
    let WorkerJob {
        op,
        path,
        settings,
        number,
    } = job;
    let record = settings.buffer_length(*op)?;
    if op.direction() == Direction::Read {
        check_length(path, *op, settings)?;
    }
    let seed = settings.seed.wrapping_add(*number);
    let content = Content::new(settings.fill);
    let records = RecordBuffers::of(*op, settings, record, content.clone(), seed);
    let steps = settings.steps(*op, record, seed);
    let mut opened = file::open(path, *op, settings)?;
    if settings.keep_old || !op.creates() {
        opened.file.flush().map_err(|source| FileOpError::Io {
            action: "flush",
            path: path.clone(),
            source,
        })?;
    }
    if let Some(size) = settings.purge {
        empty_processor_cache(size);
    }
    Ok(ReadyWorker {
        op: *op,
        opened,
        records,
        content,
        steps,
        pauses: pauses(*op, settings),
        settings: settings.clone(),
        path: path.clone(),
        number: *number,
    })
}

/// What keeps record from following record, if anything does.
pub(crate) fn pauses(op: FileOp, settings: &Settings) -> Option<Pauses> {
    let listed = settings.lists.of(op).is_some();
    let Think { compute, burst, .. } = settings.think;
    let any = listed || compute > Nanos::ZERO || burst.is_some();
    any.then(|| Pauses::new(settings.think))
}

fn check_length(path: &Path, op: FileOp, settings: &Settings) -> Result<(), FileOpError> {
    let needed = Bytes(settings.span(op));
    match std::fs::metadata(path) {
        Ok(found) if found.len() >= needed.get() => Ok(()),
        Ok(found) => Err(FileOpError::TooShort {
            path: path.to_owned(),
            found: Bytes(found.len()),
            needed,
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(FileOpError::Missing {
            path: path.to_owned(),
        }),
        Err(source) => Err(FileOpError::Io {
            action: "look at",
            path: path.to_owned(),
            source,
        }),
    }
}

/// Fills other memory of this size, so that nothing of the records is left in the cache.
fn empty_processor_cache(size: Bytes) {
    let length = usize::try_from(size.get())
        .unwrap_or(usize::MAX)
        .min(1 << 30);
    let mut memory = vec![1u8; length];
    memory.fill(0);
    std::hint::black_box(memory);
}
