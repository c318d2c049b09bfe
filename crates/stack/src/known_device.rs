//! A device of the running machine and all its names.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// A block device with all that it is called by.
pub(crate) struct KnownDevice {
    /// The kernel's name.
    pub(crate) name: String,
    /// The directory of the whole disk.
    pub(crate) disk: PathBuf,
    /// Its number, where it is a partition of that disk.
    pub(crate) part: Option<u32>,
    /// The name that the disk has in all the world.
    pub(crate) wwid: Option<String>,
    /// Serial number and by-id names.
    pub(crate) names: BTreeSet<String>,
}

impl KnownDevice {
    /// Whether both have the same bytes, all of them or those of a partition: by the same path to the disk or by another.
    pub(crate) fn is_part_of(&self, other: &KnownDevice) -> bool {
        let is_named_alike = self.wwid.is_some() && self.wwid == other.wwid;
        let same_disk = self.disk == other.disk || is_named_alike;
        let within = self.part.is_none() || other.part.is_none() || self.part == other.part;
        same_disk && within
    }
}
