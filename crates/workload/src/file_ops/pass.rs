//! One operation on one file: made ready, timed, brought to an end.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_model::Ended;
use etalon_units::{Bytes, Nanos};
use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use super::data::Records;
use super::file::{self, Opened, RecordFile};
use super::jitter::Jitter;
use super::{Direction, FileOp, FileOpError, Settings, Visits};

/// What one operation on one file came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// What was done; a mixed operation is told as what this worker did.
    pub op: FileOp,
    /// Bytes moved within the clock.
    pub bytes: Bytes,
    /// Records moved within the clock.
    pub operations: u64,
    /// When the clock started, on the monotonic clock of the machine.
    pub started: Nanos,
    /// When it stopped.
    pub stopped: Nanos,
    /// Processor time of the worker within the clock, user and system together.
    pub cpu: Nanos,
    /// Bytes that the kernel fetched from storage for this worker's reads; `None` where it does
    /// not count them.
    pub fetched: Option<Bytes>,
    /// How it ended; a pass that another worker's end cut short counts as complete.
    pub ended: Ended,
    /// Whether `O_DIRECT` was in force.
    pub direct: bool,
    /// The error number with which `O_DIRECT` was refused.
    pub direct_refused: Option<i32>,
    /// Each record's latency, where they were asked for.
    pub latencies: Vec<RecordLatency>,
}

impl Pass {
    /// The span of the clock.
    pub fn elapsed(&self) -> Nanos {
        Nanos(self.stopped.0.saturating_sub(self.started.0))
    }
}

/// How long one record took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLatency {
    /// Where the record lies.
    pub offset: u64,
    /// How long it took.
    pub latency: Nanos,
}

/// Who may end a pass early.
#[derive(Clone, Copy)]
pub(crate) struct Halt<'a> {
    /// The user.
    pub(crate) stop: &'a AtomicBool,
    /// The first worker of a group that is done.
    pub(crate) wall: Option<&'a AtomicBool>,
}

impl Halt<'_> {
    #[inline]
    fn reached(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.walled()
    }

    fn walled(&self) -> bool {
        self.wall.is_some_and(|wall| wall.load(Ordering::Relaxed))
    }
}

/// What one worker is to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) op: FileOp,
    pub(crate) path: PathBuf,
    pub(crate) settings: Settings,
    /// Number of this pass over the file, so that no pass writes what an earlier one wrote.
    pub(crate) number: u64,
}

/// A worker with everything in place but the clock not started.
pub(crate) struct Ready {
    pub(crate) op: FileOp,
    pub(crate) opened: Opened,
    pub(crate) records: Records,
    pub(crate) visits: Visits,
    pub(crate) settings: Settings,
    pub(crate) path: PathBuf,
    pub(crate) number: u64,
}

/// Carries out one operation on one file; `number` tells this pass from others over the same file.
///
/// # Errors
/// When the pass cannot begin; what fails within the clock is told by [`Pass::ended`].
pub fn run_pass(
    op: FileOp,
    path: &Path,
    settings: &Settings,
    number: u64,
    stop: &AtomicBool,
) -> Result<Pass, FileOpError> {
    let job = Job {
        op,
        path: path.to_owned(),
        settings: settings.clone(),
        number,
    };
    Ok(prepare(&job)?.go(Halt { stop, wall: None }))
}

/// Opens the file and touches the memory that the pass will use.
pub(crate) fn prepare(job: &Job) -> Result<Ready, FileOpError> {
    let Job {
        op,
        path,
        settings,
        number,
    } = job;
    let record = settings.record_length()?;
    if op.direction() == Direction::Read {
        check_length(path, settings)?;
    }
    let seed = settings.seed.wrapping_add(*number);
    let records = Records::new(settings.buffers, record, settings.verify, seed);
    let visits = Visits::new(op.order(), settings.records(), settings.stride, seed);
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
    Ok(Ready {
        op: *op,
        opened,
        records,
        visits,
        settings: settings.clone(),
        path: path.clone(),
        number: *number,
    })
}

