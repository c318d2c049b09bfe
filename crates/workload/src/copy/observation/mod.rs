//! What dd does not tell: dirty data left, time until durable, traffic of the disks, device share.

use std::path::{Path, PathBuf};
use std::time::Instant;

use etalon_host::filesystem::is_overlay;
use etalon_model::stack::{CounterDelta, CounterSnapshot, DevNo, StackTree, share};
use etalon_stack::{Roots, Stack, in_memory, residency, snapshot};
use etalon_units::{Bytes, Nanos, Percent};
use rustix::fs::FileType;
use rustix::io::Errno;
use schemars::JsonSchema;
use serde::Serialize;

use super::counts::Counts;
use super::ends::{Descriptor, Sink};
use super::settings::CopySettings;

/// What was found around one copy.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CopyObservation {
    /// Changed data of the output that was in memory only when the copy ended.
    pub dirty: Dirty,
    /// What keeps the output in memory, a filesystem or a device, in words; empty where it lies on a disk.
    pub in_memory: Vec<String>,
    /// What fsync(2) took after the copy; none where `conv=` or `oflag=` had made the output
    /// durable, where the output is nothing that lasts or lies in memory, or where the call failed.
    #[serde(rename = "fsync_after_ns", alias = "fsync_after")]
    pub fsync_after: Option<Nanos>,
    /// Every disk beneath input and output, with all traffic from the start until durable.
    pub disks: Vec<DiskTraffic>,
    /// Bytes that the device beneath the input delivered, of those read.
    pub input_share: Share,
    /// Bytes that the device beneath the output took, of those written.
    pub output_share: Share,
}

/// Data that a crash would lose.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dirty {
    /// So many bytes of the output file, written back or not yet.
    Bytes(Bytes),
    /// The output is nothing that lasts.
    NothingLasts,
    /// All of it: the output lies in memory, on a filesystem or a device.
    InMemory,
    /// Why it could not be found out.
    NotKnown(String),
}

/// One side's share of bytes that moved on the device beneath.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Share {
    /// Device bytes by bytes read or written; above 100 % with read-ahead, metadata, or others' traffic.
    Of(Percent),
    /// Why there is none.
    None(String),
}

/// What one disk moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiskTraffic {
    /// The kernel's name.
    pub name: String,
    /// Bytes read.
    #[serde(rename = "read_bytes", alias = "read")]
    pub read: Bytes,
    /// Bytes written.
    #[serde(rename = "written_bytes", alias = "written")]
    pub written: Bytes,
}

/// The counters of the stacks beneath both files before a copy.
#[derive(Debug)]
pub struct CopyCounters {
    input: Result<WatchedCopy, String>,
    output: Result<WatchedCopy, String>,
    /// What keeps the output in memory, in words.
    in_memory: Vec<String>,
}

#[derive(Debug)]
struct WatchedCopy {
    tree: StackTree,
    counters: CounterSnapshot,
}

impl CopyCounters {
    /// Reads the counters. The files need not be open, and the output need not exist.
    pub fn of(settings: &CopySettings) -> CopyCounters {
        let input = stack_of(settings.input.as_deref(), "/proc/self/fd/0");
        let output = stack_of(settings.output.as_deref(), "/proc/self/fd/1");
        CopyCounters {
            in_memory: output.as_ref().map_or(Vec::new(), in_memory::places),
            input: input.and_then(watch),
            output: output.and_then(watch),
        }
    }

    /// After the copy: how much is dirty, then makes the output durable, then reads the counters.
    pub fn after(
        self,
        settings: &CopySettings,
        counts: &Counts,
        sink: &mut Descriptor,
    ) -> CopyObservation {
        let is_storage = matches!(sink.kind(), FileType::RegularFile | FileType::BlockDevice);
        let lasts = is_storage && self.in_memory.is_empty();
        let dirty = match (is_storage, lasts) {
            (false, _) => Dirty::NothingLasts,
            (true, false) => Dirty::InMemory,
            (true, true) => dirty_of(settings, sink),
        };
        // Also a device in memory has taken all of it only then, by its counters.
        let fsync_after = (is_storage && !made_durable(settings, counts))
            .then(|| timed_fsync(sink))
            .flatten()
            .filter(|_| lasts);
        let input = self.input.map(WatchedCopy::finish);
        let output = self.output.map(WatchedCopy::finish);
        CopyObservation {
            dirty,
            in_memory: self.in_memory,
            fsync_after,
            input_share: share_of(&input, Moved::top_read, counts.read),
            output_share: share_of(&output, Moved::top_written, counts.written()),
            disks: disks_of([&input, &output]),
        }
    }
}

