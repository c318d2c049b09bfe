//! Disks and request queues.

use etalon_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Link, ServedHere, Smart};

/// How a disk is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// ATA over SATA (or PATA).
    Ata,
    /// NVM Express, over PCIe or a fabric.
    Nvme,
    /// SCSI behind a host adapter or a hypervisor.
    Scsi,
    /// Serial-attached SCSI.
    Sas,
    /// Fibre Channel.
    FibreChannel,
    /// USB mass storage or UAS.
    Usb,
    /// virtio: a hypervisor's disk.
    Virtio,
    /// Xen: a hypervisor's disk.
    Xen,
    /// iSCSI over a network.
    Iscsi,
    /// MMC, eMMC or SD card.
    Mmc,
    /// A network block device (NBD, RBD, DRBD).
    Network,
    /// Memory: a RAM disk or persistent memory.
    Memory,
    /// A block device served by a process (ublk).
    UserSpace,
    /// Not recognised.
    Other,
}

impl Transport {
    /// The word that people use.
    pub fn name(self) -> &'static str {
        match self {
            Transport::Ata => "SATA",
            Transport::Nvme => "NVMe",
            Transport::Scsi => "SCSI",
            Transport::Sas => "SAS",
            Transport::FibreChannel => "Fibre Channel",
            Transport::Usb => "USB",
            Transport::Virtio => "virtio",
            Transport::Xen => "Xen",
            Transport::Iscsi => "iSCSI",
            Transport::Mmc => "MMC",
            Transport::Network => "network",
            Transport::Memory => "memory",
            Transport::UserSpace => "user-space",
            Transport::Other => "other",
        }
    }
}

/// A disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Disk {
    /// How it is reached.
    pub transport: Transport,
    /// Maker.
    pub vendor: Option<String>,
    /// Model.
    pub model: Option<String>,
    /// Serial number.
    pub serial: Option<String>,
    /// Firmware revision.
    pub firmware: Option<String>,
    /// World-wide identifier.
    pub wwid: Option<String>,
    /// Its cache by its own account (IDENTIFY DEVICE); none where it does not tell.
    #[serde(default)]
    #[serde(rename = "cache_size_bytes", alias = "cache_size")]
    pub cache_size: Option<Bytes>,
    /// Revolutions per minute; none for a disk without a spindle, or where it does not tell.
    #[serde(default)]
    pub rotation_rpm: Option<u32>,
    /// Whether it can be taken out.
    pub removable: bool,
    /// The kernel's driver.
    pub driver: Option<String>,
    /// State by the kernel (`running`, `live`).
    pub state: Option<String>,
    /// Temperature in degrees Celsius, from hwmon, else from SMART.
    pub temperature_celsius: Option<f64>,
    /// Health by the disk's own account; none where it was not asked or does not tell.
    #[serde(default)]
    pub smart: Option<Box<Smart>>,
    /// The links between machine and disk, from the disk outwards.
    pub links: Vec<Link>,
    /// Names under `/dev/disk/by-id`, sorted.
    pub by_id: Vec<String>,
    /// Its serial number and those of its by-id names that another disk of the machine has too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_names: Vec<String>,
    /// The target's side of a network disk, where the target is this very machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_here: Option<Box<ServedHere>>,
}

/// A request queue; see the kernel's ABI/stable/sysfs-block.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Queue {
    /// The scheduler in use; none for devices that have no queue of their own.
    pub scheduler: Option<String>,
    /// The schedulers that could be chosen.
    pub schedulers: Vec<String>,
    /// Smallest unit that can be addressed.
    #[serde(rename = "logical_block_bytes", alias = "logical_block")]
    pub logical_block: Option<Bytes>,
    /// Smallest unit that is written without reading first.
    #[serde(rename = "physical_block_bytes", alias = "physical_block")]
    pub physical_block: Option<Bytes>,
    /// Preferred smallest request.
    #[serde(rename = "minimum_io_bytes", alias = "minimum_io")]
    pub minimum_io: Option<Bytes>,
    /// Preferred request, the stripe of an array; 0 when not told.
    #[serde(rename = "optimal_io_bytes", alias = "optimal_io")]
    pub optimal_io: Option<Bytes>,
    /// Whether the device says that it rotates.
    pub rotational: Option<bool>,
    /// `write back` or `write through`.
    pub write_cache: Option<String>,
    /// Whether the device itself says that it has a cache that loses its content without power; none
    /// where it does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatile_cache: Option<bool>,
    /// Whether forced unit access is supported.
    pub fua: Option<bool>,
    /// Unit of discard; 0 without support.
    #[serde(rename = "discard_granularity_bytes", alias = "discard_granularity")]
    pub discard_granularity: Option<Bytes>,
    /// Largest discard; 0 means that discard is impossible.
    #[serde(rename = "discard_max_bytes", alias = "discard_max")]
    pub discard_max: Option<Bytes>,
    /// Requests that the queue takes.
    pub nr_requests: Option<u64>,
    /// Readahead.
    #[serde(rename = "read_ahead_bytes", alias = "read_ahead")]
    pub read_ahead: Option<Bytes>,
    /// Largest request.
    #[serde(rename = "max_request_bytes", alias = "max_request")]
    pub max_request: Option<Bytes>,
    /// 0: merge all, 1: only simple, 2: no merges.
    pub nomerges: Option<u64>,
    /// Where completions run: 0 anywhere, 1 the group, 2 the submitting CPU.
    pub rq_affinity: Option<u64>,
    /// Target latency of writeback throttling in microseconds; 0 is off.
    pub wbt_lat_usec: Option<i64>,
    /// Whether the kernel counts I/O here; without it counters stand still.
    pub iostats: Option<bool>,
    /// `none`, `host-aware` or `host-managed`.
    pub zoned: Option<String>,
    /// Size of a zone, where there are zones.
    #[serde(
        default,
        rename = "zone_size_bytes",
        skip_serializing_if = "Option::is_none"
    )]
    pub zone_size: Option<Bytes>,
    /// Number of hardware queues.
    pub hardware_queues: Option<u64>,
}
