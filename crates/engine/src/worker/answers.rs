//! What a worker does with an answer: book it, go on with a short one, end at an error.

use etalon_model::Ended;
use rustix::io::Errno;

use super::{Slot, Verify, Worker};
use crate::backend::{Backend, Completion, Request};
use crate::clock::Clock;
use crate::data::{Expected, check, generation};
use crate::recorder::OpKind;

impl<B: Backend, C: Clock> Worker<'_, B, C> {
    #[inline]
    pub(super) fn settle(&mut self, completion: Completion) {
        let Slot { request, from } = self.slots[completion.slot];
        let Some(request) = request else { return };
        match completion.result() {
            Ok(moved) if moved == request.length as usize => {
                let bytes = request.range().end as u64;
                let latency = self.now.saturating_sub(from);
                self.recorder.record(request.kind, self.now, latency, bytes);
                self.bytes += bytes;
                self.unshown += 1;
                if !matches!(self.task.verify, Verify::Off) {
                    self.compare(completion.slot);
                }
                self.release(completion.slot);
            }
            _ => self.settle_rest(completion),
        }
    }

    #[inline]
    fn release(&mut self, slot: usize) {
        self.slots[slot].request = None;
        self.free.push(slot);
        self.in_flight -= 1;
        if self.beginning.is_ahead() {
            self.answered(slot);
        }
    }

    /// Compares what a read brought, and books what a write left.
    fn compare(&mut self, slot: usize) {
        let Some(request) = self.slots[slot].request else {
            return;
        };
        let block = self.block(request);
        let expected = match self.task.verify {
            Verify::Off => return,
            Verify::Layout => Expected::Exactly(0),
            Verify::Stamps => Expected::Any,
            Verify::Ledger { ledger, .. } if request.kind == OpKind::Write => {
                ledger.wrote(block);
                return;
            }
            Verify::Ledger { ledger, unwritten } => match ledger.writes(block) {
                0 => unwritten,
                writes => Expected::Exactly(generation(self.task.epoch, writes)),
            },
        };
        let length = request.range().end;
        let offset = request.offset - u64::from(request.done);
        let data = &self.backend.buffer(slot)[..length];
        check(
            self.task.pattern,
            data,
            self.task.file,
            offset,
            expected,
            &mut self.report,
        );
    }

    /// A short answer goes on where it stopped; an error ends the job.
    #[cold]
    fn settle_rest(&mut self, completion: Completion) {
        let slot = completion.slot;
        let Some(request) = self.slots[slot].request else {
            return;
        };
        let (kind, offset) = (request.kind, request.offset);
        let error = match completion.result() {
            // Nothing read before the end of the request: the file is shorter than it was.
            Ok(0) if kind == OpKind::Read => Errno::NODATA,
            Ok(0) => Errno::IO,
            Ok(moved) => {
                let moved = (moved as u32).min(request.length);
                self.slots[slot].request = Some(Request {
                    kind,
                    offset: offset + u64::from(moved),
                    length: request.length - moved,
                    done: request.done + moved,
                });
                self.again.push_back(slot);
                return;
            }
            Err(Errno::INTR | Errno::AGAIN) if self.stop_seen.is_none() => {
                self.again.push_back(slot);
                return;
            }
            Err(error) => error,
        };
        self.release(slot);
        let operation = match kind {
            OpKind::Read => "read",
            OpKind::Write => "write",
            OpKind::Trim => "trim",
        };
        self.fail(operation, offset, error);
    }

    pub(super) fn fail(&mut self, operation: &str, offset: u64, error: Errno) {
        let ended = if error == Errno::NOSPC || error == Errno::DQUOT {
            Ended::DiskFull
        } else {
            let operation = operation.to_owned();
            Ended::Failed {
                operation,
                offset,
                errno: error.raw_os_error(),
            }
        };
        if matches!(self.ending, None | Some(Ended::Complete)) {
            self.ending = Some(ended);
        }
    }
}
