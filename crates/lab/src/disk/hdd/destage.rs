//! What the mechanism begins when it is free: a request, or a cached write.

use super::geometry::TrackSpan;
use super::stream::HeadStream;
use super::{Hdd, Work};
use crate::disk::{Request, RequestKind};

/// Cached writes that are looked at on each side of the arm, to take the one that is reached first.
const LOOKED_AT: usize = 8;

impl Hdd {
    /// Begins the next work, if the mechanism is free and there is any.
    pub(super) fn begin(&mut self, at_ns: u64) {
        if self.work.is_some() {
            return;
        }
        let pressed = !self.flushes.is_empty() || !self.crowded.is_empty();
        if pressed && !self.cache.is_clean() {
            return self.begin_destage(at_ns);
        }
        if !self.waiting.is_empty() {
            return self.begin_request(at_ns);
        }
        if !self.cache.is_clean() {
            self.begin_destage(at_ns);
        }
    }

    fn begin_request(&mut self, at_ns: u64) {
        let place = self.pick(at_ns);
        let Some(waiting) = self.waiting.remove(place) else {
            return;
        };
        let request = waiting.request;
        self.work = Some(match request.kind {
            RequestKind::Read => self.read(at_ns, &request, &waiting.span),
            _ => {
                let end_ns = self.write(at_ns, request.offset_bytes, request.length_bytes);
                Work::of(request.id, end_ns)
            }
        });
    }

    /// A read that needs the mechanism.
    fn read(&mut self, at_ns: u64, request: &Request, span: &TrackSpan) -> Work {
        let Some(passed) = self.read_on_ns(at_ns, span) else {
            let ready = at_ns + self.figures.command_ns;
            let over = self.arm.over_place_ns(ready, span.cylinder, span.from_ns);
            let passed = over + (span.to_ns - span.from_ns);
            self.stay_over(request, span.to_ns, span.from_ns, passed);
            // The medium is slower than the interface: the last sector is across when it has been read.
            return Work::of(request.id, passed);
        };
        let buffered = self.stream.map_or(span.from_ns, |it| it.oldest_ns());
        self.stay_over(request, span.to_ns, buffered, passed);
        // Much of it may have been in the buffer before it was asked for, and goes across no faster for that.
        let across = self.answered_ns(at_ns, request.length_bytes);
        Work {
            end_ns: passed,
            answers: Some((request.id, passed.max(across))),
        }
    }

    /// The head has passed the end of a read at this time, and reads on.
    fn stay_over(&mut self, request: &Request, to: u64, buffered: u64, passed: u64) {
        let last = request.end_bytes().saturating_sub(1);
        self.arm.move_over(&self.geometry, last);
        let ahead = request.end_bytes() + self.figures.read_ahead_bytes;
        let limit = self.geometry.place_ns(ahead.min(self.geometry.bytes() - 1));
        let oldest = limit.saturating_sub(2 * (limit - to.min(limit)));
        let stream = HeadStream::new(buffered.max(oldest), to, passed, limit.max(to));
        self.stream = Some(stream);
    }

    /// When a write to the medium has ended.
    fn write(&mut self, at_ns: u64, offset: u64, length: u64) -> u64 {
        self.stream = None;
        if let Some(mut shingle) = self.shingle.take() {
            let end = self.write_shingled(&mut shingle, at_ns, offset, length);
            self.shingle = Some(shingle);
            return end;
        }
        self.write_at(at_ns, offset, length)
    }

    /// Writes in place. A write that follows the last one at once meets its sector as the head comes by.
    pub(super) fn write_at(&mut self, at_ns: u64, offset: u64, length: u64) -> u64 {
        let over = self.arm.over_ns(&self.geometry, at_ns, offset);
        self.arm
            .move_over(&self.geometry, offset + length.max(1) - 1);
        let from = self.geometry.place_ns(offset);
        over + (self.geometry.passed_ns(offset + length) - from)
    }

    /// Takes the cached write that the head reaches first, of a few around the arm.
    fn begin_destage(&mut self, at_ns: u64) {
        // A flush waits for what was there when it came: what came later must not hold it up.
        let until = self.flushes.front().map_or(u64::MAX, |flush| flush.1);
        let until = match self.cache.holds_until(until) {
            true => until,
            false => u64::MAX,
        };
        let near = self.last_destaged;
        let candidates = self.cache.around(near, LOOKED_AT, until);
        let reached = |byte: &u64| self.arm.over_ns(&self.geometry, at_ns, *byte);
        let Some(begin) = candidates.min_by_key(reached) else {
            return;
        };
        let Some(dirty) = self.cache.remove(begin) else {
            return;
        };
        self.last_destaged = begin + dirty.length_bytes;
        let end_ns = self.write(at_ns, begin, dirty.length_bytes);
        self.work = Some(Work {
            end_ns,
            answers: None,
        });
    }

    /// Answers writes for which the cache has room now.
    pub(super) fn admit_crowded(&mut self, at_ns: u64) {
        while let Some(request) = self.crowded.front().copied() {
            if !self.cache.has_room(request.length_bytes) {
                return;
            }
            self.crowded.pop_front();
            self.admit(at_ns, &request);
        }
    }
}