fn check_length(path: &Path, settings: &Settings) -> Result<(), FileOpError> {
    let needed = Bytes(settings.records() * settings.record.get());
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

/// How the loop over the records ended.
struct Progress {
    operations: u64,
    ended: Ended,
    latencies: Vec<RecordLatency>,
}

impl Progress {
    /// Notes the first thing that failed.
    fn note(&mut self, operation: &str, offset: u64, result: io::Result<()>) {
        if let (Err(error), Ended::Complete) = (result, &self.ended) {
            self.ended = failure(operation, offset, &error);
        }
    }
}

impl Ready {
    /// Starts the clock, does the work, closes the file.
    pub(crate) fn go(mut self, halt: Halt<'_>) -> Pass {
        let fetched = fetched_so_far();
        let cpu = thread_time();
        let started = now();
        let mut progress = self.visit_all(halt);
        let closing = self.finish_within_clock();
        progress.note("fsync", 0, closing);
        let Ready {
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
        } = opened;
        let stopped = if settings.close_in_clock {
            drop(file);
            now()
        } else {
            let stopped = now();
            progress.note("fsync", 0, file.flush());
            stopped
        };
        let cpu = Nanos(thread_time().0.saturating_sub(cpu.0));
        let fetched = fetched_so_far()
            .zip(fetched)
            .map(|(after, before)| Bytes(after.saturating_sub(before)));
        if op.creates() && halt.walled() && progress.ended == Ended::Complete {
            complete(&path, &settings, progress.operations, &mut progress);
        }
        Pass {
            op,
            bytes: Bytes(progress.operations * settings.record.get()),
            operations: progress.operations,
            started,
            stopped,
            cpu,
            fetched,
            ended: progress.ended,
            direct,
            direct_refused: refused,
            latencies: progress.latencies,
        }
    }

    /// The timed loop.
    fn visit_all(&mut self, halt: Halt<'_>) -> Progress {
        let mut progress = Progress {
            operations: 0,
            ended: Ended::Complete,
            latencies: Vec::new(),
        };
        let record = self.settings.record.get();
        let file = self.opened.file.as_mut();
        let jitters = self.settings.jitter && !self.op.is_stream() && !self.opened.direct;
        let mut jitter = jitters.then(|| Jitter::new(self.settings.size.get(), self.number));
        let reads = self.op.direction() == Direction::Read;
        for visited in self.visits.by_ref() {
            if halt.reached() {
                if !halt.walled() {
                    progress.ended = Ended::Interrupted;
                }
                break;
            }
            let offset = visited * record;
            let before = self.settings.latencies.then(now);
            let result = if reads {
                let disturbed = match &mut jitter {
                    Some(jitter) => jitter.before(progress.operations, file),
                    None => Ok(()),
                };
                disturbed.and_then(|()| {
                    read_whole(file, self.records.for_read(), offset, self.settings.verify)
                })
            } else {
                write_whole(file, self.records.for_write(offset, self.number), offset)
            };
            if let Err(error) = result {
                progress.ended = failure(if reads { "read" } else { "write" }, offset, &error);
                break;
            }
            progress.operations += 1;
            if let Some(before) = before {
                let latency = Nanos(now().0.saturating_sub(before.0));
                progress.latencies.push(RecordLatency { offset, latency });
            }
        }
        progress
    }

    fn finish_within_clock(&mut self) -> io::Result<()> {
        self.opened.file.drain()?;
        if self.settings.flush_in_clock && self.op.direction() == Direction::Write {
            self.opened.file.flush()?;
        }
        Ok(())
    }
}

/// Writes what the end of another worker left out, so that later tests find a whole file.
fn complete(path: &Path, settings: &Settings, from: u64, progress: &mut Progress) {
    let rest = || -> io::Result<()> {
        let opened = file::open(path, FileOp::Rewrite, settings);
        let mut opened = opened.map_err(|_| io::Error::from(Errno::IO))?;
        let record = settings.record.get();
        let length = settings
            .record_length()
            .map_err(|_| io::Error::from(Errno::INVAL))?;
        let mut records = Records::new(1, length, settings.verify, settings.seed);
        for index in from..settings.records() {
            let offset = index * record;
            write_whole(opened.file.as_mut(), records.for_write(offset, 0), offset)?;
        }
        opened.file.flush()
    };
    let result = rest();
    progress.note("write", from * settings.record.get(), result);
}

#[inline]
fn read_whole(
    file: &mut dyn RecordFile,
    buffer: &mut [u8],
    offset: u64,
    verify: Option<u8>,
) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match file.read(&mut buffer[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    match verify {
        Some(byte) if buffer.iter().any(|&found| found != byte) => Err(Errno::BADMSG.into()),
        _ => Ok(()),
    }
}

#[inline]
fn write_whole(file: &mut dyn RecordFile, data: &[u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < data.len() {
        match file.write(&data[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn failure(operation: &str, offset: u64, error: &io::Error) -> Ended {
    let errno = Errno::from_io_error(error).unwrap_or(Errno::IO);
    if errno == Errno::NOSPC || errno == Errno::DQUOT {
        return Ended::DiskFull;
    }
    Ended::Failed {
        operation: operation.to_owned(),
        offset,
        errno: errno.raw_os_error(),
    }
}

/// This moment on the monotonic clock.
#[inline]
pub(crate) fn now() -> Nanos {
    read_clock(ClockId::Monotonic)
}

/// `read_bytes` of this thread (proc_pid_io(5)): what reads made the kernel fetch, the page cache's
/// hits left out and its readahead included. The twin for writes counts what was dirtied, not what
/// was written, and is of no use.
fn fetched_so_far() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("read_bytes:"))?;
    line.trim().parse().ok()
}

/// Processor time that this thread has used.
fn thread_time() -> Nanos {
    read_clock(ClockId::ThreadCPUTime)
}

#[inline]
fn read_clock(clock: ClockId) -> Nanos {
    let t = clock_gettime(clock);
    Nanos(
        (t.tv_sec as u64)
            .wrapping_mul(1_000_000_000)
            .wrapping_add(t.tv_nsec as u64),
    )
}
