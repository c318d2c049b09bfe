//! The kernel's I/O counters of a stack and of a process, and their differences.

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DevNo;

/// The unit of every sector count in `/sys/block/*/stat`, whatever block size the disk has:
/// include/linux/types.h ("sector_t ... always 512 bytes") and the kernel's block/stat.rst.
pub const SECTOR_BYTES: u64 = 512;

/// The seventeen fields of `/sys/dev/block/M:m/stat` (block/stat.rst).
///
/// All are totals since the device appeared, but `in_flight`, which is a gauge. Totals are summed
/// without a lock, so two readings may differ from the truth by a few requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockCounters {
    /// Reads completed.
    pub read_ios: u64,
    /// Reads merged before they were sent.
    pub read_merges: u64,
    /// Sectors of 512 bytes read.
    pub read_sectors: u64,
    /// Time that reads took together, in ms; wraps at 2^32.
    pub read_ticks_ms: u64,
    /// Writes completed.
    pub write_ios: u64,
    /// Writes merged.
    pub write_merges: u64,
    /// Sectors of 512 bytes written.
    pub write_sectors: u64,
    /// Time that writes took together, in ms; wraps at 2^32.
    pub write_ticks_ms: u64,
    /// Requests under way at this moment.
    pub in_flight: u64,
    /// Time with at least one request under way, in ms, sampled at clock ticks since 5.0.
    pub io_ticks_ms: u64,
    /// Time of all requests together, in ms; wraps at 2^32.
    pub queue_ticks_ms: u64,
    /// Discards; kernel 4.18 and later.
    pub discard: Option<DiscardCounters>,
    /// Flushes; kernel 5.5 and later, zero on partitions.
    pub flush: Option<FlushCounters>,
}

/// The discard fields of the counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiscardCounters {
    /// Discards completed.
    pub ios: u64,
    /// Discards merged.
    pub merges: u64,
    /// Sectors of 512 bytes discarded.
    pub sectors: u64,
    /// Time that discards took together, in ms; wraps at 2^32.
    pub ticks_ms: u64,
}

/// The flush fields of the counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlushCounters {
    /// Flushes completed.
    pub ios: u64,
    /// Time that flushes took together, in ms; wraps at 2^32.
    pub ticks_ms: u64,
}

/// What a device did between two readings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockDelta {
    /// Reads completed.
    pub read_ios: u64,
    /// Reads merged.
    pub read_merges: u64,
    /// Bytes read.
    pub read_bytes: Bytes,
    /// Time that the reads took together, in ms.
    pub read_ticks_ms: u64,
    /// Writes completed.
    pub write_ios: u64,
    /// Writes merged.
    pub write_merges: u64,
    /// Bytes written.
    pub write_bytes: Bytes,
    /// Time that the writes took together, in ms.
    pub write_ticks_ms: u64,
    /// Requests under way at the later reading.
    pub in_flight: u64,
    /// Time with at least one request under way, in ms.
    pub io_ticks_ms: u64,
    /// Time of all requests together, in ms.
    pub queue_ticks_ms: u64,
    /// Discards completed; none where the kernel does not count them.
    pub discard_ios: Option<u64>,
    /// Bytes discarded.
    pub discard_bytes: Option<Bytes>,
    /// Flushes completed; none where the kernel does not count them.
    pub flush_ios: Option<u64>,
    /// Time that the flushes took together, in ms.
    pub flush_ticks_ms: Option<u64>,
}

