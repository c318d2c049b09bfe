//! What a monitor sees of the machine while something runs.

use etalon_units::{ByteRate, Bytes, Nanos, Percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BlockDelta, DevNo};

/// What one device did during one interval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiskActivity {
    /// The device's number.
    pub devno: DevNo,
    /// Its name.
    pub name: String,
    /// Differences of its counters; none where they could not be read or the device was replaced.
    pub delta: Option<BlockDelta>,
}

/// A device's figures over one interval, as `iostat -x` and `sar -d` define them (iostat(1), sar(1)).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskRates {
    /// Reads completed per second (`r/s`).
    pub reads_per_s: f64,
    /// Bytes read per second (`rkB/s`).
    #[serde(rename = "read_bytes_per_second", alias = "read_rate")]
    pub read_rate: ByteRate,
    /// Reads merged per second (`rrqm/s`).
    pub reads_merged_per_s: f64,
    /// Mean time of a read with its wait (`r_await`); none without reads.
    #[serde(rename = "read_wait_ns", alias = "read_wait")]
    pub read_wait: Option<Nanos>,
    /// Mean size of a read (`rareq-sz`); none without reads.
    #[serde(rename = "read_size_bytes", alias = "read_size")]
    pub read_size: Option<Bytes>,
    /// Writes completed per second (`w/s`).
    pub writes_per_s: f64,
    /// Bytes written per second (`wkB/s`).
    #[serde(rename = "write_bytes_per_second", alias = "write_rate")]
    pub write_rate: ByteRate,
    /// Writes merged per second (`wrqm/s`).
    pub writes_merged_per_s: f64,
    /// Mean time of a write with its wait (`w_await`); none without writes.
    #[serde(rename = "write_wait_ns", alias = "write_wait")]
    pub write_wait: Option<Nanos>,
    /// Mean size of a write (`wareq-sz`); none without writes.
    #[serde(rename = "write_size_bytes", alias = "write_size")]
    pub write_size: Option<Bytes>,
    /// Discards per second (`d/s`).
    pub discards_per_s: f64,
    /// Bytes discarded per second (`dkB/s`).
    #[serde(rename = "discard_bytes_per_second", alias = "discard_rate")]
    pub discard_rate: ByteRate,
    /// Flushes per second (`f/s`).
    pub flushes_per_s: f64,
    /// Mean time of a flush (`f_await`); none without flushes.
    #[serde(rename = "flush_wait_ns", alias = "flush_wait")]
    pub flush_wait: Option<Nanos>,
    /// Transfers per second of all kinds but flushes (`tps` of sar).
    pub transfers_per_s: f64,
    /// Mean number of requests under way or waiting (`aqu-sz`).
    pub queue: f64,
    /// Share of the time with a request under way (`%util`), at most 100 %. A device that serves
    /// several requests at once is not saturated by 100 %.
    pub utilisation: Percent,
}

impl DiskRates {
    /// The figures of `delta` over `span`; all zero over no time.
    pub fn of(delta: &BlockDelta, span: Nanos) -> DiskRates {
        let seconds = span.as_secs_f64();
        if seconds <= 0.0 {
            return DiskRates::default();
        }
        let per_s = |count: u64| count as f64 / seconds;
        let discards = delta.discard_ios.unwrap_or(0);
        let flushes = delta.flush_ios.unwrap_or(0);
        DiskRates {
            reads_per_s: per_s(delta.read_ios),
            read_rate: ByteRate::over(delta.read_bytes, span),
            reads_merged_per_s: per_s(delta.read_merges),
            read_wait: mean_wait(delta.read_ticks_ms, delta.read_ios),
            read_size: delta
                .read_bytes
                .get()
                .checked_div(delta.read_ios)
                .map(Bytes),
            writes_per_s: per_s(delta.write_ios),
            write_rate: ByteRate::over(delta.write_bytes, span),
            writes_merged_per_s: per_s(delta.write_merges),
            write_wait: mean_wait(delta.write_ticks_ms, delta.write_ios),
            write_size: delta
                .write_bytes
                .get()
                .checked_div(delta.write_ios)
                .map(Bytes),
            discards_per_s: per_s(discards),
            discard_rate: ByteRate::over(delta.discard_bytes.unwrap_or_default(), span),
            flushes_per_s: per_s(flushes),
            flush_wait: mean_wait(delta.flush_ticks_ms.unwrap_or(0), flushes),
            transfers_per_s: per_s(delta.read_ios + delta.write_ios + discards),
            queue: delta.queue_ticks_ms as f64 / (seconds * 1000.0),
            utilisation: Percent::from_fraction(
                (delta.io_ticks_ms as f64 / (seconds * 1000.0)).min(1.0),
            ),
        }
    }
}

