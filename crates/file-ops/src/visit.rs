//! The records of a pass, one after the other, as fast as the calls return.

use std::io;

use etalon_host::clock::now;
use etalon_units::Nanos;

use super::Direction;
use super::halt::Halt;
use super::jitter::Jitter;
use super::pass::RecordLatency;
use super::progress::{RecordProgress, failure, write_whole};
use super::ready::ReadyWorker;
use super::record_file::RecordFile;
use super::record_lock::RecordLock;
use super::steps::{PassAccess, Steps};

impl ReadyWorker {
    /// The timed work of one record after the other.
    pub(crate) fn visit_all(&mut self, halt: Halt<'_>) -> RecordProgress {
        // One loop for each kind of steps, so that it need not ask at every record.
        match std::mem::take(&mut self.steps) {
            Steps::Records {
                visits,
                record,
                delay,
            } => self.visit(
                visits.map(|visited| PassAccess::record(visited, record, delay)),
                halt,
            ),
            Steps::Listed(list) => self.visit(list.map(PassAccess::from), halt),
        }
    }

    /// The timed loop.
    #[inline]
    fn visit(&mut self, steps: impl Iterator<Item = PassAccess>, halt: Halt<'_>) -> RecordProgress {
        let mut progress = RecordProgress::default();
        let file = self.opened.file.as_mut();
        let lock = self.opened.record_lock.as_ref();
        let jitters = self.settings.jitter && !self.op.is_stream() && !self.opened.direct;
        let mut jitter = jitters.then(|| Jitter::new(self.settings.size.get(), self.number));
        let reads = self.op.direction() == Direction::Read;
        for step in steps {
            if halt.reached() {
                progress.halt(halt);
                break;
            }
            if let Some(pauses) = &mut self.pauses {
                pauses.before(&step, halt);
            }
            let PassAccess { offset, length, .. } = step;
            let before = self.settings.latencies.then(now);
            if let Some(lock) = lock
                && !locked(lock, &step, halt, &mut progress)
            {
                break;
            }
            let result = if reads {
                let disturbed = match &mut jitter {
                    Some(jitter) => jitter.before(progress.operations, file),
                    None => Ok(()),
                };
                disturbed.and_then(|()| {
                    let record = self.records.for_read(length);
                    read_whole(file, record, offset)?;
                    self.content.compare(record, offset)
                })
            } else {
                let record = self.records.for_write(offset, length, self.number);
                write_whole(file, record, offset)
            };
            let freed = lock.map_or(Ok(()), |lock| lock.let_go(offset, length));
            if let Err(error) = result.and(freed) {
                progress.ended = failure(if reads { "read" } else { "write" }, offset, &error);
                break;
            }
            progress.operations += 1;
            progress.bytes += length as u64;
            if let Some(before) = before {
                let latency = Nanos(now().0.saturating_sub(before.0));
                progress.latencies.push(RecordLatency {
                    offset,
                    length: length as u64,
                    latency,
                });
            }
        }
        progress
    }
}

/// Waits for the lock of a record; false where the pass ends there.
fn locked(
    lock: &RecordLock,
    step: &PassAccess,
    halt: Halt<'_>,
    progress: &mut RecordProgress,
) -> bool {
    match lock.wait(step.offset, step.length, halt) {
        Ok(true) => return true,
        Ok(false) => progress.halt(halt),
        Err(error) => progress.ended = failure("lock", step.offset, &error),
    }
    false
}

#[inline]
fn read_whole(file: &mut dyn RecordFile, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match file.read(&mut buffer[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
