//! What class of storage a target stands on, where the stack proves it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Disk, Layer, LayerKind, Link, Queue, StackTree, Transport};

/// The class of the one disk beneath a target, with the facts that it follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceClass {
    /// How the disk is reached.
    pub transport: Transport,
    /// Whether the disk says that it rotates; `None` where it does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotational: Option<bool>,
    /// What it is.
    pub kind: DeviceKind,
}

/// Classes whose makers publish comparable figures (`docs/ranges.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviceKind {
    /// Flash behind SATA.
    SataSsd,
    /// An NVMe disk of four lanes of PCIe 3.0.
    NvmePcie3,
    /// An NVMe disk of four lanes of PCIe 4.0.
    NvmePcie4,
    /// A hard disk of 7200 revolutions per minute.
    HardDisk7200,
    /// An SD card.
    SdCard,
}

/// PCI vendors of disks that a hypervisor makes: Red Hat twice (QEMU, virtio), VMware, VirtualBox, Microsoft, Amazon,
/// Google (<https://pci-ids.ucw.cz>).
const HYPERVISORS: [&str; 7] = ["1b36", "1af4", "15ad", "80ee", "1414", "1d0f", "1ae0"];
/// What the makers of virtual disks call them, in small letters.
const VIRTUAL_NAMES: [&str; 11] = [
    "qemu",
    "vbox",
    "vmware",
    "virtual",
    "msft",
    "amazon",
    "google",
    "nvme_card",
    "lio-org",
    "scsi_debug",
    "linux",
];
/// Lanes that the published figures are for.
const LANES: u32 = 4;

impl StackTree {
    /// The class of the disk beneath; `None` where there are several, where something else than partitions, logical
    /// volumes and encryption stands above it, where it is virtual, or where it does not prove what it is.
    pub fn device_class(&self) -> Option<DeviceClass> {
        if self
            .filesystem
            .as_ref()
            .is_some_and(|fs| fs.beneath.is_some())
        {
            return None;
        }
        let layers = self.layers();
        let is_plain = layers.iter().all(|layer| passes_through(&layer.kind));
        let [leaf] = self.leaves()[..] else {
            return None;
        };
        match &leaf.kind {
            LayerKind::Disk(disk) if is_plain && !is_virtual(disk) => of_disk(disk, leaf),
            _ => None,
        }
    }
}

/// Whether what is read and written arrives at the disk one to one.
fn passes_through(kind: &LayerKind) -> bool {
    match kind {
        // A network lies between a disk that this machine serves to itself and the one that it stands on.
        LayerKind::Disk(disk) => disk.served_here.is_none(),
        LayerKind::Partition(_) | LayerKind::Crypt(_) => true,
        LayerKind::Lvm(volume) => volume.layer.is_empty(),
        _ => false,
    }
}

fn is_virtual(disk: &Disk) -> bool {
    let by_link = |link: &Link| match link {
        Link::Virtio { .. } => true,
        Link::Pcie { id: Some(id), .. } => HYPERVISORS.iter().any(|vendor| id.starts_with(vendor)),
        _ => false,
    };
    let names = [&disk.vendor, &disk.model].into_iter().flatten();
    let names: Vec<String> = names.map(|name| name.to_lowercase()).collect();
    let by_name = |virtual_name: &&str| names.iter().any(|name| name.contains(*virtual_name));
    disk.links.iter().any(by_link) || VIRTUAL_NAMES.iter().any(by_name)
}

fn of_disk(disk: &Disk, layer: &Layer) -> Option<DeviceClass> {
    let rotational = layer
        .queue
        .as_ref()
        .and_then(|queue: &Queue| queue.rotational);
    let kind = match (disk.transport, rotational) {
        (Transport::Ata, Some(false)) if disk.rotation_rpm.is_none() => DeviceKind::SataSsd,
        // The kernel takes for rotating what does not tell; only the speed proves it.
        (Transport::Ata | Transport::Sas, Some(true)) if disk.rotation_rpm == Some(7200) => {
            DeviceKind::HardDisk7200
        }
        (Transport::Nvme, Some(false)) => of_lanes(disk)?,
        (Transport::Mmc, _) => of_card(disk)?,
        _ => return None,
    };
    Some(DeviceClass {
        transport: disk.transport,
        rotational,
        kind,
    })
}

/// By what the disk itself could do on its link, which is the first from the disk outwards.
fn of_lanes(disk: &Disk) -> Option<DeviceKind> {
    let own = disk.links.iter().find_map(|link| match link {
        Link::Pcie {
            max_speed_gts,
            max_width,
            ..
        } => Some((*max_speed_gts, *max_width)),
        _ => None,
    });
    match own? {
        (Some(8.0), Some(LANES)) => Some(DeviceKind::NvmePcie3),
        (Some(16.0), Some(LANES)) => Some(DeviceKind::NvmePcie4),
        _ => None,
    }
}

fn of_card(disk: &Disk) -> Option<DeviceKind> {
    let is_sd = |link: &Link| matches!(link, Link::Mmc { card: Some(card), .. } if card == "SD");
    disk.links.iter().any(is_sd).then_some(DeviceKind::SdCard)
}