fn mean_wait(ticks_ms: u64, requests: u64) -> Option<Nanos> {
    (requests > 0).then(|| Nanos::from_secs_f64(ticks_ms as f64 / requests as f64 / 1000.0))
}

/// How the CPUs spent an interval, all together; see proc_stat(5). Shares add up to one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CpuShares {
    /// Programs, niced ones included.
    pub user: Percent,
    /// The kernel.
    pub system: Percent,
    /// Interrupts, hard and soft.
    pub interrupts: Percent,
    /// Idle while a request was under way.
    pub iowait: Percent,
    /// Taken by the hypervisor for others.
    pub steal: Percent,
    /// Idle.
    pub idle: Percent,
    /// Ticks in which all of it was counted, of all processors: each share is known to one of them.
    #[serde(default)]
    pub ticks: u64,
}

/// Memory at one moment, from `/proc/meminfo`, and paging during the interval, from `/proc/vmstat`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryState {
    /// Memory that programs could still get.
    #[serde(rename = "available_bytes", alias = "available")]
    pub available: Bytes,
    /// Page cache.
    #[serde(rename = "cached_bytes", alias = "cached")]
    pub cached: Bytes,
    /// Pages changed and not yet being written.
    #[serde(rename = "dirty_bytes", alias = "dirty")]
    pub dirty: Bytes,
    /// Pages being written.
    #[serde(rename = "writeback_bytes", alias = "writeback")]
    pub writeback: Bytes,
    /// Swap in use.
    #[serde(rename = "swap_used_bytes", alias = "swap_used")]
    pub swap_used: Bytes,
    /// Pages swapped in during the interval.
    pub swapped_in_pages: u64,
    /// Pages swapped out during the interval.
    pub swapped_out_pages: u64,
    /// Times that an allocation had to free memory itself.
    pub alloc_stalls: u64,
    /// Processes killed for want of memory.
    pub oom_kills: u64,
}

/// Share of the interval that tasks stalled, by the kernel's accounting/psi.rst.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pressure {
    /// Some task waited for a CPU.
    pub cpu_some: Percent,
    /// Some task waited for memory.
    pub memory_some: Percent,
    /// All tasks waited for memory.
    pub memory_full: Percent,
    /// Some task waited for I/O.
    pub io_some: Percent,
    /// All tasks waited for I/O.
    pub io_full: Percent,
}

/// A process that did I/O.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessActivity {
    /// Its number.
    pub pid: u32,
    /// Its name.
    pub name: String,
    /// Bytes that it fetched from devices since it was last looked at.
    #[serde(rename = "read_bytes", alias = "read")]
    pub read: Bytes,
    /// Bytes that it made dirty since.
    #[serde(rename = "written_bytes", alias = "written")]
    pub written: Bytes,
    /// Time since it was last looked at.
    #[serde(rename = "span_ns", alias = "span")]
    pub span: Nanos,
}

/// A figure of a sensor with its name, such as `nvme Composite` in °C or `package-0` in W.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SensorReading {
    /// Which sensor.
    pub name: String,
    /// The figure.
    pub value: f64,
}

/// Disks over one short interval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiskTick {
    /// End of the interval on the monotonic clock.
    #[serde(rename = "at_ns", alias = "at")]
    pub at: Nanos,
    /// Its length.
    #[serde(rename = "span_ns", alias = "span")]
    pub span: Nanos,
    /// Every layer of the stack.
    pub disks: Vec<DiskActivity>,
}

