//! Requests of one file under way together, for work with an order and a clock of its own.

use std::fs::File;
use std::ops::Range;

use rustix::io::Errno;

use super::ring::{RingBackend, RingOptions};
use super::{Backend, Patience, Request};
use crate::recorder::OpKind;

/// How long one wait for a completion lasts before it is begun again.
const PATIENCE_NANOS: u64 = 1_000_000_000;

/// Reads and writes of one file by `io_uring(7)`, each from and to a buffer of its own.
///
/// A slot is the number of a buffer, below the depth. It is free until [`Queue::read`] or
/// [`Queue::write`] takes it, and again once [`Queue::ended`] has told its end.
pub struct Queue {
    ring: RingBackend,
    flying: usize,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Queue")
            .field("flying", &self.flying)
            .finish_non_exhaustive()
    }
}

impl Queue {
    /// `depth` buffers (at least 1) of `slot` bytes (below 2 GiB) for requests on `file`. Must be
    /// called by the thread that will use the queue.
    ///
    /// # Errors
    /// When the kernel gives no ring, as where `kernel.io_uring_disabled` is set.
    pub fn new(file: File, depth: usize, slot: usize) -> Result<Queue, Errno> {
        let depth = depth.max(1);
        let options = RingOptions {
            depth,
            batch: depth,
            block: slot,
            huge_page: None,
            poll: false,
            sqpoll: false,
        };
        // Buffers that could not be registered are mapped anew by each request: slower, not wrong.
        let (ring, _) = RingBackend::new(file, options)?;
        Ok(Queue { ring, flying: 0 })
    }

    /// The buffer of a free slot; empty while the slot is under way.
    #[inline]
    pub fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.ring.buffer(slot)
    }

    /// Requests that were taken and whose end was not told.
    #[inline]
    pub fn flying(&self) -> usize {
        self.flying
    }

    /// Takes a request to read `part` of the slot's buffer from `offset` of the file.
    #[inline]
    pub fn read(&mut self, slot: usize, offset: u64, part: Range<usize>) {
        self.push(OpKind::Read, slot, offset, part);
    }

    /// Takes a request to write `part` of the slot's buffer at `offset` of the file.
    #[inline]
    pub fn write(&mut self, slot: usize, offset: u64, part: Range<usize>) {
        self.push(OpKind::Write, slot, offset, part);
    }

    #[inline]
    fn push(&mut self, kind: OpKind, slot: usize, offset: u64, part: Range<usize>) {
        let request = Request {
            kind,
            offset,
            length: part.len() as u32,
            done: part.start as u32,
        };
        self.flying += 1;
        self.ring.push(slot, request);
    }

    /// Hands over what was taken and, with `wait`, waits about a second for the end of a request,
    /// if any is under way.
    ///
    /// # Errors
    /// When the kernel refuses the ring itself.
    #[inline]
    pub fn submit(&mut self, wait: bool) -> Result<(), Errno> {
        self.ring.submit(match wait {
            true => Patience {
                count: 1,
                nanos: PATIENCE_NANOS,
            },
            false => Patience::NONE,
        })
    }

    /// A request that has ended: its slot, and the bytes moved or the error. `AGAIN` and `INTR`
    /// ask for the same request once more, and so does a short answer for the rest.
    #[inline]
    pub fn ended(&mut self) -> Option<(usize, Result<usize, Errno>)> {
        let completion = self.ring.completion()?;
        self.flying = self.flying.saturating_sub(1);
        Some((completion.slot, completion.result()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_together_is_read_together() {
        let file = tempfile::tempfile().unwrap();
        let mut queue = match Queue::new(file, 4, 1000) {
            Ok(queue) => queue,
            Err(errno) => return println!("skipped: no ring: {errno}"),
        };
        let wait_all = |queue: &mut Queue| {
            let mut seen = Vec::new();
            while queue.flying() > 0 {
                queue.submit(true).unwrap();
                while let Some((slot, result)) = queue.ended() {
                    assert_eq!(result, Ok(1000), "slot {slot}");
                    seen.push(slot);
                }
            }
            seen.sort_unstable();
            seen
        };
        for slot in 0..4 {
            queue.buffer(slot).fill(slot as u8);
            queue.write(slot, slot as u64 * 1000, 0..1000);
            assert!(queue.buffer(slot).is_empty(), "under way");
        }
        assert_eq!(wait_all(&mut queue), [0, 1, 2, 3]);
        for slot in 0..4 {
            queue.read(slot, (3 - slot) as u64 * 1000, 0..1000);
        }
        assert_eq!(wait_all(&mut queue), [0, 1, 2, 3]);
        for slot in 0..4 {
            assert!(
                queue
                    .buffer(slot)
                    .iter()
                    .all(|&byte| byte == 3 - slot as u8)
            );
        }
    }
}
