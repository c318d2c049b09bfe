//! What lies beneath a target, as plain records: the tree, its counters, and the environment.
//!
//! [`StackTree`] is the root: a mount and filesystem, then [`Layer`]s down to the disks.
//! [`CounterSnapshot`] holds the kernel's counters of every layer at one moment, [`Manifest`] the
//! environment of a run, [`DeviceUse`] who holds a device. They are filled by the room that reads
//! `/sys` and `/proc`; nothing here touches the machine.

mod class;
mod counters;
mod device;
mod filesystem;
mod identity;
mod layer;
mod link;
mod manifest;
mod sample;
mod served;
mod smart;
mod summary;
mod swap;
mod usage;
mod warning;

use std::fmt;
use std::str::FromStr;

use etalon_units::Percent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use class::{DeviceClass, DeviceKind};
pub use counters::{
    BlockCounters, BlockDelta, CounterDelta, CounterSnapshot, DiscardCounters, FlushCounters,
    LayerCounters, LayerDelta, ProcessIo, SECTOR_BYTES,
};
pub use device::{Disk, Queue, Transport};
pub use filesystem::{
    BtrfsAllocation, BtrfsUsage, DirectIo, ExtParameters, Filesystem, FsDetail, Mount, NetworkCard,
    Space, XfsParameters,
};
pub use identity::tells_apart;
pub use layer::{
    Bcache, Crypt, Layer, LayerKind, LogicalVolume, LoopDevice, MapDevice, MapTarget, Mapper, Md,
    MdMember, MultiPath, Partition, PathState, Zram,
};
pub use link::Link;
pub use manifest::{Manifest, ManifestChange, covers};
pub use sample::{
    CpuShares, DiskActivity, DiskRates, DiskTick, MemoryState, MonitorCost, Pressure,
    ProcessActivity, Recording, Sample, SensorReading,
};
pub use served::ServedHere;
pub use smart::Smart;
pub use swap::SwapArea;
pub use usage::{DeviceUse, ExclusiveOpen, FileUser, User};
pub use warning::{NEARLY_FULL_PERCENT, Warning};

/// The number of a block device, written `major:minor` as the kernel does.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub struct DevNo {
    /// The driver's number; 0 marks a filesystem without a block device.
    pub major: u32,
    /// The device's number within the driver.
    pub minor: u32,
}

/// Why a text is not a device number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{input}' is not a device number; write major:minor, for example 254:0")]
pub struct ParseDevNoError {
    input: String,
}

impl fmt::Display for DevNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

impl FromStr for DevNo {
    type Err = ParseDevNoError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.trim().split_once(':').and_then(|(major, minor)| {
            Some(DevNo {
                major: major.parse().ok()?,
                minor: minor.parse().ok()?,
            })
        });
        parsed.ok_or_else(|| ParseDevNoError {
            input: text.to_owned(),
        })
    }
}

impl From<DevNo> for String {
    fn from(dev: DevNo) -> String {
        dev.to_string()
    }
}

impl TryFrom<String> for DevNo {
    type Error = ParseDevNoError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// `part` of `whole` as a share; none when the whole is nothing.
pub fn share(part: u64, whole: u64) -> Option<Percent> {
    (whole > 0).then(|| Percent::from_fraction(part as f64 / whole as f64))
}

/// What kind of thing is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A directory on a mounted filesystem.
    Directory,
    /// A file on a mounted filesystem.
    File,
    /// A block device, opened as such.
    BlockDevice,
    /// Does not exist yet; the nearest directory above it was examined.
    Absent,
    /// Not examined: the tree was read from copied files.
    NotExamined,
}

/// A detail that could not be read, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// What is not known, in words (`md bitmap of md0`).
    pub what: String,
    /// Why, and who could read it (`/dev/md0: permission denied; root can read it`).
    pub why: String,
}

/// Everything that lies beneath one target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StackTree {
    /// The target as it was given.
    pub target: String,
    /// The target with every symbolic link resolved.
    pub resolved: String,
    /// What it is.
    pub kind: TargetKind,
    /// The mount that holds it; none for a block device.
    pub mount: Option<Mount>,
    /// The filesystem on that mount; none for a block device.
    pub filesystem: Option<Filesystem>,
    /// The block devices directly beneath: one as a rule, several for btrfs.
    pub devices: Vec<Layer>,
    /// Why no block device lies beneath (tmpfs, NFS, ...); none when one does.
    pub no_block: Option<String>,
    /// Active swap areas of the machine; empty below the first tree.
    #[serde(default)]
    pub swaps: Vec<SwapArea>,
    /// What could not be read.
    pub missing: Vec<Missing>,
    /// What is wrong with the filesystem; each layer carries its own.
    pub warnings: Vec<Warning>,
}

