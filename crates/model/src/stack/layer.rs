//! One layer of block devices.

use etalon_units::{ByteRate, Bytes, Percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DevNo, Disk, Queue, StackTree, Warning};

/// One block device and what it stands on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Layer {
    /// The kernel's name, such as `sda1`, `dm-0` or `md0`.
    pub name: String,
    /// Its number.
    pub devno: DevNo,
    /// The name that people use, such as `/dev/mapper/vg0-home`.
    pub node: String,
    /// The UUID that the device-mapper or md has for it; none of other devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// Its size.
    #[serde(rename = "size_bytes", alias = "size")]
    pub size: Bytes,
    /// Whether the kernel refuses writes to it.
    pub read_only: bool,
    /// Its request queue; partitions share their disk's and have none.
    pub queue: Option<Queue>,
    /// What it is.
    pub kind: LayerKind,
    /// What is wrong with it.
    pub warnings: Vec<Warning>,
    /// The devices that it stands on.
    pub below: Vec<Layer>,
}

/// What a block device is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LayerKind {
    /// A part of a disk.
    Partition(Partition),
    /// An LVM logical volume.
    Lvm(LogicalVolume),
    /// dm-crypt.
    Crypt(Crypt),
    /// Device-mapper multipath.
    Multipath(MultiPath),
    /// Another device-mapper target.
    Mapper(Mapper),
    /// Linux software RAID.
    Md(Md),
    /// bcache.
    Bcache(Bcache),
    /// A file as a block device.
    Loop(LoopDevice),
    /// Compressed memory.
    Zram(Zram),
    /// A disk, real or given by a hypervisor or a network.
    Disk(Disk),
    /// A device that the reader does not know or could not follow.
    Unknown {
        /// Why.
        why: String,
    },
}

/// A partition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Partition {
    /// Its number in the table.
    pub number: u32,
    /// Its name in a GPT.
    pub label: Option<String>,
    /// Where it begins on the disk.
    #[serde(rename = "offset_bytes", alias = "offset")]
    pub offset: Bytes,
    /// The same as a share of the disk: 0 % is the outer edge of a rotating one.
    pub starts_at: Option<Percent>,
    /// Where it ends as a share of the disk.
    pub ends_at: Option<Percent>,
    /// Bytes from the offset to the next boundary of the disk's physical block; 0 is aligned.
    #[serde(rename = "misaligned_by_bytes", alias = "misaligned_by")]
    pub misaligned_by: Bytes,
}

/// An LVM logical volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogicalVolume {
    /// Volume group.
    pub vg: String,
    /// Logical volume.
    pub lv: String,
    /// The layer's part of a compound volume (`tpool`, `real`, `rimage_0`), empty for the volume itself.
    pub layer: String,
    /// Segment type (`linear`, `striped`, `raid1`, `thin`, ...) of the first segment, by the kernel's
    /// table, else by LVM's metadata; none where neither can be read.
    pub segment_type: Option<String>,
    /// Stripes, or members of a mirror or RAID, of the first segment.
    pub stripes: Option<u64>,
    /// Stripe size.
    #[serde(rename = "stripe_size_bytes", alias = "stripe_size")]
    pub stripe_size: Option<Bytes>,
    /// Number of segments: above one, the volume lies in pieces.
    pub segments: Option<u64>,
    /// Extent size of the group.
    #[serde(rename = "extent_size_bytes", alias = "extent_size")]
    pub extent_size: Option<Bytes>,
    /// What the kernel does with it, piece by piece; empty where the table cannot be read.
    #[serde(default)]
    pub targets: Vec<MapTarget>,
}

/// One piece of a device-mapper device; see the kernel's admin-guide/device-mapper.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapTarget {
    /// Where in the device it begins.
    #[serde(rename = "start_bytes", alias = "start")]
    pub start: Bytes,
    /// How long it is.
    #[serde(rename = "length_bytes", alias = "length")]
    pub length: Bytes,
    /// The kernel's name of its type (`linear`, `striped`, `thin`, `delay`, ...); for RAID the level
    /// (`raid1`, `raid5_ls`).
    pub target: String,
    /// Devices that data is spread or copied over; none for types that do neither.
    pub stripes: Option<u64>,
    /// Bytes that go to one device before the next takes over, or that are moved or copied at once.
    #[serde(rename = "chunk_bytes", alias = "chunk")]
    pub chunk: Option<Bytes>,
    /// The devices that it stands on, without those that hold metadata of RAID.
    pub devices: Vec<MapDevice>,
    /// A letter for each device of a mirror, RAID or stripe set: `A` is alive, `a` alive and not
    /// in sync, `-` and all others are missing or failed.
    pub health: Option<String>,
    /// What a RAID or mirror is busy with (`idle`, `resync`, `recover`, `check`, ...).
    pub sync_action: Option<String>,
    /// How far that has come.
    pub sync_progress: Option<Percent>,
}

/// A place that a device-mapper target stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MapDevice {
    /// The device's number.
    pub device: DevNo,
    /// Where on it; none where the type tells none.
    #[serde(rename = "offset_bytes", alias = "offset")]
    pub offset: Option<Bytes>,
}

/// dm-crypt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Crypt {
    /// Mapping name.
    pub name: String,
    /// `LUKS1`, `LUKS2`, `PLAIN`, ... by the device-mapper UUID.
    pub format: String,
    /// Cipher and mode, by the kernel's table or the header.
    pub cipher: Option<String>,
    /// Key size in bits.
    pub key_bits: Option<u64>,
    /// Sector size of the encryption.
    #[serde(rename = "sector_size_bytes", alias = "sector_size")]
    pub sector_size: Option<Bytes>,
    /// Where on the device beneath the data begins.
    #[serde(default)]
    #[serde(rename = "offset_bytes", alias = "offset")]
    pub offset: Option<Bytes>,
    /// The kernel's options (`allow_discards`, `no_read_workqueue`, ...); none where the table
    /// cannot be read.
    #[serde(default)]
    pub options: Option<Vec<String>>,
}

