//! Disks that turn.

use super::{ASSUMED, Class, figure};
use crate::disk::hdd::{Discipline, Hdd, HddFigures, RecordingZone, SeekCurve, ShingleFigures};
use crate::disk::{Disk, SECTOR_BYTES};

const DM003: &str = "Seagate ST1000DM003 (Barracuda 7200.14), product manual";
const LM024: &str = "Seagate ST1000LM024 (Spinpoint M8), data sheet";
const RAPTOR: &str = "WD WD1000DHTZ (VelociRaptor), data sheet";
const ARCHIVE: &str = "Seagate ST8000AS0002 (Archive HDD v2), data sheet";
const SKYLIGHT: &str = "Aghayev and Desnoyers, Skylight, FAST '15";
const SEEK_FORM: &str = "form: Ruemmler and Wilkes 1994; fitted to the average seek";
/// Manuals and data sheets have the size of a cache, and not what of it takes writes.
const HALF: &str = "half of the cache";

/// A class by what differs between classes.
struct Shape {
    rpm: u64,
    heads: u64,
    outer_rate: u64,
    inner_rate: u64,
    /// Of a read, and over a third of all cylinders: what data sheets call the average.
    track_to_track_ns: f64,
    average_seek_ns: f64,
    cache_bytes: u64,
    interface_rate: u64,
    depth: usize,
    shingle: Option<ShingleFigures>,
}

const MIB: u64 = 1 << 20;
const DESKTOP_SHAPE: Shape = Shape {
    rpm: 7200,
    heads: 2,
    outer_rate: 210_000_000,
    inner_rate: 100_000_000,
    track_to_track_ns: 1.0e6,
    average_seek_ns: 8.5e6,
    cache_bytes: 64 * MIB,
    interface_rate: 600_000_000,
    depth: 32,
    shingle: None,
};

pub(super) const DESKTOP: Class = Class {
    name: "hdd-7200",
    about: "desktop disk, 7200 rpm",
    make: |bytes, _| Box::new(Hdd::new(desktop_figures(bytes))) as Box<dyn Disk>,
    figures: &[
        figure("speed", "7200 rpm", DM003),
        figure("outer rate", "210 MB/s", DM003),
        figure("inner rate", "100 MB/s", ASSUMED),
        figure("heads", "2", DM003),
        figure("average seek", "8.5 ms", DM003),
        figure("track to track", "1.0 ms", DM003),
        figure(
            "seek curve",
            "a + b*sqrt(d) to a third, then a line",
            SEEK_FORM,
        ),
        figure("cache", "64 MiB", DM003),
        figure("write cache", HALF, ASSUMED),
        figure("read-ahead", "4 MiB", ASSUMED),
        figure("command", "0.05 ms", ASSUMED),
        figure("zones", "16, of equal cylinders", ASSUMED),
        figure("queue", "NCQ, 32", DM003),
        figure("interface", "600 MB/s", DM003),
    ],
};

const LAPTOP_SHAPE: Shape = Shape {
    rpm: 5400,
    heads: 4,
    outer_rate: 113_000_000,
    inner_rate: 55_000_000,
    track_to_track_ns: 2.0e6,
    average_seek_ns: 12.0e6,
    cache_bytes: 8 * MIB,
    interface_rate: 300_000_000,
    depth: 32,
    shingle: None,
};

pub(super) const LAPTOP: Class = Class {
    name: "hdd-5400",
    about: "laptop disk, 5400 rpm",
    make: |bytes, _| Box::new(Hdd::new(laptop_figures(bytes))) as Box<dyn Disk>,
    figures: &[
        figure("speed", "5400 rpm", LM024),
        figure("outer rate", "113 MB/s", ASSUMED),
        figure("inner rate", "55 MB/s", ASSUMED),
        figure("heads", "4", ASSUMED),
        figure("average seek", "12 ms", LM024),
        figure("track to track", "2.0 ms", ASSUMED),
        figure(
            "seek curve",
            "a + b*sqrt(d) to a third, then a line",
            SEEK_FORM,
        ),
        figure("cache", "8 MiB", LM024),
        figure("write cache", HALF, ASSUMED),
        figure("interface", "300 MB/s", LM024),
    ],
};

const SERVER_SHAPE: Shape = Shape {
    rpm: 10_000,
    heads: 6,
    outer_rate: 200_000_000,
    inner_rate: 120_000_000,
    track_to_track_ns: 0.4e6,
    average_seek_ns: 3.6e6,
    cache_bytes: 64 * MIB,
    interface_rate: 600_000_000,
    depth: 32,
    shingle: None,
};

pub(super) const SERVER: Class = Class {
    name: "hdd-10k",
    about: "server disk, 10 000 rpm",
    make: |bytes, _| Box::new(Hdd::new(server_figures(bytes))) as Box<dyn Disk>,
    figures: &[
        figure("speed", "10 000 rpm", RAPTOR),
        figure("outer rate", "200 MB/s", RAPTOR),
        figure("inner rate", "120 MB/s", ASSUMED),
        figure("heads", "6", ASSUMED),
        figure("average seek", "3.6 ms", RAPTOR),
        figure("track to track", "0.4 ms", ASSUMED),
        figure(
            "seek curve",
            "a + b*sqrt(d) to a third, then a line",
            SEEK_FORM,
        ),
        figure("cache", "64 MiB", RAPTOR),
        figure("write cache", HALF, ASSUMED),
        figure("interface", "600 MB/s", RAPTOR),
    ],
};