impl StackTree {
    /// A target of which no more is known than its path, which is no symbolic link, and its kind.
    pub fn of_nothing(target: &str, kind: TargetKind) -> StackTree {
        StackTree {
            target: target.to_owned(),
            resolved: target.to_owned(),
            kind,
            mount: None,
            filesystem: None,
            devices: Vec::new(),
            no_block: None,
            swaps: Vec::new(),
            missing: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Every layer, from the top down, each device once, also beneath loop files, overlays and what
    /// this machine serves to itself.
    pub fn layers(&self) -> Vec<&Layer> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    /// The block devices directly beneath; of a filesystem upon another those of that one.
    pub fn top_devices(&self) -> &[Layer] {
        let beneath = self.filesystem.as_ref().and_then(|f| f.beneath.as_ref());
        match beneath {
            Some(beneath) if self.devices.is_empty() => beneath.top_devices(),
            _ => &self.devices,
        }
    }

    /// The tree of the filesystem that holds the data: of a filesystem upon another that one, as far as it could be
    /// followed.
    pub fn holder(&self) -> &StackTree {
        let beneath = self.filesystem.as_ref().and_then(|f| f.beneath.as_ref());
        beneath.map_or(self, |beneath| beneath.holder())
    }

    /// The layers that stand on no other block device: disks, RAM disks, network disks, and loop
    /// devices whose file lies in memory or on a network; each once.
    pub fn leaves(&self) -> Vec<&Layer> {
        let mut layers = self.layers();
        layers.retain(|layer| layer.is_leaf());
        layers
    }

    /// Every warning of the tree with the name of what it concerns, from the top down.
    pub fn all_warnings(&self) -> Vec<(&str, &Warning)> {
        let trees = self.trees().into_iter();
        let upper = trees.flat_map(|t| t.warnings.iter().map(|w| (t.resolved.as_str(), w)));
        let layers = self.layers().into_iter();
        let lower = layers.flat_map(|l| l.warnings.iter().map(|w| (l.name.as_str(), w)));
        upper.chain(lower).collect()
    }

    /// This tree and those of the files and directories that it stands on.
    pub fn trees(&self) -> Vec<&StackTree> {
        let mut found = vec![self];
        let beneath = self.filesystem.as_ref().and_then(|f| f.beneath.as_ref());
        found.extend(beneath.into_iter().flat_map(|tree| tree.trees()));
        for layer in &self.devices {
            layer.collect_trees(&mut found);
        }
        found
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a Layer>) {
        for layer in &self.devices {
            layer.collect(found);
        }
        if let Some(beneath) = self.filesystem.as_ref().and_then(|f| f.beneath.as_ref()) {
            beneath.collect(found);
        }
    }
}

impl Layer {
    /// Whether no other block device lies beneath this one, as far as the kernel shows.
    pub fn is_leaf(&self) -> bool {
        let file_on_device = self
            .file_stack()
            .is_some_and(|stack| !stack.layers().is_empty());
        self.below.is_empty() && !file_on_device
    }

    fn collect_trees<'a>(&'a self, found: &mut Vec<&'a StackTree>) {
        for layer in &self.below {
            layer.collect_trees(found);
        }
        if let Some(stack) = self.file_stack() {
            found.extend(stack.trees());
        }
    }

    /// The stack of the file behind a loop device, or of what this machine itself serves as a network disk, where it
    /// could be followed.
    pub fn file_stack(&self) -> Option<&StackTree> {
        match &self.kind {
            LayerKind::Loop(device) => device.beneath.as_deref(),
            LayerKind::Disk(disk) => disk.served_here.as_ref()?.beneath.as_deref(),
            _ => None,
        }
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a Layer>) {
        if !found.iter().any(|seen| seen.devno == self.devno) {
            found.push(self);
        }
        for layer in &self.below {
            layer.collect(found);
        }
        if let Some(stack) = self.file_stack() {
            stack.collect(found);
        }
    }
}