/// Device-mapper multipath.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MultiPath {
    /// Mapping name.
    pub name: String,
    /// World-wide identifier of the unit.
    pub wwid: String,
    /// How the path of each request is chosen (`service-time`, `round-robin`, ...).
    #[serde(default)]
    pub selector: Option<String>,
    /// Whether requests wait when no path is left, rather than fail.
    #[serde(default)]
    pub queues_without_path: Option<bool>,
    /// Its paths.
    pub paths: Vec<PathState>,
}

/// One path to a multipath device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathState {
    /// The disk that stands for the path.
    pub name: String,
    /// The kernel's state of it (`running`, `offline`, `live`).
    pub state: Option<String>,
    /// Its group, counted from 1; one group is used at a time.
    #[serde(default)]
    pub group: Option<u64>,
    /// Whether the mapper takes it for usable.
    #[serde(default)]
    pub usable: Option<bool>,
}

/// Another device-mapper target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mapper {
    /// Mapping name.
    pub name: String,
    /// Mapping UUID; its prefix names the tool that made it.
    pub uuid: String,
    /// What it is taken for by that prefix (`DMRAID`, `partition of multipath`).
    pub made_by: Option<String>,
    /// What the kernel does with it, piece by piece; empty where the table cannot be read.
    #[serde(default)]
    pub targets: Vec<MapTarget>,
}

/// Linux software RAID; see the kernel's admin-guide/md.rst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Md {
    /// `raid0`, `raid1`, `raid10`, `linear`, ...
    pub level: String,
    /// Layout by mdadm's names (`left-symmetric`, `n2`, `f2`), where the level has one.
    pub layout: Option<String>,
    /// Chunk size; none for mirrors.
    #[serde(rename = "chunk_bytes", alias = "chunk")]
    pub chunk: Option<Bytes>,
    /// Metadata version (`1.2`, `0.90`, `external:imsm`).
    pub metadata: Option<String>,
    /// Where the write-intent bitmap lies, `none` without one.
    pub bitmap: Option<String>,
    /// How many members it should have.
    pub raid_disks: u64,
    /// How many of them are missing.
    pub degraded: u64,
    /// `clean`, `active`, `read-auto`, ...
    pub state: Option<String>,
    /// What it is doing: `idle`, `resync`, `recover`, `check`, `repair`, `reshape`.
    pub sync_action: Option<String>,
    /// How far that has come.
    pub sync_progress: Option<Percent>,
    /// How fast it goes.
    #[serde(rename = "sync_speed_bytes_per_second", alias = "sync_speed")]
    pub sync_speed: Option<ByteRate>,
    /// Mismatches that the last check found, in sectors of 512 bytes.
    pub mismatch_sectors: Option<u64>,
    /// Its members.
    pub members: Vec<MdMember>,
}

/// A member of an md array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MdMember {
    /// The device's name.
    pub name: String,
    /// Its place in the array; none for a spare.
    pub slot: Option<u64>,
    /// `in_sync`, `spare`, `faulty`, `write_mostly`, joined by commas.
    pub state: String,
    /// Errors that were corrected or counted.
    pub errors: Option<u64>,
}

/// bcache; see the kernel's admin-guide/bcache.rst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bcache {
    /// `clean`, `dirty`, `no cache`, `inconsistent`.
    pub state: Option<String>,
    /// `writethrough`, `writeback`, `writearound`, `none`.
    pub cache_mode: Option<String>,
    /// Dirty data in the cache, as the kernel prints it.
    pub dirty_data: Option<String>,
    /// I/O above this size bypasses the cache, as the kernel prints it.
    pub sequential_cutoff: Option<String>,
    /// UUID of the cache set.
    pub cache_set: Option<String>,
    /// Names of the backing devices.
    pub backing: Vec<String>,
    /// Names of the cache devices.
    pub cache: Vec<String>,
}

/// A file as a block device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoopDevice {
    /// The file, none when nothing is attached.
    pub file: Option<String>,
    /// Whether the file has been deleted.
    pub deleted: bool,
    /// Where in the file the device begins.
    #[serde(rename = "offset_bytes", alias = "offset")]
    pub offset: Bytes,
    /// Limit of its size; none without one.
    #[serde(rename = "size_limit_bytes", alias = "size_limit")]
    pub size_limit: Option<Bytes>,
    /// Whether it bypasses the page cache of the file's filesystem.
    pub direct_io: Option<bool>,
    /// Bytes that the file really occupies; below its size it is sparse.
    #[serde(rename = "allocated_bytes", alias = "allocated")]
    pub allocated: Option<Bytes>,
    /// The stack of the file.
    pub beneath: Option<Box<StackTree>>,
}

/// Compressed memory; see the kernel's admin-guide/blockdev/zram.rst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Zram {
    /// The compressor in use.
    pub algorithm: Option<String>,
    /// Data stored, before compression.
    #[serde(rename = "stored_bytes", alias = "stored")]
    pub stored: Option<Bytes>,
    /// The same, compressed.
    #[serde(rename = "compressed_bytes", alias = "compressed")]
    pub compressed: Option<Bytes>,
    /// Memory taken.
    #[serde(rename = "memory_bytes", alias = "memory")]
    pub memory: Option<Bytes>,
    /// Pages filled with one value, which take no memory at all.
    pub same_pages: Option<u64>,
    /// The device that takes what does not compress; none without one.
    pub backing: Option<String>,
}
