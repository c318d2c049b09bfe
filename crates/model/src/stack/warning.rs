//! What is wrong with a layer, with its figures and what to do.

use std::fmt;

use etalon_units::{Bytes, Percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A finding that stands beside the layer it concerns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Warning {
    /// A partition does not begin on a physical block.
    MisalignedPartition {
        /// Where it begins.
        #[serde(rename = "offset_bytes", alias = "offset")]
        offset: Bytes,
        /// The physical block or stripe.
        #[serde(rename = "block_bytes", alias = "block")]
        block: Bytes,
    },
    /// An array lacks members.
    DegradedArray {
        /// How many are missing.
        missing: u64,
        /// Of how many.
        of: u64,
    },
    /// An array or a btrfs is at work on itself.
    ArrayBusy {
        /// What it does.
        action: String,
    },
    /// A multipath device lacks paths.
    PathsDown {
        /// How many are not running.
        down: u64,
        /// Of how many.
        of: u64,
    },
    /// A device able of USB 3 runs at USB 2 speed or below.
    SlowUsb {
        /// Speed now, in Mbit/s.
        speed_mbps: f64,
        /// Version that the device declares.
        version: String,
        /// What it is able of, in Mbit/s, where it tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ability_mbps: Option<f64>,
    },
    /// A device that may be able of USB 3 runs at USB 2 speed: what it is able of could not be read.
    MaybeSlowUsb {
        /// Speed now, in Mbit/s.
        speed_mbps: f64,
        /// Version that the device declares.
        version: String,
    },
    /// A link is slower or narrower than it could be.
    LinkBelowAbility {
        /// Which link.
        link: String,
        /// What it is.
        now: String,
        /// What it could be.
        able: String,
    },
    /// The disk's write cache is off.
    WriteCacheOff,
    /// The kernel knows of no write cache of a disk behind a USB bridge, which may hide one.
    WriteCacheUnknown,
    /// The disk says of itself that it fails.
    SmartFailing {
        /// What it complains of, in words; empty where it gives no reason.
        alarms: Vec<String>,
    },
    /// The disk has fewer spare blocks than it should.
    SpareBelowThreshold {
        /// What is left.
        spare: Percent,
        /// Where the disk begins to warn.
        threshold: Percent,
    },
    /// The disk has taken all the writes that it is rated for.
    EnduranceUsedUp {
        /// Share of the rated endurance that is used.
        used: Percent,
    },
    /// Sectors of the disk cannot be read.
    UnreadableSectors {
        /// Waiting to be replaced.
        pending: u64,
        /// Found by the disk's own scan.
        uncorrectable: u64,
    },
    /// The disk says that it is too hot or too cold.
    TemperatureAlarm {
        /// Its temperature in degrees Celsius, where it tells.
        celsius: Option<f64>,
    },
    /// A solid-state disk, or a layer upon one, that cannot be told of freed blocks.
    NoDiscard,
    /// The filesystem is over 90 % full.
    NearlyFull {
        /// How full.
        used: Percent,
    },
    /// The file behind a loop device is deleted.
    DeletedFile,
    /// The file behind a loop device is sparse: parts never written read as zeros from memory.
    SparseFile {
        /// Bytes that it occupies.
        #[serde(rename = "allocated_bytes", alias = "allocated")]
        allocated: Bytes,
        /// Bytes that it claims.
        #[serde(rename = "size_bytes", alias = "size")]
        size: Bytes,
    },
    /// Data is held in memory, not on a device.
    InMemory,
    /// The kernel does not count I/O on this device.
    NoCounters,
}

/// Above this share a filesystem is called nearly full: allocation slows down and scatters.
pub const NEARLY_FULL_PERCENT: f64 = 90.0;

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::MisalignedPartition { offset, block } => write!(
                f,
                "begins at byte {}, which is no multiple of {block}: small writes become read-modify-write; \
                 make the partition anew at a multiple of 1 MiB",
                offset.get()
            ),
            Warning::DegradedArray { missing, of } => write!(
                f,
                "{missing} of {of} members missing: figures are those of a degraded array; replace the disk first"
            ),
            Warning::ArrayBusy { action } => write!(
                f,
                "'{action}' is running and takes bandwidth; wait until it has ended, or stop it"
            ),
            Warning::PathsDown { down, of } => {
                write!(f, "{down} of {of} paths are down; see multipath -ll")
            }
            Warning::SlowUsb { .. } | Warning::MaybeSlowUsb { .. } => self.usb_words(f),
            Warning::LinkBelowAbility { link, now, able } => write!(
                f,
                "{link} runs at {now}, below its ability of {able}; check slot, cable and power saving"
            ),
            Warning::WriteCacheOff => write!(
                f,
                "write cache is off: each write waits for the medium (durable, but slow)"
            ),
            Warning::WriteCacheUnknown => write!(
                f,
                "the kernel knows of no write cache behind this USB bridge, which may hide one: whether fsync \
                 reaches the medium is not known"
            ),
            Warning::SmartFailing { .. }
            | Warning::SpareBelowThreshold { .. }
            | Warning::EnduranceUsedUp { .. }
            | Warning::UnreadableSectors { .. }
            | Warning::TemperatureAlarm { .. } => self.health_words(f),
            Warning::NoDiscard => write!(
                f,
                "discard is impossible here: freed blocks are never told to the disk; check every layer above it"
            ),
            Warning::NearlyFull { used } => write!(
                f,
                "{used} full: allocation scatters above {NEARLY_FULL_PERCENT} %; free some space"
            ),
            Warning::DeletedFile => write!(
                f,
                "its file is deleted and goes when the device is detached"
            ),
            Warning::SparseFile { allocated, size } => write!(
                f,
                "its file occupies {allocated} of {size}: parts never written are read as zeros without any disk"
            ),
            Warning::InMemory => write!(f, "data is held in memory: no disk is measured"),
            Warning::NoCounters => write!(
                f,
                "the kernel does not count its I/O; write 1 to queue/iostats to prove where bytes came from"
            ),
        }
    }
}

