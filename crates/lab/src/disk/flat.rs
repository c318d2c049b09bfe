//! A disk of one rate and one latency: what a rate cap makes of a disk, a USB stick, an SD card, or
//! a disk across a network.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::finished::Finished;
use super::{Completion, Disk, Request, RequestKind, transfer_ns};

/// What such a disk is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlatFigures {
    /// Its size.
    pub bytes: u64,
    /// Bytes per second of reads.
    pub read_rate: u64,
    /// Bytes per second of writes.
    pub write_rate: u64,
    /// What a request costs beside its bytes.
    pub latency_ns: u64,
    /// At most so much is added to the latency, evenly drawn.
    pub jitter_ns: u64,
    /// Requests that it works on at once.
    pub width: usize,
    /// How it stands still now and then, if it does.
    pub stall: Option<Stall>,
}

/// After so many written bytes a disk stands still, as cheap flash does to erase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// Written bytes between two of them.
    pub every_bytes: u64,
    /// How long one takes.
    pub length_ns: u64,
}

/// The disk.
#[derive(Debug)]
pub struct Flat {
    figures: FlatFigures,
    /// When each server of the queue is free.
    servers: BinaryHeap<Reverse<u64>>,
    /// When the bytes of the last request are through: the rate is that of the whole disk.
    bus_free_ns: u64,
    written_bytes: u64,
    draw: Xoshiro256PlusPlus,
    finished: Finished,
}

impl Flat {
    /// A disk of these figures; the seed draws its jitter.
    #[must_use]
    pub fn new(figures: FlatFigures, seed: u64) -> Flat {
        let width = figures.width.max(1);
        Flat {
            figures,
            servers: std::iter::repeat_n(Reverse(0), width).collect(),
            bus_free_ns: 0,
            written_bytes: 0,
            draw: Xoshiro256PlusPlus::seed_from_u64(seed),
            finished: Finished::default(),
        }
    }

    /// How long the disk stands still before this write.
    fn stalled_ns(&mut self, bytes: u64) -> u64 {
        let Some(stall) = self.figures.stall else {
            return 0;
        };
        let every = stall.every_bytes.max(1);
        let before = self.written_bytes / every;
        self.written_bytes += bytes;
        (self.written_bytes / every - before) * stall.length_ns
    }

    fn bus_ns(&mut self, request: &Request) -> u64 {
        match request.kind {
            RequestKind::Read => transfer_ns(request.length_bytes, self.figures.read_rate),
            RequestKind::Write { .. } => {
                let stalled = self.stalled_ns(request.length_bytes);
                stalled + transfer_ns(request.length_bytes, self.figures.write_rate)
            }
            RequestKind::Flush | RequestKind::Trim => 0,
        }
    }
}

impl Disk for Flat {
    fn bytes(&self) -> u64 {
        self.figures.bytes
    }

    fn submit(&mut self, at_ns: u64, request: Request) {
        let Reverse(free_ns) = self.servers.pop().unwrap_or(Reverse(0));
        let jitter = self.draw.random_range(0..=self.figures.jitter_ns);
        let begin = at_ns.max(free_ns) + self.figures.latency_ns + jitter;
        let end = begin.max(self.bus_free_ns) + self.bus_ns(&request);
        self.bus_free_ns = end;
        self.servers.push(Reverse(end));
        self.finished.add(end, request.id);
    }

    fn next_event_ns(&self) -> Option<u64> {
        self.finished.next_ns()
    }

    fn step(&mut self) -> Option<Completion> {
        self.finished.take()
    }
}