/// The whole machine over one interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// End of the interval on the monotonic clock.
    #[serde(rename = "at_ns", alias = "at")]
    pub at: Nanos,
    /// Its length.
    #[serde(rename = "span_ns", alias = "span")]
    pub span: Nanos,
    /// Every layer of the stack.
    pub disks: Vec<DiskActivity>,
    /// CPUs; none where `/proc/stat` could not be read.
    pub cpu: Option<CpuShares>,
    /// Memory; none where `/proc/meminfo` could not be read.
    pub memory: Option<MemoryState>,
    /// Pressure; none without PSI in the kernel.
    pub pressure: Option<Pressure>,
    /// Processes that did I/O, the busiest first, looked at now and then only.
    pub processes: Vec<ProcessActivity>,
    /// Mean clock of the CPUs in MHz; none where the kernel does not show it.
    pub cpu_mhz: Option<f64>,
    /// Times that a CPU was throttled for heat during the interval.
    pub throttled: Option<u64>,
    /// Temperatures in degrees Celsius.
    pub temperatures: Vec<SensorReading>,
    /// Power in watts.
    pub power: Vec<SensorReading>,
}

/// Everything that a monitor saw, and what it took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Recording {
    /// Disks at the short interval.
    pub ticks: Vec<DiskTick>,
    /// The machine at the long one.
    pub samples: Vec<Sample>,
    /// Processor time of the kernel's own threads, those that ended meanwhile left out; none where they are not seen, and
    /// in what older versions kept.
    #[serde(rename = "kernel_threads_ns", alias = "kernel_threads")]
    pub kernel_threads: Option<Nanos>,
    /// What the monitor itself took.
    pub cost: MonitorCost,
}

/// What a monitor took of the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MonitorCost {
    /// How long it ran.
    #[serde(rename = "wall_ns", alias = "wall")]
    pub wall: Nanos,
    /// CPU time that it used.
    #[serde(rename = "cpu_ns", alias = "cpu")]
    pub cpu: Nanos,
    /// Intervals that it missed because the machine did not let it run in time.
    pub missed: u64,
    /// Records dropped because the recording was full.
    pub dropped: u64,
}

impl MonitorCost {
    /// CPU time as a share of one CPU; none over no time.
    pub fn share(&self) -> Option<Percent> {
        super::share(self.cpu.get(), self.wall.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_that_iostat_prints() {
        // Two readings of one disk, two seconds apart, and what iostat -x makes of them by hand:
        // 400 reads of 4 KiB in 200 ms of waiting, 100 writes of 64 KiB in 1000 ms, busy 900 ms.
        let delta = BlockDelta {
            read_ios: 400,
            read_bytes: Bytes::kib(1600),
            read_ticks_ms: 200,
            read_merges: 20,
            write_ios: 100,
            write_bytes: Bytes::kib(6400),
            write_ticks_ms: 1000,
            io_ticks_ms: 900,
            queue_ticks_ms: 1200,
            flush_ios: Some(4),
            flush_ticks_ms: Some(40),
            ..BlockDelta::default()
        };
        let rates = DiskRates::of(&delta, Nanos::secs(2));
        assert_eq!(
            (rates.reads_per_s, rates.writes_per_s, rates.transfers_per_s),
            (200.0, 50.0, 250.0)
        );
        assert_eq!(rates.read_rate.0, 800.0 * 1024.0);
        assert_eq!(rates.reads_merged_per_s, 10.0);
        assert_eq!(rates.read_wait, Some(Nanos::micros(500)));
        assert_eq!(rates.write_wait, Some(Nanos::millis(10)));
        assert_eq!(
            (rates.read_size, rates.write_size),
            (Some(Bytes::kib(4)), Some(Bytes::kib(64)))
        );
        assert_eq!(rates.flush_wait, Some(Nanos::millis(10)));
        assert_eq!(rates.queue, 0.6);
        assert_eq!(rates.utilisation.fraction(), 0.45);
    }

    #[test]
    fn an_idle_disk_has_no_mean_and_no_time_no_rate() {
        let idle = DiskRates::of(&BlockDelta::default(), Nanos::secs(1));
        assert_eq!(
            (idle.read_wait, idle.read_size, idle.queue),
            (None, None, 0.0)
        );
        assert_eq!(
            DiskRates::of(&BlockDelta::default(), Nanos::ZERO),
            DiskRates::default()
        );
        assert_eq!(MonitorCost::default().share(), None);
    }
}
