//! What surrounded a run: counters, caches, machine, environment, files and what lies beneath.

use etalon_units::{Bytes, Nanos, Percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stack::{CounterDelta, MonitorCost, ProcessActivity, Recording, SensorReading};
use crate::{
    EnvironmentMark, LabGuest, LevelRecord, Limits, ProcessSettings, PublishedFigure, ServedPath,
};

/// What was seen around and during one run; each part is `None` or empty where it was not looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Circumstances {
    /// What every layer of the stack and this process did.
    pub counters: Option<CounterDelta>,
    /// What the disks moved while nothing was asked of them, before the first run.
    pub idle: Option<IdleTraffic>,
    /// What earlier runs of the same session had left to be written when this one began; none where nothing was written
    /// just before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aftermath: Option<Aftermath>,
    /// The machine's meters meanwhile; none in what older versions kept.
    pub idle_meters: Option<MachineMeters>,
    /// What the page cache held of the run's files just before it.
    pub cache_before: Option<CacheHeld>,
    /// What it held just after it.
    pub cache_after: Option<CacheHeld>,
    /// Memory that the page cache may take: all that programs do not hold, or the limit of the
    /// control group.
    #[serde(rename = "cache_limit_bytes", alias = "cache_limit")]
    pub cache_limit: Option<Bytes>,
    /// What the machine did meanwhile.
    pub machine: Option<MachineActivity>,
    /// The environment, and in what it differs from that of the first run.
    pub environment: Option<EnvironmentMark>,
    /// Work of the system on the layers, seen right after the run.
    pub background: Vec<BackgroundWork>,
    /// What is known of the run's files.
    pub files: Option<FileFacts>,
    /// What a sample of the data looks like, for data that this tool did not write.
    pub content: Option<ContentSample>,
    /// Limits that were set on this process and its devices.
    pub limits: Option<Limits>,
    /// How this process was started.
    pub process: Option<ProcessSettings>,
    /// What the stack beneath is bound to do to bytes.
    pub beneath: Option<BeneathFacts>,
    /// Outcome of reading the same blocks twice.
    pub reread: Option<RereadProbe>,
    /// What ran at the same time by intention; `None` for a run that was to be alone.
    #[serde(alias = "company")]
    pub concurrent: Option<ConcurrentRuns>,
    /// The levels of a plan that were in force, from the bottom up, also of factors with one level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelRecord>,
    /// The guest of the laboratory in which it was made; none on a machine of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lab: Option<LabGuest>,
    /// The monitor's series.
    pub recording: Option<Recording>,
    /// The figure, where another program measured it and etalon only read its text; absent where etalon measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedFigure>,
}

/// The other workloads of a run that was one of several together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConcurrentRuns {
    /// Their cells' names.
    pub others: Vec<String>,
    /// How long this workload was under way.
    #[serde(rename = "span_ns", alias = "span")]
    pub span: Nanos,
    /// For how much of that all of them were.
    #[serde(rename = "shared_ns", alias = "shared")]
    pub shared: Nanos,
}

/// Traffic of the disks over a span without work of this tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdleTraffic {
    /// How long it was watched.
    #[serde(rename = "span_ns", alias = "span")]
    pub span: Nanos,
    /// Bytes that the disks read.
    pub read_bytes: Bytes,
    /// Bytes that they wrote.
    pub written_bytes: Bytes,
}

/// What a session's own runs had left behind when the next one began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Aftermath {
    /// How long it was waited for the devices to be quiet.
    #[serde(rename = "waited_ns")]
    pub waited: Nanos,
    /// Whether they were: all that was written had reached them, and they wrote nothing more.
    pub quiet: bool,
    /// Bytes that they wrote meanwhile.
    pub written_bytes: Bytes,
    /// Bytes of the earlier runs that were still to be written, at most.
    pub left_bytes: Bytes,
}

/// What the page cache holds of a run's files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheHeld {
    /// Length of the files together.
    #[serde(rename = "size_bytes", alias = "size")]
    pub size: Bytes,
    /// Of it in memory.
    #[serde(rename = "cached_bytes", alias = "cached")]
    pub cached: Bytes,
    /// Of that changed and not yet sent; none where the kernel cannot tell (before 6.5).
    #[serde(rename = "dirty_bytes", alias = "dirty")]
    pub dirty: Option<Bytes>,
    /// Of that on its way to the device.
    #[serde(rename = "writeback_bytes", alias = "writeback")]
    pub writeback: Option<Bytes>,
}

