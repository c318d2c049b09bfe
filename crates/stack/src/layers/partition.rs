//! Partitions.

use std::path::Path;

use etalon_model::stack::{Layer, LayerKind, Partition, Warning, share};
use etalon_units::Bytes;

use crate::context::Context;
use crate::sysfs;

/// The name of the disk around it.
pub(super) fn disk(directory: &Path) -> Option<String> {
    let disk = directory.parent()?.file_name()?;
    Some(disk.to_string_lossy().into_owned())
}

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer) {
    let offset = sysfs::sectors(context, &directory.join("start")).unwrap_or(Bytes::ZERO);
    let disk = layer.below.first();
    let whole = disk.map_or(0, |disk| disk.size.get());
    let queue = disk.and_then(|disk| disk.queue.as_ref());
    let block = queue.and_then(|q| q.physical_block.max(q.minimum_io));
    let misaligned_by = context.bytes(directory.join("alignment_offset"));
    let misaligned_by = misaligned_by.filter(|b| b.get() > 0).unwrap_or_else(|| {
        let rest = block.and_then(|b| offset.get().checked_rem(b.get()));
        Bytes(rest.unwrap_or(0))
    });
    if let (true, Some(block)) = (misaligned_by.get() > 0, block) {
        layer
            .warnings
            .push(Warning::MisalignedPartition { offset, block });
    }
    layer.kind = LayerKind::Partition(Partition {
        number: context.value(directory.join("partition")).unwrap_or(0),
        label: crate::udev::uevent(context, directory, "PARTNAME"),
        offset,
        starts_at: share(offset.get(), whole),
        ends_at: share(offset.get().saturating_add(layer.size.get()), whole),
        misaligned_by,
    });
}
