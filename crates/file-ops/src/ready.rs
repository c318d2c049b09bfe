//! A worker between its preparations and what its pass came to.

use std::io;
use std::path::{Path, PathBuf};

use etalon_host::clock::{now, thread_time};
use etalon_model::Ended;
use etalon_units::{Bytes, Nanos};
use rustix::io::Errno;

use super::clock::fetched_so_far;
use super::content::Content;
use super::data::RecordBuffers;
use super::file::{self, Opened};
use super::halt::Halt;
use super::pass::Pass;
use super::progress::{RecordProgress, write_whole};
use super::steps::{PassAccess, Steps};
use super::think::Pauses;
use super::{ClockWitness, Direction, FileOp, Settings};

/// A worker with everything in place but the clock not started.
pub(crate) struct ReadyWorker {
    pub(crate) op: FileOp,
    pub(crate) opened: Opened,
    pub(crate) records: RecordBuffers,
    pub(crate) content: Content,
    pub(crate) steps: Steps,
    /// `None` where record follows record.
    pub(crate) pauses: Option<Pauses>,
    pub(crate) settings: Settings,
    pub(crate) path: PathBuf,
    pub(crate) number: u64,
}

impl ReadyWorker {
    /// Locks the file where that is asked for, starts the clock, does the work, closes the file; `witness`
    /// is told when the clock has stopped.
    pub(crate) fn go(mut self, halt: Halt<'_>, witness: &dyn ClockWitness) -> Pass {
        let mut queue = self.opened.queued.take();
        let queued = queue.is_some();
        // Not while the worker gets ready: those of one file would wait for the one that has the lock, and
        // that one for them.
        let lock = self.opened.lock.take();
        let locked = lock.as_ref().map_or(Ok(()), |lock| lock.wait(halt));
        let fetched = fetched_so_far(queued);
        let cpu = thread_time();
        let started = now();
        let mut progress = match (locked, &mut queue) {
            (Err(error), _) => RecordProgress::failed("lock", &error),
            (Ok(()), Some(queue)) => self.visit_queued(queue, halt),
            (Ok(()), None) => self.visit_all(halt),
        };
        let closing = self.finish_within_clock();
        progress.note("fsync", 0, closing);
        let pauses = self.pauses.take();
        let (paused, pauses_cpu) = pauses.map_or((Nanos::ZERO, Nanos::ZERO), |p| (p.spent, p.cpu));
        let ReadyWorker {
            op,
            opened,
            settings,
            path,
            ..
        } = self;
        let Opened {
            mut file,
            direct,
            refused,
            ..
        } = opened;
        let (stopped, told) = if settings.close_in_clock {
            // Before the queue, which has the same file open: the first to close it has the error.
            let closed = file.close();
            drop(queue.take());
            let stopped = now();
            progress.note("close", 0, closed);
            (stopped, time_of(|| witness.stopped()))
        } else {
            let stopped = now();
            // Before the data go to storage that the clock did not wait for.
            let told = time_of(|| witness.stopped());
            progress.note("fsync", 0, file.flush());
            progress.note("close", 0, file.close());
            (stopped, told)
        };
        let cpu = thread_time().0.saturating_sub(cpu.0 + told);
        let fetched = fetched_so_far(queued)
            .zip(fetched)
            .map(|(after, before)| Bytes(after.saturating_sub(before)));
        // Not before: taking a ring down takes time, and its threads' counters go with it.
        drop(queue);
        // What is left to be written locks the file once more.
        drop(lock);
        if op.creates() && halt.walled() && progress.ended == Ended::Complete {
            complete(&path, op, (&settings, halt), &mut progress);
        }
        Pass {
            op,
            bytes: Bytes(progress.bytes),
            operations: progress.operations,
            started,
            stopped,
            paused,
            cpu: Nanos(cpu.saturating_sub(pauses_cpu.0)),
            fetched,
            ended: naming(progress.ended, &path),
            direct,
            direct_refused: refused,
            latencies: progress.latencies,
        }
    }

    fn finish_within_clock(&mut self) -> io::Result<()> {
        self.opened.file.drain()?;
        if self.settings.flush_in_clock && self.op.direction() == Direction::Write {
            self.opened.file.flush()?;
        }
        Ok(())
    }
}

/// Nanoseconds of processor time that `work` takes.
fn time_of(work: impl FnOnce()) -> u64 {
    let before = thread_time();
    work();
    thread_time().0.saturating_sub(before.0)
}

/// With the file on which it failed, since many workers may have one each.
fn naming(ended: Ended, path: &Path) -> Ended {
    match ended {
        Ended::Failed {
            operation,
            offset,
            errno,
        } => Ended::Failed {
            operation: etalon_factor::shown(&format!("{operation} of '{}'", path.display())),
            offset,
            errno,
        },
        other => other,
    }
}

/// Writes what the end of another worker left out, so that later tests find a whole file; only the user
/// may keep it from that.
fn complete(
    path: &Path,
    op: FileOp,
    (settings, halt): (&Settings, Halt<'_>),
    progress: &mut RecordProgress,
) {
    let halt = Halt { wall: None, ..halt };
    let by_calls = Settings {
        // A stream's records need not be whole blocks of the storage.
        direct: settings.direct && !op.is_stream(),
        ..settings.clone()
    };
    let rest = || -> io::Result<()> {
        let opened = file::open(path, FileOp::Rewrite, &by_calls);
        let mut opened = opened.map_err(|_| io::Error::from(Errno::IO))?;
        let length = settings.buffer_length(op);
        let length = length.map_err(|_| io::Error::from(Errno::INVAL))?;
        let content = Content::new(settings.fill);
        let mut records = RecordBuffers::of(op, settings, length, content, settings.seed);
        let lock = opened.lock.take();
        lock.as_ref().map_or(Ok(()), |lock| lock.wait(halt))?;
        if halt.reached() {
            return Ok(());
        }
        let done = usize::try_from(progress.operations).unwrap_or(usize::MAX);
        for PassAccess { offset, length, .. } in settings.steps(op, length, 0).skip(done) {
            let record_lock = opened.record_lock.as_ref();
            if let Some(lock) = record_lock
                && !lock.wait(offset, length, halt)?
            {
                return Ok(());
            }
            let record = records.for_write(offset, length, 0);
            let written = write_whole(opened.file.as_mut(), record, offset);
            record_lock.map_or(Ok(()), |lock| lock.let_go(offset, length))?;
            written?;
        }
        opened.file.flush()
    };
    let result = rest();
    progress.note("write", 0, result);
}