impl Circumstances {
    /// Servers between the target and its disks; none where it was not looked at.
    pub fn served(&self) -> &[ServedPath] {
        let beneath = self.beneath.as_ref();
        beneath.map_or(&[], |beneath| &beneath.served)
    }
}

impl CacheHeld {
    /// Share of the files in memory; 0 without any.
    pub fn share(&self) -> f64 {
        self.cached.as_f64() / self.size.as_f64().max(1.0)
    }
}

/// What the machine did during a run, from the monitor's samples.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MachineActivity {
    /// Share of processor time taken by the hypervisor for others.
    pub steal: Percent,
    /// Ticks of all processors in which that time was counted: a share is known to one of them. None in what older
    /// versions kept.
    pub counted_ticks: Option<u64>,
    /// Processor time of all programs, this one included, without threads of the kernel and interrupts; none where the
    /// kernel's threads are not seen, and in what older versions kept.
    #[serde(rename = "programs_cpu_ns", alias = "programs_cpu")]
    pub programs_cpu: Option<Nanos>,
    /// Share of processor time idle while a request was under way.
    pub iowait: Percent,
    /// Share of the time that some task waited for memory; none without PSI in the kernel.
    pub memory_some: Option<Percent>,
    /// Share of the time that some task waited for a processor; none without PSI in the kernel.
    pub cpu_some: Option<Percent>,
    /// Pages swapped in.
    pub swapped_in_pages: u64,
    /// Pages swapped out.
    pub swapped_out_pages: u64,
    /// Times that an allocation had to free memory itself.
    pub alloc_stalls: u64,
    /// Processes killed for want of memory, of any control group of the machine.
    pub oom_kills: u64,
    /// Of them those of the control group that holds this process, or for the limit of one above it; none where the
    /// groups do not tell, and in what older versions kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_oom_kills: Option<u64>,
    /// Times that a processor was throttled for heat; none where the kernel does not count them.
    pub throttled: Option<u64>,
    /// Lowest and highest mean clock of the processors in MHz; none where it is not shown.
    pub cpu_mhz: Option<(f64, f64)>,
    /// By how much the wall clock was set, beyond what the steady clock advanced.
    #[serde(rename = "clock_step_ns", alias = "clock_step")]
    pub clock_step: Nanos,
    /// How long the machine was suspended.
    #[serde(rename = "suspended_ns", alias = "suspended")]
    pub suspended: Nanos,
    /// Other processes that did I/O, the busiest first, at most five.
    pub others: Vec<ProcessActivity>,
    /// What watching took.
    pub cost: MonitorCost,
    /// How busy, how hot and how hungry the machine was; none in what older versions kept.
    pub meters: Option<MachineMeters>,
}

/// The machine's meters over a span.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MachineMeters {
    /// Share of all processors' time in which they worked, for whomever; none where it was not counted.
    pub cpu_busy: Option<Percent>,
    /// Power of each meter in watts, the mean of its readings: processor packages, memory, supplies.
    pub power_watts: Vec<SensorReading>,
    /// Highest temperature of each sensor in degrees Celsius.
    pub temperatures_celsius: Vec<SensorReading>,
}

/// Work of the system that is not the run's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundWork {
    /// The device or filesystem.
    pub device: String,
    /// What goes on: `resync`, `balance`, `lazy initialisation`.
    pub what: String,
}

/// What is known of the files of a run, together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileFacts {
    /// Their length.
    #[serde(rename = "size_bytes", alias = "size")]
    pub size: Bytes,
    /// Bytes without any block: reading them touches no device.
    #[serde(rename = "holes_bytes", alias = "holes")]
    pub holes: Bytes,
    /// Bytes with blocks that were never written: reading them touches no device either; none
    /// where the filesystem does not tell.
    #[serde(rename = "unwritten_bytes", alias = "unwritten")]
    pub unwritten: Option<Bytes>,
    /// Bytes that the filesystem holds compressed or encrypted.
    #[serde(rename = "encoded_bytes", alias = "encoded")]
    pub encoded: Option<Bytes>,
    /// Number of extents.
    pub extents: Option<u64>,
}

/// A sample of the data that is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContentSample {
    /// Blocks of 4 KiB looked at.
    pub blocks: u64,
    /// Of them filled with one value.
    pub uniform: u64,
    /// Of them equal to another one of the sample.
    pub repeated: u64,
    /// Their size compressed (Zstandard, level 1) over their size.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub compressed_share: f64,
}

