//! Where a byte lies, as the time at which a head that reads everything in order would pass it.

use super::HddFigures;
use crate::disk::{Request, SECTOR_BYTES};

/// A zone with what lies before it.
#[derive(Debug, Clone, Copy)]
struct Placed {
    first_byte: u64,
    first_track: u64,
    track_bytes: u64,
}

/// Where a request lies: the cylinder of its begin, and the places of begin and end.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrackSpan {
    pub(super) cylinder: u64,
    pub(super) from_ns: u64,
    pub(super) to_ns: u64,
}

/// Tracks follow each other surface by surface and then cylinder by cylinder. Each is skewed by
/// the time of a switch, so that a head that reads on finds the next track's first sector just then.
#[derive(Debug, Clone)]
pub struct Geometry {
    zones: Vec<Placed>,
    heads: u64,
    turn_ns: u64,
    /// From the begin of a track to that of the next one, for a head that reads on.
    step_ns: u64,
    bytes: u64,
}

impl Geometry {
    pub(super) fn new(figures: &HddFigures) -> Geometry {
        let heads = figures.heads.max(1);
        let (mut first_byte, mut first_track) = (0, 0);
        let mut zones = Vec::new();
        for zone in &figures.zones {
            let track_bytes = zone.sectors_per_track.max(1) * SECTOR_BYTES;
            zones.push(Placed {
                first_byte,
                first_track,
                track_bytes,
            });
            first_track += zone.cylinders * heads;
            first_byte += zone.cylinders * heads * track_bytes;
        }
        Geometry {
            zones,
            heads,
            turn_ns: figures.turn_ns(),
            step_ns: figures.turn_ns() + figures.switch_ns,
            bytes: first_byte,
        }
    }

    /// The size of the disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn zone(&self, byte: u64) -> &Placed {
        let after = self.zones.partition_point(|zone| zone.first_byte <= byte);
        &self.zones[after.saturating_sub(1)]
    }

    /// The cylinder of a byte.
    #[must_use]
    pub fn cylinder(&self, byte: u64) -> u64 {
        let zone = self.zone(byte);
        (zone.first_track + (byte - zone.first_byte) / zone.track_bytes) / self.heads
    }

    /// When a head that reads from byte 0 on and never stops passes the begin of this byte. Modulo
    /// a turn it is the angle at which the byte lies.
    pub(super) fn place_ns(&self, byte: u64) -> u64 {
        let zone = self.zone(byte);
        let beyond = byte - zone.first_byte;
        let track = zone.first_track + beyond / zone.track_bytes;
        track * self.step_ns + beyond % zone.track_bytes * self.turn_ns / zone.track_bytes
    }

    /// When that head has passed the byte before this one. At the end of a track it is before the
    /// switch, so that no read pays for a track that it does not need.
    pub(super) fn passed_ns(&self, end_byte: u64) -> u64 {
        let last = end_byte.saturating_sub(SECTOR_BYTES);
        let sector_ns = SECTOR_BYTES * self.turn_ns / self.zone(last).track_bytes;
        self.place_ns(last) + sector_ns
    }

    /// Where a request lies.
    pub(super) fn span(&self, request: &Request) -> TrackSpan {
        TrackSpan {
            cylinder: self.cylinder(request.offset_bytes),
            from_ns: self.place_ns(request.offset_bytes),
            to_ns: self.passed_ns(request.end_bytes()),
        }
    }
}
