//! Links between the machine and a disk.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One link on the way to a disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "bus", rename_all = "snake_case")]
pub enum Link {
    /// PCI Express, from the controller's PCI function.
    Pcie {
        /// Address, such as `0000:01:00.0`.
        address: String,
        /// Driver of the function.
        driver: Option<String>,
        /// Vendor and device number, such as `144d:a808`.
        id: Option<String>,
        /// What kind of controller it is and in which mode (`SATA, AHCI`; `IDE`; `RAID`), by its class.
        #[serde(default)]
        controller: Option<String>,
        /// Speed now, in gigatransfers per second per lane.
        speed_gts: Option<f64>,
        /// Speed that it could have.
        max_speed_gts: Option<f64>,
        /// Lanes now.
        width: Option<u32>,
        /// Lanes that it could have.
        max_width: Option<u32>,
    },
    /// A SATA link.
    Sata {
        /// The kernel's name, such as `link1`.
        name: String,
        /// Speed now, in Gbit/s.
        speed_gbps: Option<f64>,
        /// Limit set by the hardware, in Gbit/s.
        limit_gbps: Option<f64>,
        /// What the disk itself could do, in Gbit/s; from its IDENTIFY data where known.
        ability_gbps: Option<f64>,
    },
    /// A USB device.
    Usb {
        /// Place in the tree, such as `2-1.4`.
        port: String,
        /// Version that the device declares, such as `3.20`.
        version: Option<String>,
        /// Speed now, in Mbit/s.
        speed_mbps: Option<f64>,
        /// What the device itself could do, in Mbit/s, by its BOS descriptor.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ability_mbps: Option<f64>,
        /// Maker and product.
        product: Option<String>,
        /// `usb-storage` or `uas`.
        driver: Option<String>,
    },
    /// An NVMe controller.
    Nvme {
        /// The controller, such as `nvme0`.
        controller: String,
        /// `pcie`, `tcp`, `rdma`, `fc`, `loop`.
        transport: Option<String>,
        /// Address by that transport.
        address: Option<String>,
        /// State (`live`, `connecting`).
        state: Option<String>,
    },
    /// A virtio device.
    Virtio {
        /// Such as `virtio1`.
        device: String,
        /// Such as `virtio_blk` or `virtio_scsi`.
        driver: Option<String>,
    },
    /// A SCSI host.
    ScsiHost {
        /// Such as `host0`.
        host: String,
        /// Driver by its own name, such as `ahci` or `mpt3sas`.
        driver: Option<String>,
        /// Power saving of the link (`max_performance`, `med_power_with_dipm`); SATA only.
        #[serde(default)]
        power_policy: Option<String>,
    },
    /// A SAS link.
    Sas {
        /// Negotiated rate, as the kernel prints it.
        rate: Option<String>,
        /// Largest rate of the phy, as the kernel prints it.
        max_rate: Option<String>,
    },
    /// A Fibre Channel port.
    Fc {
        /// Speed, as the kernel prints it.
        speed: Option<String>,
        /// Speeds that it could have.
        supported: Option<String>,
    },
    /// An iSCSI session.
    Iscsi {
        /// Target name (IQN).
        target: Option<String>,
        /// Address of the portal.
        portal: Option<String>,
        /// State of the session.
        state: Option<String>,
    },
    /// A card slot.
    Mmc {
        /// Such as `mmc0`.
        host: String,
        /// `SD`, `MMC`.
        card: Option<String>,
    },
}