/// What the device beneath one side moved, of the bytes that the copy moved there.
fn share_of(side: &Result<Moved, String>, moved: fn(&Moved) -> Option<Bytes>, of: Bytes) -> Share {
    match side {
        Err(reason) => Share::None(reason.clone()),
        Ok(side) => moved(side)
            .and_then(|bytes| share(bytes.get(), of.get()))
            .map_or_else(|| Share::None("it was not counted".to_owned()), Share::Of),
    }
}

struct Moved {
    top: Vec<DevNo>,
    delta: CounterDelta,
}

impl Moved {
    fn top_read(&self) -> Option<Bytes> {
        self.top_sum(|delta| delta.read_bytes)
    }

    fn top_written(&self) -> Option<Bytes> {
        self.top_sum(|delta| delta.write_bytes)
    }

    /// Sum over the devices directly beneath the file; none when one was not counted.
    fn top_sum(&self, bytes: fn(&etalon_model::stack::BlockDelta) -> Bytes) -> Option<Bytes> {
        let top = self.top.iter().map(|devno| {
            let layer = self.delta.layers.iter().find(|l| l.devno == *devno)?;
            layer.delta.as_ref().map(|delta| bytes(delta).get())
        });
        top.sum::<Option<u64>>().map(Bytes)
    }
}

/// What one side stands on, or why that is nothing.
fn stack_of(path: Option<&Path>, standard: &str) -> Result<StackTree, String> {
    let path = path.map_or_else(|| PathBuf::from(standard), Path::to_owned);
    if let Ok(status) = rustix::fs::stat(&path) {
        let kind = FileType::from_raw_mode(status.st_mode);
        if !matches!(
            kind,
            FileType::RegularFile | FileType::BlockDevice | FileType::Directory
        ) {
            return Err("its storage stack is empty".to_owned());
        }
    }
    Stack::of(&path, &Roots::default()).map_err(|error| error.to_string())
}

fn watch(tree: StackTree) -> Result<WatchedCopy, String> {
    if tree.top_devices().is_empty() {
        let why = tree.no_block.as_deref();
        return Err(why
            .unwrap_or("its storage stack has no block device")
            .to_owned());
    }
    let counters = snapshot(&tree, &Roots::default());
    Ok(WatchedCopy { tree, counters })
}

impl WatchedCopy {
    fn finish(self) -> Moved {
        let now = snapshot(&self.tree, &Roots::default());
        let top = self.tree.top_devices();
        Moved {
            top: top.iter().map(|layer| layer.devno).collect(),
            delta: now.since(&self.counters),
        }
    }
}

fn disks_of(sides: [&Result<Moved, String>; 2]) -> Vec<DiskTraffic> {
    let mut disks: Vec<DiskTraffic> = Vec::new();
    for moved in sides.into_iter().flatten() {
        for layer in moved.delta.layers.iter().filter(|layer| layer.is_leaf) {
            let known = disks.iter().any(|disk| disk.name == layer.name);
            if let (false, Some(delta)) = (known, &layer.delta) {
                disks.push(DiskTraffic {
                    name: layer.name.clone(),
                    read: delta.read_bytes,
                    written: delta.write_bytes,
                });
            }
        }
    }
    disks
}

fn dirty_of(settings: &CopySettings, sink: &Descriptor) -> Dirty {
    let standard = Path::new("/proc/self/fd/1");
    match residency(settings.output.as_deref().unwrap_or(standard)) {
        Ok(found) => match (found.dirty, found.writeback) {
            (Some(dirty), Some(under_way)) => Dirty::Bytes(Bytes(dirty.get() + under_way.get())),
            _ => Dirty::NotKnown(untold(sink).to_owned()),
        },
        Err(error) => Dirty::NotKnown(error.to_string()),
    }
}

/// Why the kernel tells what is in memory and not what is in memory only.
fn untold(sink: &Descriptor) -> &'static str {
    match rustix::fs::fstatfs(sink).is_ok_and(|found| is_overlay(&found)) {
        true => "on overlayfs the kernel does not tell it",
        false => "the kernel cannot tell (cachestat needs Linux 6.5)",
    }
}

/// What left `O_DIRECT` was made durable by an fsync at the end.
fn made_durable(settings: &CopySettings, counts: &Counts) -> bool {
    let (conversions, flags) = (settings.conversions, settings.output_flags);
    counts.buffered_out > 0
        || conversions.fsync
        || conversions.fdatasync
        || flags.sync
        || flags.dsync
}

fn timed_fsync(sink: &mut Descriptor) -> Option<Nanos> {
    let start = Instant::now();
    loop {
        match sink.fsync() {
            Err(Errno::INTR) => {}
            result => return result.ok().map(|()| start.elapsed().into()),
        }
    }
}

#[cfg(test)]
mod tests;
