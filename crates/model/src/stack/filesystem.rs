//! Mounts and filesystems.

use etalon_units::{Bytes, Percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DevNo, ServedHere, StackTree, share};

/// One line of `/proc/self/mountinfo`; see proc_pid_mountinfo(5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mount {
    /// The mount's number.
    pub id: u64,
    /// The number of the mount that it stands on.
    pub parent: u64,
    /// The filesystem's device; major 0 where it has none of its own (btrfs, tmpfs, NFS).
    pub devno: DevNo,
    /// The directory of the filesystem that is mounted: `/` unless bound, a subvolume on btrfs.
    pub root: String,
    /// Where it is mounted.
    pub point: String,
    /// The filesystem's type, such as `ext4` or `fuse.sshfs`.
    pub fs_type: String,
    /// What was mounted: a device, a server's export, or a word.
    pub source: String,
    /// Options of this mount (`rw`, `relatime`).
    pub options: Vec<String>,
    /// Options of the filesystem (`data=ordered`, `compress=zstd:3`).
    pub super_options: Vec<String>,
}

impl Mount {
    /// The value of `key=value` among the filesystem's options.
    pub fn super_option(&self, key: &str) -> Option<&str> {
        let mut pairs = self.super_options.iter().filter_map(|o| o.split_once('='));
        pairs.find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Whether the flag `name` stands among either set of options.
    pub fn has_option(&self, name: &str) -> bool {
        self.options
            .iter()
            .chain(&self.super_options)
            .any(|o| o == name)
    }
}

/// How full a filesystem is, by statvfs(3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Space {
    /// All data blocks.
    #[serde(rename = "total_bytes", alias = "total")]
    pub total: Bytes,
    /// Free blocks, those kept for root included.
    #[serde(rename = "free_bytes", alias = "free")]
    pub free: Bytes,
    /// Free blocks that an ordinary user may take.
    #[serde(rename = "available_bytes", alias = "available")]
    pub available: Bytes,
    /// All inodes; 0 where the filesystem makes them as needed (btrfs, xfs in part).
    pub inodes_total: u64,
    /// Free inodes.
    pub inodes_free: u64,
    /// Whether the filesystem is mounted read-only.
    pub read_only: bool,
}

impl Space {
    /// The share in use, as df(1) reckons it: used / (used + available).
    pub fn used(&self) -> Option<Percent> {
        let used = self.total.get().saturating_sub(self.free.get());
        share(used, used.saturating_add(self.available.get()))
    }
}

/// Whether O_DIRECT works on a file, and how requests must be aligned (statx(2), STATX_DIOALIGN).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum DirectIo {
    /// Supported with these alignments.
    Supported {
        /// Alignment of the buffer in memory.
        #[serde(rename = "memory_align_bytes", alias = "memory_align")]
        memory_align: Bytes,
        /// Alignment of offsets and lengths in the file.
        #[serde(rename = "offset_align_bytes", alias = "offset_align")]
        offset_align: Bytes,
    },
    /// The kernel says that this file does not support O_DIRECT.
    Refused,
    /// O_DIRECT is accepted, yet memory serves the request: no device is behind it.
    ServedFromMemory,
    /// The kernel does not tell: before 6.1, or the filesystem does not report it.
    Unknown {
        /// Why.
        why: String,
    },
}

/// A filesystem and its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Filesystem {
    /// The type, such as `ext4`.
    pub fs_type: String,
    /// Its label, where known.
    pub label: Option<String>,
    /// Its UUID, where known.
    pub uuid: Option<String>,
    /// How full it is; none when read from copied files.
    pub space: Option<Space>,
    /// O_DIRECT on the target; none when read from copied files.
    pub direct_io: Option<DirectIo>,
    /// What is particular to its type.
    pub detail: FsDetail,
    /// For a filesystem upon another (overlay, eCryptfs): the stack of its upper directory; for one that this machine
    /// serves to itself: that of the directory that is exported.
    pub beneath: Option<Box<StackTree>>,
}

