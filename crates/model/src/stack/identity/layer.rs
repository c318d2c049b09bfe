//! Which device it is: a disk, a part of one, a file, or a volume on others.

use std::mem::discriminant;

use super::{same_each, tells_apart};
use crate::stack::{Disk, Layer, LayerKind, Partition};

/// UUIDs that their tools draw at random or take from a disk. Any text may be given to `dmsetup --uuid`, and one of plain
/// dm-crypt is the name of the mapping.
const DRAWN: [&str; 3] = ["LVM-", "CRYPT-LUKS", "mpath-"];

impl Layer {
    /// Whether it is the same device; none where too little is known of either.
    pub fn is_same(&self, other: &Layer) -> Option<bool> {
        match (&self.kind, &other.kind) {
            (LayerKind::Disk(a), LayerKind::Disk(b)) => self.is_same_disk(a, other, b),
            (LayerKind::Partition(a), LayerKind::Partition(b)) => {
                match (a.number, a.offset) == (b.number, b.offset) {
                    true => same_each(&self.beneath(), &other.beneath()),
                    false => Some(false),
                }
            }
            (LayerKind::Loop(a), LayerKind::Loop(b)) => {
                let same_bytes = (&a.file, a.offset) == (&b.file, b.offset);
                let stacks = a.beneath.as_deref().zip(b.beneath.as_deref());
                let (a, b) = stacks.filter(|_| same_bytes)?;
                a.is_same(b)
            }
            (LayerKind::Unknown { .. }, _) | (_, LayerKind::Unknown { .. }) => None,
            (a, b) if discriminant(a) != discriminant(b) => Some(false),
            _ => self.is_same_volume(other),
        }
    }

    /// What it is in words, without the names that the kernel gives.
    pub fn identity(&self) -> Option<String> {
        match &self.kind {
            LayerKind::Disk(disk) => Some(format!("the disk {}", disk.identity()?)),
            LayerKind::Partition(Partition { number, offset, .. }) => {
                let disk = self.below.first()?.identity()?;
                Some(format!(
                    "partition {number} from byte {} of {disk}",
                    offset.get()
                ))
            }
            LayerKind::Loop(device) => {
                let (file, beneath) = device.file.as_ref().zip(device.beneath.as_ref())?;
                let beneath = beneath.identity().or_else(|| beneath.disks())?;
                let at = device.offset.get();
                Some(format!("the file {file} from byte {at} on {beneath}"))
            }
            _ => self
                .drawn_uuid()
                .map(|uuid| format!("the volume {uuid}"))
                .or_else(|| self.on_others()),
        }
    }

    /// A number that a disk without a world-wide name has in common with others of its maker is told by its size too.
    fn is_same_disk(&self, own: &Disk, other: &Layer, its: &Disk) -> Option<bool> {
        let by_number = own.world_wide().is_none() || its.world_wide().is_none();
        match own.is_same(its) {
            Some(true) if by_number && self.size != other.size => Some(false),
            said => said,
        }
    }

    /// A volume by its UUID, else by its name and what it stands on.
    fn is_same_volume(&self, other: &Layer) -> Option<bool> {
        if let Some((own, its)) = self.drawn_uuid().zip(other.drawn_uuid()) {
            return Some(own == its);
        }
        let same_disks = same_each(&self.beneath(), &other.beneath())?;
        let named_alike = self.given_name() == other.given_name();
        (!same_disks || named_alike).then_some(same_disks)
    }

    fn on_others(&self) -> Option<String> {
        let beneath: Option<Vec<String>> = self.below.iter().map(Layer::identity).collect();
        let beneath = beneath.filter(|found| !found.is_empty())?.join(" and ");
        Some(match self.given_name() {
            Some(name) => format!("{name} on {beneath}"),
            None => format!("what stands on {beneath}"),
        })
    }

    /// The name of a mapping, which is given by people and tools.
    fn given_name(&self) -> Option<&str> {
        let is_mapped = matches!(
            self.kind,
            LayerKind::Lvm(_)
                | LayerKind::Crypt(_)
                | LayerKind::Multipath(_)
                | LayerKind::Mapper(_)
        );
        is_mapped.then_some(self.node.as_str())
    }

    fn drawn_uuid(&self) -> Option<&str> {
        let is_drawn = |uuid: &&String| match &self.kind {
            LayerKind::Md(_) => tells_apart(uuid),
            _ => DRAWN.iter().any(|begin| uuid.starts_with(begin)),
        };
        self.uuid.as_ref().filter(is_drawn).map(String::as_str)
    }

    fn beneath(&self) -> Vec<&Layer> {
        self.below.iter().collect()
    }
}