impl Warning {
    /// Whether it means that a disk loses data, or is about to.
    pub fn is_failing_disk(&self) -> bool {
        matches!(
            self,
            Warning::SmartFailing { .. }
                | Warning::SpareBelowThreshold { .. }
                | Warning::UnreadableSectors { .. }
        )
    }

    /// The sentences on a USB link; nothing for other warnings.
    fn usb_words(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::SlowUsb {
                speed_mbps,
                ability_mbps: Some(able),
                ..
            } => write!(
                f,
                "USB device capable of {able} Mbit/s on a link of {speed_mbps} Mbit/s; use a USB 3 port and cable"
            ),
            Warning::SlowUsb {
                speed_mbps,
                version,
                ..
            } => write!(
                f,
                "USB {version} device on a link of {speed_mbps} Mbit/s; use a USB 3 port and cable"
            ),
            Warning::MaybeSlowUsb {
                speed_mbps,
                version,
            } => write!(
                f,
                "USB {version} device on a link of {speed_mbps} Mbit/s, as USB 3 devices are on USB 2; \
                 if it is one, use a USB 3 port and cable"
            ),
            _ => Ok(()),
        }
    }

    /// The sentences on a disk's health; nothing for other warnings.
    fn health_words(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::SmartFailing { alarms } => {
                let why = match alarms.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", alarms.join(", ")),
                };
                write!(
                    f,
                    "SMART says the disk is failing{why}: save its data and replace it"
                )
            }
            Warning::SpareBelowThreshold { spare, threshold } => write!(
                f,
                "{spare} of its spare blocks are left, below its threshold of {threshold}: replace the disk"
            ),
            Warning::EnduranceUsedUp { used } => write!(
                f,
                "{used} of its rated endurance is used: it may write slowly, and fail; plan to replace it"
            ),
            Warning::UnreadableSectors {
                pending,
                uncorrectable,
            } => write!(
                f,
                "{pending} pending and {uncorrectable} uncorrectable sectors: reads of them are tried for \
                 seconds; save its data, see smartctl -a"
            ),
            Warning::TemperatureAlarm { celsius } => {
                let now = celsius.map_or(String::new(), |t| format!(" ({t:.0} °C)"));
                write!(
                    f,
                    "the disk says that its temperature is out of bounds{now} and may slow itself down; cool it"
                )
            }
            _ => Ok(()),
        }
    }
}
