//! What the head passes over after a read: the drive's own read-ahead.

use super::arm::next_pass_ns;

/// A head that reads on in order. Places are those of the geometry, in nanoseconds of reading on.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeadStream {
    /// The oldest place that the buffer has still got.
    from_ns: u64,
    /// A place, and when the head was there.
    place_ns: u64,
    at_ns: u64,
    /// Where it stops reading on, until somebody reads.
    limit_ns: u64,
    /// What the buffer held of it at first. It keeps twice as much, however far the head goes.
    window_ns: u64,
}

impl HeadStream {
    /// A head that was at this place at this time and reads on to the limit.
    pub(super) fn new(from_ns: u64, place_ns: u64, at_ns: u64, limit_ns: u64) -> HeadStream {
        HeadStream {
            from_ns,
            place_ns,
            at_ns,
            limit_ns,
            window_ns: limit_ns.saturating_sub(from_ns),
        }
    }

    /// How far the head has come.
    fn head_ns(&self, now_ns: u64) -> u64 {
        let passed = now_ns.saturating_sub(self.at_ns);
        (self.place_ns + passed).min(self.limit_ns)
    }

    /// Whether everything between these places is in the buffer.
    pub(super) fn has(&self, now_ns: u64, from_ns: u64, to_ns: u64) -> bool {
        from_ns >= self.from_ns && to_ns <= self.head_ns(now_ns)
    }

    /// When the head will have read up to a place, if reading on is the way to it: it begins in the
    /// buffer or before the limit. A gap before it is passed at media speed.
    pub(super) fn arrives_ns(
        &self,
        now_ns: u64,
        from_ns: u64,
        to_ns: u64,
        turn_ns: u64,
    ) -> Option<u64> {
        if from_ns < self.from_ns || from_ns > self.limit_ns {
            return None;
        }
        let going = self.place_ns + now_ns.saturating_sub(self.at_ns);
        if going <= self.limit_ns || to_ns <= self.limit_ns {
            return Some(now_ns.max(self.at_ns + to_ns.saturating_sub(self.place_ns)));
        }
        let again = next_pass_ns(now_ns, self.limit_ns, turn_ns);
        Some(again + (to_ns - self.limit_ns))
    }

    /// Somebody has read from the buffer: the head reads on to this limit. One that had stopped
    /// waits until its place comes by again.
    pub(super) fn read_on(&mut self, now_ns: u64, limit_ns: u64, turn_ns: u64) {
        if self.head_ns(now_ns) == self.limit_ns && limit_ns > self.limit_ns {
            self.place_ns = self.limit_ns;
            self.at_ns = next_pass_ns(now_ns, self.limit_ns, turn_ns);
        }
        self.limit_ns = self.limit_ns.max(limit_ns);
        self.from_ns = self
            .from_ns
            .max(self.limit_ns.saturating_sub(2 * self.window_ns));
    }

    pub(super) fn oldest_ns(&self) -> u64 {
        self.from_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_keeps_what_was_read_last_and_not_all_that_was_ever_read_on() {
        let (ahead, turn) = (20, 1_000);
        let mut stream = HeadStream::new(0, 1, 1, 1 + ahead);
        // Whoever reads is always a little behind the head.
        for now in 10..10_000 {
            assert!(stream.has(now, now - 5, now - 4), "{now}: {stream:?}");
            stream.read_on(now, now - 4 + ahead, turn);
        }
        assert!(stream.has(10_000, 9_980, 9_981));
        assert!(!stream.has(10_000, 9_900, 9_901));
        assert!(!stream.has(10_000, 1, 2));
    }
}
