//! A disk that turns: one arm, a medium of constant rate, and a buffer into which it reads ahead.

use etalon_units::Bytes;

use crate::offsets::mix;

/// Nanoseconds of a second.
const SECOND: f64 = 1e9;
/// Part of the longest seek that the shortest takes.
const SHORTEST: f64 = 0.1;
/// A turn of the platters over the longest seek: 8.33 ms at 7200 turns a minute beside 9 ms.
const TURN: f64 = 0.926;

/// What the disk is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Geometry {
    pub(super) bytes_per_second: u64,
    pub(super) read_ahead: Bytes,
    pub(super) size: Bytes,
    /// Nanoseconds of the longest seek.
    pub(super) seek: u64,
}

/// What it is doing. Requests are answered in the order in which they came.
#[derive(Debug)]
pub(super) struct FakeDisk {
    like: Geometry,
    /// The buffer holds what lies from here ...
    from: u64,
    /// ... to here, where the medium was at the moment `since`.
    to: f64,
    since: u64,
    /// The medium reads on to here.
    limit: u64,
    free: u64,
}

impl FakeDisk {
    /// A disk that has read ahead what lies at its beginning.
    pub(super) fn new(like: Geometry) -> FakeDisk {
        FakeDisk {
            like,
            from: 0,
            to: like.read_ahead.as_f64(),
            since: 0,
            limit: like.read_ahead.get(),
            free: 0,
        }
    }

    /// When the request that comes at `now` is answered.
    pub(super) fn serve(&mut self, now: u64, offset: u64, length: u64) -> u64 {
        let start = now.max(self.free);
        self.read_on(start);
        let end = offset + length;
        // What it is going to read comes by itself.
        let goes_on = self.from <= offset && offset <= self.limit;
        if !goes_on {
            let arrives = start + self.seek(offset);
            (self.from, self.to, self.since) = (offset, offset as f64, arrives);
            self.limit = end;
        }
        self.limit = self.limit.max(end + self.like.read_ahead.get());
        let missing = (end as f64 - self.to).max(0.0);
        let read = missing / self.like.bytes_per_second as f64 * SECOND;
        self.free = self.since.max(start) + read as u64;
        self.free
    }

    /// The medium has gone on until `now`.
    fn read_on(&mut self, now: u64) {
        let span = now.saturating_sub(self.since) as f64 / SECOND;
        let reached = self.to + span * self.like.bytes_per_second as f64;
        self.to = reached.min(self.limit as f64);
        self.since = now.max(self.since);
    }

    /// From where the arm is, and until the place comes round.
    fn seek(&self, offset: u64) -> u64 {
        let longest = self.like.seek as f64;
        let share = (offset as f64 - self.to).abs() / self.like.size.as_f64().max(1.0);
        let arm = longest * (SHORTEST + (1.0 - SHORTEST) * share.min(1.0).sqrt());
        let part = (mix(offset ^ self.since) >> 11) as f64 / (1u64 << 53) as f64;
        (arm + longest * TURN * part) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const RATE: u64 = 110_000_000;

    fn disk() -> FakeDisk {
        FakeDisk::new(Geometry {
            bytes_per_second: RATE,
            read_ahead: Bytes::mib(4),
            size: Bytes::gib(3),
            seek: 9_000_000,
        })
    }

    #[test]
    fn a_stream_is_as_fast_as_the_medium_and_the_buffer_faster() {
        let mut disk = disk();
        assert_eq!(disk.serve(0, 0, MIB), 0, "read ahead before");
        let begun = disk.serve(0, 1000 * MIB, MIB);
        let mut end = begun;
        for at in 1001..1101 {
            end = disk.serve(end, at * MIB, MIB);
        }
        let seconds = (end - begun) as f64 / SECOND;
        let expected = (100 * MIB) as f64 / RATE as f64;
        assert!((seconds - expected).abs() < 1e-5, "{seconds}");
        // While nobody asks it reads four MiB on, and no more.
        let late = end + 10_000_000_000;
        assert_eq!(disk.serve(late, 1101 * MIB, 4 * MIB), late);
        assert!(disk.serve(late, 1105 * MIB, 4 * MIB) > late);
    }

    #[test]
    fn far_places_take_longer() {
        let mut disk = disk();
        let near: u64 = (0..200).map(|at| disk.seek(at * 64 * 1024)).sum();
        let far: u64 = (0..200).map(|at| disk.seek(2048 * MIB + at * MIB)).sum();
        assert!(far as f64 > near as f64 * 1.5, "{near} {far}");
        assert!(disk.serve(0, 2048 * MIB, 4096) > 9_000_000 / 2);
    }
}