const SHINGLED_SHAPE: Shape = Shape {
    rpm: 5900,
    heads: 12,
    outer_rate: 190_000_000,
    inner_rate: 95_000_000,
    track_to_track_ns: 1.5e6,
    average_seek_ns: 11.0e6,
    cache_bytes: 128 * MIB,
    interface_rate: 600_000_000,
    depth: 32,
    shingle: Some(ShingleFigures {
        band_bytes: 30 * MIB,
        cache_bytes: 20 << 30,
    }),
};

pub(super) const SHINGLED: Class = Class {
    name: "hdd-smr",
    about: "shingled archive disk, 5900 rpm, which hides its bands",
    make: |bytes, _| Box::new(Hdd::new(shingled_figures(bytes))) as Box<dyn Disk>,
    figures: &[
        figure(
            "speed",
            "5900 rpm",
            "The Tech Report, 2014-12: Archive HDD 8 TB",
        ),
        figure("outer rate", "190 MB/s", ARCHIVE),
        figure("inner rate", "95 MB/s", ASSUMED),
        figure("heads", "12", "The Tech Report, 2014-12: six platters"),
        figure("average seek", "11 ms", ASSUMED),
        figure("cache", "128 MiB", ARCHIVE),
        figure("write cache", HALF, ASSUMED),
        figure("bands", "one cache, static map, cleaned by bands", SKYLIGHT),
        figure("band size", "30 MiB", ASSUMED),
        figure(
            "persistent cache",
            "20 GiB, or a fiftieth of a smaller disk",
            ASSUMED,
        ),
        figure("cleaning", "only when the cache is full", ASSUMED),
    ],
};

/// Figures of the 7200 rpm class.
#[must_use]
pub fn desktop_figures(bytes: u64) -> HddFigures {
    DESKTOP_SHAPE.figures(bytes)
}

/// Figures of the 5400 rpm class.
#[must_use]
pub fn laptop_figures(bytes: u64) -> HddFigures {
    LAPTOP_SHAPE.figures(bytes)
}

/// Figures of the 10 000 rpm class.
#[must_use]
pub fn server_figures(bytes: u64) -> HddFigures {
    SERVER_SHAPE.figures(bytes)
}

/// Figures of the shingled class.
#[must_use]
pub fn shingled_figures(bytes: u64) -> HddFigures {
    SHINGLED_SHAPE.figures(bytes)
}

/// Zones of a disk.
const ZONES: u64 = 16;

impl Shape {
    fn figures(&self, bytes: u64) -> HddFigures {
        let zones = self.zones(bytes);
        let cylinders: u64 = zones.iter().map(|zone| zone.cylinders).sum();
        HddFigures {
            heads: self.heads,
            rpm: self.rpm,
            seek: self.seek(cylinders),
            switch_ns: self.switch_ns(),
            command_ns: 50_000,
            interface_rate: self.interface_rate,
            read_ahead_bytes: 4 * MIB,
            write_cache_bytes: self.cache_bytes / 2,
            discipline: Discipline::ShortestPosition { depth: self.depth },
            shingle: self.shingle.map(|shingle| ShingleFigures {
                cache_bytes: shingle.cache_bytes.min(bytes / 50).max(shingle.band_bytes),
                ..shingle
            }),
            zones,
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a millisecond or two"
    )]
    fn switch_ns(&self) -> u64 {
        self.track_to_track_ns as u64
    }

    /// Zones of equal cylinders whose rates fall evenly from the outside to the inside.
    fn zones(&self, bytes: u64) -> Vec<RecordingZone> {
        let step_ns = 60_000_000_000 / self.rpm + self.switch_ns();
        let sectors = |zone: u64| {
            let fall = (self.outer_rate - self.inner_rate) * zone / (ZONES - 1);
            let track = u128::from(self.outer_rate - fall) * u128::from(step_ns) / 1_000_000_000;
            u64::try_from(track).unwrap_or(u64::MAX) / SECTOR_BYTES
        };
        let all: u64 = (0..ZONES).map(sectors).sum();
        let wanted = bytes.div_ceil(SECTOR_BYTES * self.heads);
        let zone = |number| RecordingZone {
            cylinders: (wanted / all).max(1),
            sectors_per_track: sectors(number),
        };
        let mut zones: Vec<RecordingZone> = (0..ZONES).map(zone).collect();
        let mut there: u64 = zones
            .iter()
            .map(|zone| zone.cylinders * zone.sectors_per_track)
            .sum();
        for zone in &mut zones {
            if there < wanted {
                zone.cylinders += 1;
                there += zone.sectors_per_track;
            }
        }
        zones
    }

    /// Through the step to the next cylinder, through the average at a third of all cylinders, and
    /// on from there with the slope that the root has at that place.
    #[expect(clippy::cast_precision_loss, reason = "cylinders are below 2^53")]
    fn seek(&self, cylinders: u64) -> SeekCurve {
        let third = (cylinders / 3).max(2);
        let root = (third as f64).sqrt();
        let root_ns = (self.average_seek_ns - self.track_to_track_ns) / (root - 1.0);
        let cylinder_ns = root_ns / (2.0 * root);
        SeekCurve {
            short_ns: self.track_to_track_ns - root_ns,
            root_ns,
            long_ns: self.average_seek_ns - cylinder_ns * third as f64,
            cylinder_ns,
            long_from: third,
        }
    }
}
