//! Writes that were answered and are not programmed yet.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A buffer whose entries leave when they are programmed.
#[derive(Debug)]
pub(super) struct Buffer {
    limit_bytes: u64,
    used_bytes: u64,
    /// When each leaves, and its bytes.
    entries: BinaryHeap<Reverse<(u64, u64)>>,
    last_ns: u64,
}

impl Buffer {
    pub(super) fn new(limit_bytes: u64) -> Buffer {
        Buffer {
            limit_bytes,
            used_bytes: 0,
            entries: BinaryHeap::new(),
            last_ns: 0,
        }
    }

    /// When there is room for so many bytes. An empty buffer has room for anything.
    pub(super) fn room_ns(&mut self, at_ns: u64, bytes: u64) -> u64 {
        let mut room_ns = at_ns;
        while let Some(Reverse((leaves_ns, size))) = self.entries.peek().copied() {
            let full = self.used_bytes + bytes > self.limit_bytes;
            if leaves_ns > room_ns && !full {
                break;
            }
            room_ns = room_ns.max(leaves_ns);
            self.used_bytes -= size;
            self.entries.pop();
        }
        room_ns
    }

    pub(super) fn add(&mut self, leaves_ns: u64, bytes: u64) {
        self.used_bytes += bytes;
        self.entries.push(Reverse((leaves_ns, bytes)));
        self.last_ns = self.last_ns.max(leaves_ns);
    }

    /// When everything in it is programmed.
    pub(super) fn empty_ns(&self, at_ns: u64) -> u64 {
        at_ns.max(self.last_ns)
    }
}