/// What the stack is bound to do to the bytes that go through it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BeneathFacts {
    /// Bytes that the disks write for each byte of data: the copies of a mirror.
    pub write_copies: f64,
    /// Bytes that the devices directly beneath take for each byte: the copies that the filesystem makes by itself,
    /// and none of those that an array or a volume makes below; none in what older versions kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_write_copies: Option<f64>,
    /// Layers that compress or deduplicate, in words.
    pub reducing: Vec<String>,
    /// Loop devices whose file is held compressed or encrypted by its filesystem, in words.
    pub encoded_below: Vec<String>,
    /// Filesystems that ignore fsync, in words.
    pub ignores_fsync: Vec<String>,
    /// Devices with a volatile cache of whose queues it is said that they have none, in words.
    pub cache_denied: Vec<String>,
    /// Devices behind a USB bridge that tells of no volatile cache and may hide one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cache_unknown: Vec<String>,
    /// The request queues of the devices.
    pub queues: Vec<RequestQueue>,
    /// Whatever holds the data in memory, in words.
    pub in_memory: Vec<String>,
    /// Loop devices that go through the page cache of the filesystem below.
    pub buffered_loops: Vec<String>,
    /// Servers between the target and its disks, from the top down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub served: Vec<ServedPath>,
    /// Loop devices over files with holes or with blocks that were reserved and not written, in words.
    pub sparse: Vec<String>,
    /// The filesystem that looks for an inode among all that were freed just before, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avoids_freed_inodes: Option<String>,
    /// Devices that should share the work.
    pub siblings: Vec<Siblings>,
    /// Layers that move data between their devices by themselves: caches, and arrays that lack a member.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caches: Vec<CacheLayer>,
    /// Devices with a volatile cache that must see a flush for each durable write, and count it.
    pub flush_expected: Vec<String>,
    /// Devices that take writes which are durable by themselves (forced unit access), so that those need no flush.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub takes_fua: Vec<String>,
    /// Disks that say of themselves that they lose data or are about to, in words.
    pub failing: Vec<String>,
    /// Share of the filesystem in use.
    pub used: Option<Percent>,
    /// The disks at the bottom; `None` where there is none, or their data lies in memory.
    #[serde(default)]
    pub disks: Option<DiskFacts>,
}

/// What the disks at the bottom of a stack are, together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiskFacts {
    /// Their sizes' sum.
    #[serde(rename = "size_bytes", alias = "size")]
    pub size: Bytes,
    /// Whether they turn; `None` where one does not say so of itself, as virtual disks do not.
    pub rotational: Option<bool>,
    /// Their caches' sum by their own account; `None` where one does not tell.
    #[serde(rename = "cache_bytes", alias = "cache")]
    pub cache: Option<Bytes>,
}

/// How many requests a device's queue takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestQueue {
    /// The device.
    pub device: String,
    /// Requests under way at once, of all hardware queues together.
    pub requests: u64,
}

/// A layer that keeps part of a slow device's data on a fast one (bcache, dm-cache, dm-writecache), or an md array that
/// lacks a member and reads the others in its place: what it moves between them nobody asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CacheLayer {
    /// The layer's device.
    pub device: String,
    /// Whether it is an array that lacks a member; else it is a cache.
    #[serde(default)]
    pub is_degraded: bool,
    /// The devices that it stands on.
    pub members: Vec<CacheMember>,
}

/// A device that a cache stands on: its data, what is cached of it, or where that lies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CacheMember {
    /// Its name.
    pub device: String,
    /// Bytes that the disks beneath it write for each byte.
    pub write_copies: f64,
}

/// Devices beneath one layer that should share its work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Siblings {
    /// The layer, in words.
    pub of: String,
    /// Whether they hold the same data, so that reads may all go to one of them.
    pub mirror: bool,
    /// Their names.
    pub members: Vec<String>,
}

/// The same blocks read twice around all caches of this machine, one at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RereadProbe {
    /// Blocks that were read twice.
    pub blocks: u64,
    /// Size of a block.
    #[serde(rename = "block_size_bytes", alias = "block_size")]
    pub block_size: Bytes,
    /// Median of the first times.
    #[serde(rename = "first_ns", alias = "first")]
    pub first: Nanos,
    /// Median of the second times.
    #[serde(rename = "second_ns", alias = "second")]
    pub second: Nanos,
    /// Median of each block's first time over its second.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub ratio: f64,
    /// Lower end of its 95 % interval.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub low: f64,
    /// Upper end.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub high: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_older_records_call_company_is_read() {
        let text = r#"{"company": {"others": ["a"], "span_ns": 5, "shared_ns": 4}}"#;
        let read: Circumstances = serde_json::from_str(text).unwrap();
        assert_eq!(read.concurrent.unwrap().others, ["a"]);
    }
}
