//! The queue of a pass with several records under way at once.

use std::collections::VecDeque;
use std::fs::File;
use std::io;

use etalon_engine::Queue;
use etalon_units::Nanos;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::content::Content;
use super::data::pool_for;
use super::settings::Depth;
use super::{Direction, FileOp, Settings};

/// The most buffers that a ring registers on older kernels (`UIO_MAXIOV`, include/uapi/linux/uio.h).
const MOST_SLOTS: usize = 1024;

/// A queue and what is under way in it. Records end in any order; each end makes room for the
/// next record.
pub(crate) struct Queued {
    pub(super) queue: Queue,
    pub(super) copied: bool,
    pub(super) flights: Vec<Flight>,
    /// The most records under way.
    depth: usize,
    /// Slots without a record, that which was used last at the end.
    free: VecDeque<usize>,
}

/// What became of a slot's record so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flight {
    pub(super) offset: u64,
    pub(super) length: usize,
    pub(super) done: usize,
    /// When it set out, where latencies are kept.
    pub(super) before: Option<Nanos>,
}

impl Queued {
    /// A queue for `file`, its memory filled with what will be written.
    pub(crate) fn new(
        file: File,
        depth: Depth,
        record: usize,
        (op, settings): (FileOp, &Settings),
    ) -> io::Result<Queued> {
        let content = Content::new(settings.fill);
        let most = depth.records.max(1);
        let slots = match op.direction() {
            // What is written from the slots themselves is to be as long without equal parts as
            // what is copied into them.
            Direction::Write if content.stays() && !depth.copied => {
                let pool = pool_for(settings.span(op), record);
                pool.min(MOST_SLOTS).max(most)
            }
            _ => most,
        };
        let mut queue = Queue::new(file, slots, record)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        for slot in 0..slots {
            content.prepare(queue.buffer(slot), &mut rng);
        }
        Ok(Queued {
            queue,
            copied: depth.copied,
            flights: vec![Flight::default(); slots],
            depth: most,
            free: (0..slots).collect(),
        })
    }

    /// Whether another record may set out.
    pub(super) fn has_room(&self) -> bool {
        self.queue.flying() < self.depth
    }

    /// Takes the slot that has been free for longest.
    pub(super) fn take(&mut self) -> Option<usize> {
        self.free.pop_front()
    }

    /// Gives a slot back whose record has ended.
    pub(super) fn give_back(&mut self, slot: usize) {
        self.free.push_back(slot);
    }

    /// Asks for what is left of a slot's record.
    pub(super) fn send(&mut self, slot: usize, op: FileOp) {
        let flight = self.flights[slot];
        let (offset, rest) = (
            flight.offset + flight.done as u64,
            flight.done..flight.length,
        );
        match op.direction() {
            Direction::Read => self.queue.read(slot, offset, rest),
            Direction::Write => self.queue.write(slot, offset, rest),
        }
    }
}
