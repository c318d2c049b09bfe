//! A disk that turns: zones and tracks, one arm, a head whose place in time is known exactly, a
//! read-ahead buffer, a write cache, and a queue.
//!
//! The model has the parts of Ruemmler and Wilkes, "An introduction to disk drive modeling" (IEEE
//! Computer 27(3), 1994): a seek curve of a + b*sqrt(d) for short and a line for long seeks, track
//! and cylinder skew, zones, rotational position, read-ahead and write-behind in a buffer. Their
//! finding that a model without the buffer is wrong by a factor is why it is here.

mod arm;
mod destage;
mod figures;
mod geometry;
mod queue;
mod shingle;
mod stream;
mod write_cache;

use std::collections::VecDeque;

use super::finished::Finished;
use super::{Completion, Disk, Request, RequestKind, transfer_ns};

use arm::Arm;
pub use figures::{HddFigures, RecordingZone, SeekCurve, ShingleFigures};
pub use geometry::Geometry;
use geometry::TrackSpan;
pub use queue::Discipline;
use shingle::Shingle;
use stream::HeadStream;
use write_cache::WriteCache;

/// The disk.
#[derive(Debug)]
pub struct Hdd {
    figures: HddFigures,
    geometry: Geometry,
    arm: Arm,
    /// What the head passes over after the last read, if the arm has stayed there.
    stream: Option<HeadStream>,
    cache: WriteCache,
    shingle: Option<Shingle>,
    /// Requests that wait for the mechanism.
    waiting: VecDeque<Waiting>,
    /// Writes that wait for room in the cache.
    crowded: VecDeque<Request>,
    /// Flushes, each with the generation that it waits for.
    flushes: VecDeque<(u64, u64)>,
    /// What the mechanism does now.
    work: Option<Work>,
    /// Where the last cached write ended on the medium.
    last_destaged: u64,
    bus_free_ns: u64,
    finished: Finished,
}

/// A request with the time at which it came.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    at_ns: u64,
    request: Request,
    span: TrackSpan,
}

/// What the mechanism does until a time.
#[derive(Debug, Clone, Copy)]
struct Work {
    end_ns: u64,
    /// The request that it is done for, and when that is answered; none where a cached write goes to the medium.
    answers: Option<(u64, u64)>,
}

impl Work {
    /// Work whose end answers its request.
    fn of(request: u64, end_ns: u64) -> Work {
        Work {
            end_ns,
            answers: Some((request, end_ns)),
        }
    }
}

impl Hdd {
    /// A disk of these figures, at rest over its first track.
    #[must_use]
    pub fn new(figures: HddFigures) -> Hdd {
        let geometry = Geometry::new(&figures);
        Hdd {
            arm: Arm::new(&figures),
            stream: None,
            cache: WriteCache::new(figures.write_cache_bytes),
            shingle: figures.shingle.map(Shingle::new),
            waiting: VecDeque::new(),
            crowded: VecDeque::new(),
            flushes: VecDeque::new(),
            work: None,
            last_destaged: 0,
            bus_free_ns: 0,
            finished: Finished::default(),
            geometry,
            figures,
        }
    }

    /// Where its sectors lie.
    #[must_use]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// When an answer that needs no mechanism is across the interface.
    fn answered_ns(&mut self, at_ns: u64, bytes: u64) -> u64 {
        let begin = at_ns.max(self.bus_free_ns) + self.figures.command_ns;
        self.bus_free_ns = begin + transfer_ns(bytes, self.figures.interface_rate);
        self.bus_free_ns
    }

    fn submit_read(&mut self, at_ns: u64, request: Request) {
        let cached = self.cache.covers(request.offset_bytes, request.end_bytes());
        if cached || self.read_ahead_has(at_ns, &request) {
            let end = self.answered_ns(at_ns, request.length_bytes);
            return self.finished.add(end, request.id);
        }
        self.wait(at_ns, request);
    }