/// What is particular to one type of filesystem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum FsDetail {
    /// ext2, ext3 and ext4.
    Ext(ExtParameters),
    /// XFS.
    Xfs(XfsParameters),
    /// btrfs.
    Btrfs {
        /// How many devices it stands on.
        devices: u64,
        /// How many more belong to it and are missing.
        #[serde(default)]
        missing_devices: u64,
        /// Node (metadata block) size.
        #[serde(rename = "node_size_bytes", alias = "node_size")]
        node_size: Option<Bytes>,
        /// Sector (data block) size.
        #[serde(rename = "sector_size_bytes", alias = "sector_size")]
        sector_size: Option<Bytes>,
        /// Checksum algorithm.
        checksum: Option<String>,
        /// Incompatible features in use.
        features: Vec<String>,
        /// Profile and fill of data, metadata and system chunks.
        allocation: Vec<BtrfsAllocation>,
        /// The exclusive operation in progress (`balance`, `device remove`), `none` when idle.
        operation: Option<String>,
        /// How its devices are used, as `btrfs filesystem usage` reckons it.
        #[serde(default)]
        usage: Option<BtrfsUsage>,
    },
    /// F2FS.
    F2fs {
        /// Features of the superblock.
        features: Vec<String>,
        /// Dirty segments.
        dirty_segments: Option<u64>,
        /// Free segments.
        free_segments: Option<u64>,
        /// Life-time amount written.
        #[serde(rename = "lifetime_write_bytes", alias = "lifetime_write")]
        lifetime_write: Option<Bytes>,
    },
    /// tmpfs and ramfs: memory.
    Memory {
        /// The limit set at mount time.
        #[serde(rename = "limit_bytes", alias = "limit")]
        limit: Option<Bytes>,
        /// Huge page policy.
        huge: Option<String>,
    },
    /// overlay: a writable directory over read-only ones.
    Overlay {
        /// Read-only directories, the topmost first.
        lower: Vec<String>,
        /// The writable directory.
        upper: Option<String>,
        /// The work directory.
        work: Option<String>,
    },
    /// A server's filesystem: NFS, CIFS/SMB, 9p, Ceph, virtiofs.
    Network {
        /// The server; empty where the mount does not name one.
        server: String,
        /// What it exports.
        export: String,
        /// Protocol version.
        version: Option<String>,
        /// `tcp`, `udp` or `rdma`.
        protocol: Option<String>,
        /// Largest read request.
        #[serde(rename = "read_size_bytes", alias = "read_size")]
        read_size: Option<Bytes>,
        /// Largest write request.
        #[serde(rename = "write_size_bytes", alias = "write_size")]
        write_size: Option<Bytes>,
        /// Whether a lost server blocks for ever (`hard`) or fails (`soft`).
        hard: Option<bool>,
        /// Address of the server.
        address: Option<String>,
        /// The network card that the way to it begins at.
        #[serde(default)]
        card: Option<NetworkCard>,
        /// The server's side, where the server is this very machine.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        served_here: Option<Box<ServedHere>>,
        /// Whether the host of this virtual machine or container serves it, without a network.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_host: bool,
    },
    /// A filesystem served by a process.
    Fuse {
        /// The part after `fuse.`, such as `sshfs`.
        subtype: Option<String>,
        /// Largest read request.
        #[serde(rename = "max_read_bytes", alias = "max_read")]
        max_read: Option<Bytes>,
    },
    /// ZFS: its pool is not visible under `/sys`.
    Zfs {
        /// Pool and dataset.
        dataset: String,
    },
    /// Another type; nothing particular is read.
    Other,
}

/// A network card, from `/sys/class/net`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NetworkCard {
    /// Its name, such as `eth0`.
    pub name: String,
    /// Speed of its link in Mbit/s; none where it has no link, or does not tell.
    pub speed_mbps: Option<u64>,
    /// `full` or `half`.
    pub duplex: Option<String>,
    /// Largest packet in bytes.
    #[serde(rename = "mtu_bytes", alias = "mtu")]
    pub mtu: Option<u64>,
    /// The kernel's driver.
    pub driver: Option<String>,
}