impl BlockCounters {
    /// What happened since `earlier`; none when a total went down, which means that the device
    /// was replaced in between.
    pub fn since(&self, earlier: &BlockCounters) -> Option<BlockDelta> {
        let sectors = |now: u64, then: u64| {
            let sectors = now.checked_sub(then)?;
            sectors.checked_mul(SECTOR_BYTES).map(Bytes)
        };
        Some(BlockDelta {
            read_ios: self.read_ios.checked_sub(earlier.read_ios)?,
            read_merges: self.read_merges.checked_sub(earlier.read_merges)?,
            read_bytes: sectors(self.read_sectors, earlier.read_sectors)?,
            read_ticks_ms: ticks(self.read_ticks_ms, earlier.read_ticks_ms),
            write_ios: self.write_ios.checked_sub(earlier.write_ios)?,
            write_merges: self.write_merges.checked_sub(earlier.write_merges)?,
            write_bytes: sectors(self.write_sectors, earlier.write_sectors)?,
            write_ticks_ms: ticks(self.write_ticks_ms, earlier.write_ticks_ms),
            in_flight: self.in_flight,
            io_ticks_ms: ticks(self.io_ticks_ms, earlier.io_ticks_ms),
            queue_ticks_ms: ticks(self.queue_ticks_ms, earlier.queue_ticks_ms),
            discard_ios: both(self.discard, earlier.discard)
                .map(|(now, then)| now.ios.saturating_sub(then.ios)),
            discard_bytes: both(self.discard, earlier.discard)
                .and_then(|(now, then)| sectors(now.sectors, then.sectors)),
            flush_ios: both(self.flush, earlier.flush)
                .map(|(now, then)| now.ios.saturating_sub(then.ios)),
            flush_ticks_ms: both(self.flush, earlier.flush)
                .map(|(now, then)| ticks(now.ticks_ms, then.ticks_ms)),
        })
    }
}

fn both<T>(now: Option<T>, then: Option<T>) -> Option<(T, T)> {
    now.zip(then)
}

/// Difference of two millisecond totals, which the kernel prints as 32-bit numbers
/// (block/genhd.c, part_stat_show: `(unsigned int)div_u64(...)`).
fn ticks(now: u64, then: u64) -> u64 {
    const WRAP: u64 = 1 << 32;
    if now >= then {
        now - then
    } else {
        now.wrapping_sub(then) & (WRAP - 1)
    }
}

/// `/proc/PID/io`, see proc_pid_io(5).
///
/// `write_bytes` counts pages made dirty, not bytes sent to a device: use block counters for that.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessIo {
    /// Bytes returned by read calls, whatever served them.
    #[serde(rename = "rchar_bytes", alias = "rchar")]
    pub rchar: u64,
    /// Bytes given to write calls.
    #[serde(rename = "wchar_bytes", alias = "wchar")]
    pub wchar: u64,
    /// Read calls.
    pub syscr: u64,
    /// Write calls.
    pub syscw: u64,
    /// Bytes fetched from the storage layer.
    pub read_bytes: u64,
    /// Bytes of pages made dirty.
    pub write_bytes: u64,
    /// Dirty bytes that were dropped before they were written.
    pub cancelled_write_bytes: u64,
}

impl ProcessIo {
    /// What happened since `earlier`; a total that went down counts as zero.
    pub fn since(&self, earlier: &ProcessIo) -> ProcessIo {
        let cancelled = earlier.cancelled_write_bytes;
        ProcessIo {
            rchar: self.rchar.saturating_sub(earlier.rchar),
            wchar: self.wchar.saturating_sub(earlier.wchar),
            syscr: self.syscr.saturating_sub(earlier.syscr),
            syscw: self.syscw.saturating_sub(earlier.syscw),
            read_bytes: self.read_bytes.saturating_sub(earlier.read_bytes),
            write_bytes: self.write_bytes.saturating_sub(earlier.write_bytes),
            cancelled_write_bytes: self.cancelled_write_bytes.saturating_sub(cancelled),
        }
    }
}

/// The counters of one layer of a stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayerCounters {
    /// The device's number.
    pub devno: DevNo,
    /// Its name.
    pub name: String,
    /// Whether nothing lies beneath it.
    pub is_leaf: bool,
    /// Its counters; none where they could not be read.
    pub counters: Option<BlockCounters>,
}

/// The counters of every layer of a stack, and of one process, at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CounterSnapshot {
    /// When, on the monotonic clock.
    #[serde(rename = "at_ns", alias = "at")]
    pub at: Nanos,
    /// Each layer once, from the top down.
    pub layers: Vec<LayerCounters>,
    /// I/O of the process; none where it could not be read.
    pub process: Option<ProcessIo>,
}

/// What one layer did between two snapshots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayerDelta {
    /// The device's number.
    pub devno: DevNo,
    /// Its name.
    pub name: String,
    /// Whether nothing lies beneath it.
    pub is_leaf: bool,
    /// What it did; none where it was not counted, or the device was replaced.
    pub delta: Option<BlockDelta>,
}

/// What a stack and a process did between two snapshots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CounterDelta {
    /// Time between the snapshots.
    #[serde(rename = "span_ns", alias = "span")]
    pub span: Nanos,
    /// Each layer once, from the top down.
    pub layers: Vec<LayerDelta>,
    /// I/O of the process.
    pub process: Option<ProcessIo>,
}

