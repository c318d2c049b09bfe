//! The queue of a pass with several records under way at once.

use std::fs::File;
use std::io;

use etalon_engine::Queue;
use etalon_units::Nanos;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::content::Content;
use super::settings::Depth;
use super::{Direction, FileOp, Settings};

/// A queue and what is under way in it. Records end in any order; each end makes room for the
/// next record.
pub(crate) struct Queued {
    pub(super) queue: Queue,
    pub(super) copied: bool,
    pub(super) flights: Vec<Flight>,
    pub(super) free: Vec<usize>,
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
        settings: &Settings,
    ) -> io::Result<Queued> {
        let slots = depth.records.max(1);
        let mut queue = Queue::new(file, slots, record)?;
        let content = Content::new(settings.fill);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        for slot in 0..slots {
            content.prepare(queue.buffer(slot), &mut rng);
        }
        Ok(Queued {
            queue,
            copied: depth.copied,
            flights: vec![Flight::default(); slots],
            free: (0..slots).rev().collect(),
        })
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
