//! Writes that were taken and are not programmed yet.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A buffer whose entries leave when they are programmed.
#[derive(Debug)]
pub(super) struct Buffer {
    limit_bytes: u64,
    used_bytes: u64,
    /// When each leaves of which that is known, and its bytes.
    leaving: BinaryHeap<Reverse<(u64, u64)>>,
    last_ns: u64,
}

impl Buffer {
    pub(super) fn new(limit_bytes: u64) -> Buffer {
        Buffer {
            limit_bytes,
            used_bytes: 0,
            leaving: BinaryHeap::new(),
            last_ns: 0,
        }
    }

    /// Takes so many bytes if there is room for them by now. An empty buffer has room for anything.
    pub(super) fn admit(&mut self, now_ns: u64, bytes: u64) -> bool {
        self.release(now_ns);
        let has_room = self.used_bytes == 0 || self.used_bytes + bytes <= self.limit_bytes;
        if has_room {
            self.used_bytes += bytes;
        }
        has_room
    }

    fn release(&mut self, now_ns: u64) {
        while let Some(Reverse((_, bytes))) = self.leaving.peek().filter(|next| next.0.0 <= now_ns)
        {
            self.used_bytes -= bytes;
            self.leaving.pop();
        }
    }

    /// Bytes that were admitted are programmed then.
    pub(super) fn leaves(&mut self, leaves_ns: u64, bytes: u64) {
        self.leaving.push(Reverse((leaves_ns, bytes)));
        self.last_ns = self.last_ns.max(leaves_ns);
    }

    /// When the next entry leaves.
    pub(super) fn next_ns(&self) -> Option<u64> {
        self.leaving
            .peek()
            .map(|Reverse((leaves_ns, _))| *leaves_ns)
    }

    /// When everything is programmed of which that is known.
    pub(super) fn empty_ns(&self, at_ns: u64) -> u64 {
        at_ns.max(self.last_ns)
    }
}
