//! Who uses a block device.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DevNo;

/// What was learnt on who uses a device; it may be written only when nobody does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceUse {
    /// The device as it was given.
    pub node: String,
    /// Its number.
    pub devno: DevNo,
    /// The kernel's name.
    pub name: String,
    /// Serial number of the disk, which `--destroy` may be asked to repeat.
    pub serial: Option<String>,
    /// Names under `/dev/disk/by-id`.
    pub by_id: Vec<String>,
    /// Of its serial number and by-id names those that other devices have too, each with these devices.
    pub shared: BTreeMap<String, Vec<String>>,
    /// Everyone who uses it or left a mark on it.
    pub users: Vec<User>,
    /// Outcome of opening it for exclusive use.
    pub exclusive: ExclusiveOpen,
}

impl DeviceUse {
    /// Whether nothing at all uses the device and that could be told for certain.
    pub fn is_free(&self) -> bool {
        self.users.is_empty() && self.exclusive == ExclusiveOpen::Granted
    }

    /// Its by-id names and serial number, without those that are also another device's.
    pub fn own_names(&self) -> Vec<String> {
        let names = self.by_id.iter().chain(&self.serial);
        names
            .filter(|name| !self.shared.contains_key(*name))
            .cloned()
            .collect()
    }
}

/// One user of a device, or one mark on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum User {
    /// Mounted.
    Mounted {
        /// The device, which may be a partition of the one asked for.
        device: String,
        /// Where.
        point: String,
    },
    /// Used as swap.
    Swap {
        /// The device.
        device: String,
    },
    /// Another device stands on it.
    Holder {
        /// The device.
        device: String,
        /// Who holds it.
        holder: String,
    },
    /// The whole disk, or another device around it, is in use.
    Parent {
        /// The device.
        device: String,
        /// The disk around it.
        parent: String,
    },
    /// Another device is the same disk by another path, and is in use.
    OtherPath {
        /// The device.
        device: String,
        /// The device of the other path.
        path: String,
    },
    /// The kernel sees partitions on it.
    Partitions {
        /// Their names.
        names: Vec<String>,
    },
    /// A partition table is written on it.
    PartitionTable {
        /// `GPT` or `MBR`.
        kind: String,
    },
    /// A filesystem, RAID, LVM, LUKS, swap or other mark is written on it.
    Signature {
        /// The device.
        device: String,
        /// What it marks, such as `ext4` or `LVM2 physical volume`.
        kind: String,
        /// Where, in bytes from the beginning.
        offset: u64,
    },
    /// A mounted btrfs counts it among its devices.
    BtrfsMember {
        /// The device.
        device: String,
        /// UUID of the filesystem.
        uuid: String,
    },
    /// A loop device shows its bytes, or some of them.
    Loop {
        /// The device.
        device: String,
        /// The loop device.
        shown_by: String,
    },
    /// It is a loop device, and its bytes lie in a file or device that is in use.
    Behind {
        /// The device.
        device: String,
        /// Who uses what lies behind it.
        user: FileUser,
    },
    /// A target of the kernel serves it, to other machines or to this one.
    Served {
        /// The device.
        device: String,
        /// The target, such as `nvmet` or `LIO`.
        server: String,
        /// What it is part of there, such as `subsystem nqn.2014-08.org.nvmexpress:disk, namespace 1`.
        unit: String,
    },
    /// Another process has it open for writing.
    Writer {
        /// The device.
        device: String,
        /// The process, by its name and number.
        process: String,
    },
    /// The kernel refuses writes to it.
    ReadOnly,
    /// What could not be found out; a device is not free while this stands.
    NotKnown {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
}

impl User {
    /// Whether it is no use by anybody, but something that lies on the device.
    pub fn is_content(&self) -> bool {
        matches!(
            self,
            User::Partitions { .. } | User::PartitionTable { .. } | User::Signature { .. }
        )
    }

    /// Whether it may be over in an instant: losetup(8), which seeks a free device, has others open for writing before
    /// it sees that they are taken.
    pub fn may_pass(&self) -> bool {
        matches!(self, User::Writer { .. })
    }
}

/// One user of a regular file whose content somebody else relies on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum FileUser {
    /// A loop device shows it.
    Loop {
        /// The loop device.
        shown_by: String,
    },
    /// Used as swap.
    Swap {
        /// The name under which the kernel lists it.
        name: String,
    },
    /// Mounted as a filesystem image.
    Mounted {
        /// Where.
        point: String,
    },
    /// A target of the kernel serves it as a disk.
    Served {
        /// The target, such as `nvmet` or `LIO`.
        server: String,
        /// What it is part of there, as with [`User::Served`].
        unit: String,
    },
}

/// Outcome of opening a device with `O_EXCL`, see open(2): refused while the system uses it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum ExclusiveOpen {
    /// Opened: nobody in the system held it at that moment.
    Granted,
    /// `EBUSY`: somebody holds it.
    Busy,
    /// It could not be tried, or failed otherwise.
    Failed {
        /// Why.
        why: String,
    },
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            User::Mounted { device, point } => write!(f, "{device} is mounted at {point}"),
            User::Swap { device } => write!(f, "{device} is swap space"),
            User::Holder { device, holder } => write!(f, "{device} is held by {holder}"),
            User::Parent { device, parent } => {
                write!(
                    f,
                    "{parent}, of which {device} is a part, is in use as a whole"
                )
            }
            User::OtherPath { device, path } => {
                write!(f, "{path} is the same disk as {device}, by another path")
            }
            User::Partitions { names } => write!(f, "it has partitions: {}", names.join(", ")),
            User::PartitionTable { kind } => write!(f, "it has a partition table ({kind})"),
            User::Signature {
                device,
                kind,
                offset,
            } => write!(f, "{device} carries {kind} (mark at byte {offset})"),
            User::BtrfsMember { device, uuid } => {
                write!(f, "{device} belongs to the mounted btrfs {uuid}")
            }
            User::Loop { device, shown_by } => {
                write!(f, "bytes of {device} are also those of {shown_by}")
            }
            User::Behind { device, user } => write!(f, "the file behind {device} {user}"),
            User::Served {
                device,
                server,
                unit,
            } => write!(f, "{device} is served by {server} ({unit})"),
            User::Writer { device, process } => {
                write!(f, "{device} is open for writing in {process}")
            }
            User::ReadOnly => write!(
                f,
                "it is read-only (blockdev --setrw frees it, where nothing else holds it so)"
            ),
            User::NotKnown { what, why } => write!(f, "{what} is not known: {why}"),
        }
    }
}

impl fmt::Display for FileUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileUser::Loop { shown_by } => write!(f, "is the backing file of {shown_by}"),
            FileUser::Swap { name } => write!(f, "is swap space ({name})"),
            FileUser::Mounted { point } => write!(f, "is the image mounted at {point}"),
            FileUser::Served { server, unit } => write!(f, "is served by {server} ({unit})"),
        }
    }
}
