//! The records of a pass with several of them under way at once.

use std::io;

use etalon_host::clock::now;
use etalon_model::Ended;
use etalon_units::Nanos;
use rustix::io::Errno;

use super::content::Content;
use super::data::RecordBuffers;
use super::halt::Halt;
use super::pass::RecordLatency;
use super::progress::RecordProgress;
use super::queue::{Flight, Queued};
use super::ready::ReadyWorker;
use super::steps::PassAccess;
use super::{Direction, FileOp, Settings};

/// A worker's memory and orders, as the records in the queue need them.
struct WorkerState<'a> {
    op: FileOp,
    records: &'a mut RecordBuffers,
    content: &'a Content,
    settings: &'a Settings,
    number: u64,
}

impl WorkerState<'_> {
    /// Sends a record on its way in a free slot, of which there is one while there is room.
    fn begin(&mut self, queued: &mut Queued, step: PassAccess) {
        let Some(slot) = queued.take() else {
            return;
        };
        if self.op.direction() == Direction::Write {
            let memory = &mut queued.queue.buffer(slot)[..step.length];
            if queued.copied {
                let record = self
                    .records
                    .for_write(step.offset, step.length, self.number);
                memory.copy_from_slice(record);
            } else {
                self.content.place(memory, step.offset, self.number);
            }
        }
        queued.flights[slot] = Flight {
            offset: step.offset,
            length: step.length,
            done: 0,
            before: self.settings.latencies.then(now),
        };
        queued.send(slot, self.op);
    }

    /// Books an answer; true when the record is whole.
    fn settle(
        &mut self,
        queued: &mut Queued,
        slot: usize,
        answer: Result<usize, Errno>,
    ) -> io::Result<bool> {
        let flight = &mut queued.flights[slot];
        match answer {
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(errno) => return Err(errno.into()),
            Ok(0) if self.op.direction() == Direction::Read => {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(moved) => flight.done += moved,
        }
        if flight.done < flight.length {
            queued.send(slot, self.op);
            return Ok(false);
        }
        if self.op.direction() == Direction::Read {
            let (offset, length) = (flight.offset, flight.length);
            let memory = &queued.queue.buffer(slot)[..length];
            if queued.copied {
                let record = self.records.for_read(length);
                record.copy_from_slice(memory);
                self.content.compare(record, offset)?;
            } else {
                self.content.compare(memory, offset)?;
            }
        }
        Ok(true)
    }
}

impl ReadyWorker {
    /// The timed work of a queue.
    pub(crate) fn visit_queued(&mut self, queued: &mut Queued, halt: Halt<'_>) -> RecordProgress {
        let mut progress = RecordProgress::default();
        let mut state = WorkerState {
            op: self.op,
            records: &mut self.records,
            content: &self.content,
            settings: &self.settings,
            number: self.number,
        };
        let mut more = true;
        while more || queued.queue.flying() > 0 {
            while more && queued.has_room() {
                if halt.reached() {
                    progress.halt(halt);
                    more = false;
                } else if let Some(step) = self.steps.next() {
                    if let Some(pauses) = &mut self.pauses {
                        // What is under way goes on meanwhile.
                        submit(queued, false, &mut progress);
                        pauses.before(&step, halt);
                    }
                    state.begin(queued, step);
                } else {
                    more = false;
                }
            }
            if queued.queue.flying() > 0 && !submit(queued, true, &mut progress) {
                break;
            }
            more &= gather(queued, &mut state, &mut progress);
        }
        progress
    }
}

/// Hands over what was begun; false when the kernel refuses.
fn submit(queued: &mut Queued, wait: bool, progress: &mut RecordProgress) -> bool {
    let result = queued.queue.submit(wait);
    let refused = result.is_err();
    progress.note("submit", 0, result.map_err(io::Error::from));
    !refused
}

/// Takes every answer that is there; false when one of them ends the pass.
fn gather(queued: &mut Queued, state: &mut WorkerState<'_>, progress: &mut RecordProgress) -> bool {
    let name = match state.op.direction() {
        Direction::Read => "read",
        Direction::Write => "write",
    };
    while let Some((slot, answer)) = queued.queue.ended() {
        let settled = state.settle(queued, slot, answer);
        let flight = queued.flights[slot];
        match settled {
            Ok(false) => continue,
            Ok(true) => {
                progress.operations += 1;
                progress.bytes += flight.length as u64;
                if let Some(before) = flight.before {
                    progress.latencies.push(RecordLatency {
                        offset: flight.offset,
                        length: flight.length as u64,
                        latency: Nanos(now().0.saturating_sub(before.0)),
                    });
                }
            }
            Err(error) => progress.note(name, flight.offset, Err(error)),
        }
        queued.give_back(slot);
    }
    progress.ended == Ended::Complete
}