/// Parameters of an ext2, ext3 or ext4 superblock (fs/ext4/ext4.h, struct ext4_super_block).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExtParameters {
    /// Block size.
    #[serde(rename = "block_size_bytes", alias = "block_size")]
    pub block_size: Option<Bytes>,
    /// Inode size.
    #[serde(rename = "inode_size_bytes", alias = "inode_size")]
    pub inode_size: Option<Bytes>,
    /// Features by the names of mke2fs(8).
    pub features: Vec<String>,
    /// Whether it has a journal; none where that could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<bool>,
    /// Size of the internal journal; none without one, or where it could not be read.
    #[serde(rename = "journal_size_bytes", alias = "journal_size")]
    pub journal_size: Option<Bytes>,
    /// Stride of the array beneath, in filesystem blocks, as told to mke2fs.
    pub raid_stride_blocks: Option<u32>,
    /// Stripe width of the array beneath, in filesystem blocks.
    pub raid_stripe_blocks: Option<u32>,
    /// When it was made, seconds since 1970.
    pub created_unix_seconds: Option<u64>,
    /// Mounts since the last check.
    pub mount_count: Option<u32>,
    /// Written in its life.
    #[serde(rename = "lifetime_write_bytes", alias = "lifetime_write")]
    pub lifetime_write: Option<Bytes>,
    /// Whether inode tables are still being zeroed in the background.
    pub lazy_init: Option<bool>,
    /// Blocks per group.
    pub blocks_per_group: Option<u32>,
    /// Reserved blocks.
    pub reserved_blocks: Option<u64>,
    /// Number of blocks.
    #[serde(default)]
    pub blocks: Option<u64>,
    /// Free blocks when the superblock was last written.
    #[serde(default)]
    pub free_blocks: Option<u64>,
    /// Number of inodes.
    #[serde(default)]
    pub inodes: Option<u32>,
    /// Free inodes when the superblock was last written.
    #[serde(default)]
    pub free_inodes: Option<u32>,
    /// Inodes per group.
    #[serde(default)]
    pub inodes_per_group: Option<u32>,
    /// Groups whose metadata lie together.
    #[serde(default)]
    pub groups_per_flex_group: Option<u32>,
    /// Unit of allocation; above the block size with the feature `bigalloc`.
    #[serde(default)]
    #[serde(rename = "cluster_size_bytes", alias = "cluster_size")]
    pub cluster_size: Option<Bytes>,
    /// Mount options that the filesystem asks for by itself, by the names of tune2fs(8).
    #[serde(default)]
    pub default_mount_options: Vec<String>,
    /// What the kernel does on an error: `continue`, `remount-ro` or `panic`.
    #[serde(default)]
    pub on_error: Option<String>,
    /// Whether it was unmounted cleanly, by the superblock; a mounted one is not.
    #[serde(default)]
    pub state: Option<String>,
    /// Mounts after which it is to be checked; none where it never is.
    #[serde(default)]
    pub check_after_mounts: Option<u32>,
    /// Seconds after which it is to be checked; none where it never is.
    #[serde(default)]
    pub check_after_seconds: Option<u32>,
    /// When it was last mounted, seconds since 1970.
    #[serde(default)]
    pub mounted_unix_seconds: Option<u64>,
    /// When its superblock was last written, seconds since 1970.
    #[serde(default)]
    pub written_unix_seconds: Option<u64>,
    /// When it was last checked, seconds since 1970.
    #[serde(default)]
    pub checked_unix_seconds: Option<u64>,
    /// UUID of the device that holds its journal; none for a journal of its own.
    #[serde(default)]
    pub journal_uuid: Option<String>,
    /// How names are hashed in directories (`half_md4`, `tea`).
    #[serde(default)]
    pub directory_hash: Option<String>,
}