    fn wait(&mut self, at_ns: u64, request: Request) {
        let span = self.geometry.span(&request);
        self.waiting.push_back(Waiting {
            at_ns,
            request,
            span,
        });
    }

    /// Whether the head has already passed over all of it; if so, it reads on.
    fn read_ahead_has(&mut self, at_ns: u64, request: &Request) -> bool {
        let Some(stream) = &mut self.stream else {
            return false;
        };
        let has = self.work.is_none() && {
            let span = self.geometry.span(request);
            stream.has(at_ns, span.from_ns, span.to_ns)
        };
        if has {
            let ahead = self.geometry.place_ns(
                request
                    .end_bytes()
                    .saturating_add(self.figures.read_ahead_bytes),
            );
            stream.read_on(at_ns, ahead, self.figures.turn_ns());
        }
        has
    }

    fn submit_write(&mut self, at_ns: u64, request: Request) {
        let through = request.kind == (RequestKind::Write { fua: true }) || !self.cache.is_on();
        if through {
            self.cache.forget(request.offset_bytes, request.end_bytes());
            return self.wait(at_ns, request);
        }
        match self.crowded.is_empty() && self.cache.has_room(request.length_bytes) {
            true => self.admit(at_ns, &request),
            false => self.crowded.push_back(request),
        }
    }

    /// Takes a write into the cache and answers it.
    fn admit(&mut self, at_ns: u64, request: &Request) {
        self.cache
            .insert(request.offset_bytes, request.length_bytes);
        let end = self.answered_ns(at_ns, request.length_bytes);
        self.finished.add(end, request.id);
    }

    fn submit_flush(&mut self, at_ns: u64, request: &Request) {
        if self.cache.is_clean() && self.crowded.is_empty() && !self.destages() {
            let end = self.answered_ns(at_ns, 0);
            return self.finished.add(end, request.id);
        }
        let generation = self.cache.close_generation();
        self.flushes.push_back((request.id, generation));
    }

    fn destages(&self) -> bool {
        self.work.is_some_and(|work| work.answers.is_none())
    }

    /// Ends the flushes whose writes are all on the medium.
    fn end_flushes(&mut self, at_ns: u64) {
        while let Some((id, generation)) = self.flushes.front().copied() {
            if self.cache.holds_until(generation) || self.destages() {
                return;
            }
            self.flushes.pop_front();
            let end = self.answered_ns(at_ns, 0);
            self.finished.add(end, id);
        }
    }
}

impl Disk for Hdd {
    fn bytes(&self) -> u64 {
        self.geometry.bytes()
    }

    fn passed(&self, byte: u64) -> u64 {
        self.geometry.place_ns(byte)
    }

    fn submit(&mut self, at_ns: u64, request: Request) {
        match request.kind {
            RequestKind::Read => self.submit_read(at_ns, request),
            RequestKind::Write { .. } => self.submit_write(at_ns, request),
            RequestKind::Flush => self.submit_flush(at_ns, &request),
            RequestKind::Trim => {
                let end = self.answered_ns(at_ns, 0);
                self.finished.add(end, request.id);
            }
        }
        self.begin(at_ns);
    }

    fn next_event_ns(&self) -> Option<u64> {
        let work = self.work.map(|work| work.end_ns);
        self.finished.next_ns().into_iter().chain(work).min()
    }

    fn step(&mut self) -> Option<Completion> {
        let finished = self.finished.next_ns().unwrap_or(u64::MAX);
        let work = match self.work {
            Some(work) if work.end_ns <= finished => work,
            _ => return self.finished.take(),
        };
        self.work = None;
        if let Some((id, answered_ns)) = work.answers {
            self.finished.add(answered_ns, id);
        }
        self.admit_crowded(work.end_ns);
        self.end_flushes(work.end_ns);
        self.begin(work.end_ns);
        None
    }
}

#[cfg(test)]
mod tests;
