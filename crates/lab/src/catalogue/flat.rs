//! Disks of one rate.

use super::{ASSUMED, Class, figure};
use crate::disk::{Disk, Flat, FlatFigures, Stall};

const MB: u64 = 1_000_000;
const MS: u64 = 1_000_000;
const SD_CLASS: &str = "SD Association, speed class 10: at least 10 MB/s in order";
const GIGABIT: &str = "1000BASE-T, less the headers of Ethernet, IP and TCP";

pub(super) const FLAT: Class = Class {
    name: "flat",
    about: "one rate and one latency, which no real disk has",
    make: |bytes, seed| {
        let figures = FlatFigures {
            bytes,
            read_rate: 200 * MB,
            write_rate: 200 * MB,
            latency_ns: MS,
            jitter_ns: 0,
            width: 1,
            stall: None,
        };
        Box::new(Flat::new(figures, seed)) as Box<dyn Disk>
    },
    figures: &[
        figure("read rate", "200 MB/s", ASSUMED),
        figure("write rate", "200 MB/s", ASSUMED),
        figure("latency", "1 ms", ASSUMED),
        figure("queue", "1", ASSUMED),
    ],
};

pub(super) const USB: Class = Class {
    name: "usb",
    about: "USB 2 stick that stands still to erase",
    make: |bytes, seed| {
        let figures = FlatFigures {
            bytes,
            read_rate: 30 * MB,
            write_rate: 8 * MB,
            latency_ns: MS,
            jitter_ns: MS,
            width: 1,
            stall: Some(Stall {
                every_bytes: 16 << 20,
                length_ns: 400 * MS,
            }),
        };
        Box::new(Flat::new(figures, seed)) as Box<dyn Disk>
    },
    figures: &[
        figure("read rate", "30 MB/s", ASSUMED),
        figure("write rate", "8 MB/s", ASSUMED),
        figure("latency", "1-2 ms", ASSUMED),
        figure("stall", "0.4 s after 16 MiB", ASSUMED),
    ],
};

pub(super) const CARD: Class = Class {
    name: "sd",
    about: "SD card of speed class 10",
    make: |bytes, seed| {
        let figures = FlatFigures {
            bytes,
            read_rate: 22 * MB,
            // So that with its stalls and its latency a class of 10 MB/s remains.
            write_rate: 13 * MB + MB / 2,
            latency_ns: MS,
            jitter_ns: 2 * MS,
            width: 1,
            stall: Some(Stall {
                every_bytes: 4 << 20,
                length_ns: 100 * MS,
            }),
        };
        Box::new(Flat::new(figures, seed)) as Box<dyn Disk>
    },
    figures: &[
        figure("write rate", "10 MB/s", SD_CLASS),
        figure("write rate between stalls", "13.5 MB/s", ASSUMED),
        figure("read rate", "22 MB/s", ASSUMED),
        figure("latency", "1-3 ms", ASSUMED),
        figure("stall", "0.1 s after 4 MiB", ASSUMED),
    ],
};

pub(super) const NETWORK: Class = Class {
    name: "network",
    about: "disk across a gigabit network, with delay and jitter",
    make: |bytes, seed| {
        let figures = FlatFigures {
            bytes,
            read_rate: 117 * MB,
            write_rate: 117 * MB,
            latency_ns: MS / 2,
            jitter_ns: MS / 2,
            width: 32,
            stall: None,
        };
        Box::new(Flat::new(figures, seed)) as Box<dyn Disk>
    },
    figures: &[
        figure("rate", "117 MB/s", GIGABIT),
        figure("delay", "0.5 ms", ASSUMED),
        figure("jitter", "0-0.5 ms", ASSUMED),
        figure("requests at once", "32", ASSUMED),
    ],
};