/// Parameters of an XFS superblock (fs/xfs/libxfs/xfs_format.h, struct xfs_dsb).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct XfsParameters {
    /// Block size.
    #[serde(rename = "block_size_bytes", alias = "block_size")]
    pub block_size: Option<Bytes>,
    /// Sector size.
    #[serde(rename = "sector_size_bytes", alias = "sector_size")]
    pub sector_size: Option<Bytes>,
    /// Inode size.
    #[serde(rename = "inode_size_bytes", alias = "inode_size")]
    pub inode_size: Option<Bytes>,
    /// Number of allocation groups.
    pub allocation_groups: Option<u32>,
    /// Size of the log; zero log start means an external one.
    #[serde(rename = "log_size_bytes", alias = "log_size")]
    pub log_size: Option<Bytes>,
    /// Whether the log stands on a device of its own.
    pub external_log: Option<bool>,
    /// Stripe unit.
    #[serde(rename = "stripe_unit_bytes", alias = "stripe_unit")]
    pub stripe_unit: Option<Bytes>,
    /// Stripe width.
    #[serde(rename = "stripe_width_bytes", alias = "stripe_width")]
    pub stripe_width: Option<Bytes>,
    /// Features by the names of mkfs.xfs(8).
    pub features: Vec<String>,
    /// Number of data blocks.
    #[serde(default)]
    pub blocks: Option<u64>,
    /// Blocks of each allocation group but the last.
    #[serde(default)]
    pub allocation_group_blocks: Option<u32>,
    /// Largest share of the room that inodes may take, in percent; 0 sets no limit.
    #[serde(default)]
    pub most_inodes_percent: Option<u32>,
    /// Block size of directories.
    #[serde(default)]
    #[serde(rename = "directory_block_size_bytes", alias = "directory_block_size")]
    pub directory_block_size: Option<Bytes>,
    /// Version of the log.
    #[serde(default)]
    pub log_version: Option<u32>,
    /// Sector size of the log.
    #[serde(default)]
    #[serde(rename = "log_sector_size_bytes", alias = "log_sector_size")]
    pub log_sector_size: Option<Bytes>,
    /// Stripe unit of the log.
    #[serde(default)]
    #[serde(rename = "log_stripe_unit_bytes", alias = "log_stripe_unit")]
    pub log_stripe_unit: Option<Bytes>,
    /// Extent size of the realtime part.
    #[serde(default)]
    #[serde(rename = "realtime_extent_size_bytes", alias = "realtime_extent_size")]
    pub realtime_extent_size: Option<Bytes>,
    /// Blocks of the realtime part; 0 without one.
    #[serde(default)]
    pub realtime_blocks: Option<u64>,
}

/// How btrfs holds one type of chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BtrfsAllocation {
    /// `data`, `metadata`, `system` or `mixed`.
    pub class: String,
    /// Profiles in use: `single`, `dup`, `raid1`, ...; several during a conversion.
    pub profiles: Vec<String>,
    /// Room in the allocated chunks.
    #[serde(rename = "total_bytes", alias = "total")]
    pub total: Option<Bytes>,
    /// Of it in use.
    #[serde(rename = "used_bytes", alias = "used")]
    pub used: Option<Bytes>,
    /// What the chunks take of the devices, copies counted.
    #[serde(default)]
    #[serde(rename = "total_on_devices_bytes", alias = "total_on_devices")]
    pub total_on_devices: Option<Bytes>,
    /// What is in use of that.
    #[serde(default)]
    #[serde(rename = "used_on_devices_bytes", alias = "used_on_devices")]
    pub used_on_devices: Option<Bytes>,
}

/// How a btrfs uses its devices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BtrfsUsage {
    /// Size of its devices together.
    #[serde(rename = "device_size_bytes", alias = "device_size")]
    pub device_size: Bytes,
    /// Of it in chunks.
    #[serde(rename = "allocated_bytes", alias = "allocated")]
    pub allocated: Bytes,
    /// Of it in no chunk yet.
    #[serde(rename = "unallocated_bytes", alias = "unallocated")]
    pub unallocated: Bytes,
    /// Metadata kept back for work that must not fail.
    #[serde(rename = "global_reserve_bytes", alias = "global_reserve")]
    pub global_reserve: Option<Bytes>,
    /// Which copy is read (`pid`, `round-robin`).
    pub read_policy: Option<String>,
}