impl CounterSnapshot {
    /// What happened since `earlier`, layer by layer, matched by device number.
    pub fn since(&self, earlier: &CounterSnapshot) -> CounterDelta {
        let layers = self.layers.iter().map(|now| {
            let then = earlier.layers.iter().find(|l| l.devno == now.devno);
            let then = then.and_then(|layer| layer.counters);
            LayerDelta {
                devno: now.devno,
                name: now.name.clone(),
                is_leaf: now.is_leaf,
                delta: both(now.counters, then).and_then(|(now, then)| now.since(&then)),
            }
        });
        CounterDelta {
            span: self.at.saturating_sub(earlier.at),
            layers: layers.collect(),
            process: both(self.process, earlier.process).map(|(now, then)| now.since(&then)),
        }
    }
}

impl CounterDelta {
    /// What the layer of this kernel name did; none where it is not among the layers or was not counted.
    pub fn layer(&self, name: &str) -> Option<&BlockDelta> {
        let mut layers = self.layers.iter();
        layers.find(|layer| layer.name == name)?.delta.as_ref()
    }

    /// Bytes read from all leaves; none when one of them was not counted.
    pub fn leaf_read_bytes(&self) -> Option<Bytes> {
        self.leaf_sum(|delta| delta.read_bytes.get())
    }

    /// Bytes written to all leaves; none when one of them was not counted.
    pub fn leaf_write_bytes(&self) -> Option<Bytes> {
        self.leaf_sum(|delta| delta.write_bytes.get())
    }

    fn leaf_sum(&self, of: impl Fn(&BlockDelta) -> u64) -> Option<Bytes> {
        let mut leaves = self.layers.iter().filter(|layer| layer.is_leaf).peekable();
        leaves.peek()?;
        let sum = leaves.try_fold(0_u64, |sum, leaf| {
            sum.checked_add(of(leaf.delta.as_ref()?))
        });
        sum.map(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters(read_ios: u64, read_sectors: u64, read_ticks_ms: u64) -> BlockCounters {
        BlockCounters {
            read_ios,
            read_sectors,
            read_ticks_ms,
            flush: Some(FlushCounters::default()),
            ..BlockCounters::default()
        }
    }

    #[test]
    fn sectors_are_512_bytes_and_milliseconds_wrap_at_32_bits() {
        let then = counters(10, 100, u64::from(u32::MAX) - 4);
        let delta = counters(12, 108, 15).since(&then).unwrap();
        assert_eq!(delta.read_ios, 2);
        assert_eq!(delta.read_bytes, Bytes(4096));
        assert_eq!(delta.read_ticks_ms, 20);
        assert_eq!(delta.flush_ios, Some(0));
        assert_eq!(delta.discard_ios, None);
    }

    #[test]
    fn a_total_that_went_down_is_another_device() {
        assert_eq!(counters(1, 0, 0).since(&counters(2, 0, 0)), None);
    }

    fn snapshot(at: u64, leaves: &[(u32, Option<BlockCounters>)]) -> CounterSnapshot {
        CounterSnapshot {
            at: Nanos::secs(at),
            layers: leaves
                .iter()
                .map(|(minor, counters)| LayerCounters {
                    devno: DevNo {
                        major: 8,
                        minor: *minor,
                    },
                    name: format!("sd{minor}"),
                    is_leaf: *minor > 0,
                    counters: *counters,
                })
                .collect(),
            process: None,
        }
    }

    #[test]
    fn leaves_are_summed_and_upper_layers_are_not() {
        let one = Some(counters(1, 8, 0));
        let then = snapshot(1, &[(0, one), (1, one), (2, one)]);
        let now = snapshot(
            3,
            &[
                (0, Some(counters(9, 88, 0))),
                (1, Some(counters(2, 16, 0))),
                (2, one),
            ],
        );
        let delta = now.since(&then);
        assert_eq!(delta.span, Nanos::secs(2));
        assert_eq!(delta.leaf_read_bytes(), Some(Bytes(4096)));
        let blind = snapshot(3, &[(1, one), (2, None)]).since(&then);
        assert_eq!(blind.leaf_read_bytes(), None);
        assert_eq!(snapshot(3, &[]).since(&then).leaf_read_bytes(), None);
    }
}
