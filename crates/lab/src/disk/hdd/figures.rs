//! What a disk that turns is made of.

use crate::disk::SECOND_NS;

/// Tracks of one length, from the outside to the inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordingZone {
    /// Cylinders in it.
    pub cylinders: u64,
    /// Sectors of 512 bytes on each track.
    pub sectors_per_track: u64,
}

/// How long the arm takes: `a + b*sqrt(d)` below a distance in cylinders, `c + e*d` from there on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeekCurve {
    /// a, in nanoseconds.
    pub short_ns: f64,
    /// b, in nanoseconds by the root of a cylinder.
    pub root_ns: f64,
    /// c, in nanoseconds.
    pub long_ns: f64,
    /// e, in nanoseconds by the cylinder.
    pub cylinder_ns: f64,
    /// Where the line begins.
    pub long_from: u64,
}

impl SeekCurve {
    /// How long a seek over so many cylinders takes; none takes no time.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "cylinders are below 2^53, and times are positive and below an hour"
    )]
    pub fn seek_ns(&self, cylinders: u64) -> u64 {
        let distance = cylinders as f64;
        match cylinders {
            0 => 0,
            d if d < self.long_from => (self.short_ns + self.root_ns * distance.sqrt()) as u64,
            _ => (self.long_ns + self.cylinder_ns * distance) as u64,
        }
    }
}

/// How a shingled disk keeps what is not written in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShingleFigures {
    /// Bytes that are rewritten together.
    pub band_bytes: u64,
    /// Bytes of the persistent cache on the medium, which lies at the outside.
    pub cache_bytes: u64,
}

/// All of it.
#[derive(Debug, Clone, PartialEq)]
pub struct HddFigures {
    /// From the outside to the inside.
    pub zones: Vec<RecordingZone>,
    /// Surfaces that are used, each with its head.
    pub heads: u64,
    /// Turns by the minute.
    pub rpm: u64,
    /// Seek curve.
    pub seek: SeekCurve,
    /// What a change of head or a step to the next cylinder takes; the skew of the tracks hides it.
    pub switch_ns: u64,
    /// What the controller takes for a command.
    pub command_ns: u64,
    /// Bytes per second of the interface.
    pub interface_rate: u64,
    /// How far the head reads on by itself.
    pub read_ahead_bytes: u64,
    /// The write cache; 0 is none.
    pub write_cache_bytes: u64,
    /// Which request comes next.
    pub discipline: super::Discipline,
    /// Set for a shingled disk.
    pub shingle: Option<ShingleFigures>,
}

impl HddFigures {
    /// One turn.
    #[must_use]
    pub fn turn_ns(&self) -> u64 {
        60 * SECOND_NS / self.rpm.max(1)
    }

    /// What the head reads in a second on this zone, head switches included.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a track is below 2^53 bytes and a turn below 2^53 ns"
    )]
    pub fn sequential_rate(&self, zone: &RecordingZone) -> f64 {
        let track = zone.sectors_per_track * crate::disk::SECTOR_BYTES;
        let time_ns = self.turn_ns() + self.switch_ns;
        track as f64 * SECOND_NS as f64 / time_ns as f64
    }
}
