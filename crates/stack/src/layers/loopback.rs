//! Loop devices; the stack of the file behind one is added by who reads the tree.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use etalon_model::stack::{Layer, LayerKind, LoopDevice, SECTOR_BYTES, Warning};
use etalon_units::Bytes;

use super::write_cache;
use crate::context::Context;
use crate::loops;

/// The kernel appends this to the name of a file that is no more (fs/d_path.c).
const DELETED: &str = " (deleted)";

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer) {
    let settings = directory.join("loop");
    let named = context.attr(settings.join("backing_file"));
    let deleted = named.as_deref().is_some_and(|n| n.ends_with(DELETED));
    let file = named.map(|n| n.strip_suffix(DELETED).unwrap_or(&n).to_owned());
    let allocated = file
        .as_deref()
        .filter(|_| !deleted && context.roots.is_host())
        .and_then(|file| allocated(context, directory, file));
    let device = LoopDevice {
        deleted,
        offset: context
            .bytes(settings.join("offset"))
            .unwrap_or(Bytes::ZERO),
        size_limit: context
            .bytes(settings.join("sizelimit"))
            .filter(|b| b.get() > 0),
        direct_io: context.flag(settings.join("dio")),
        allocated,
        beneath: None,
        file,
    };
    match (&device.file, deleted) {
        (Some(_), true) => layer.warnings.push(Warning::DeletedFile),
        (Some(_), false) => {}
        (None, _) => context.note(
            format!("file of {}", layer.name),
            "nothing is attached to it",
        ),
    }
    let size = layer.size;
    if let Some(allocated) = allocated.filter(|a| a.get() < size.get()) {
        layer.warnings.push(Warning::SparseFile { allocated, size });
    }
    if let Some(queue) = &mut layer.queue {
        queue.volatile_cache = write_cache::of_loop(device.file.is_some(), layer.read_only);
    }
    layer.kind = LayerKind::Loop(device);
}

/// Bytes that the file occupies; only the running machine's files can be asked. Why it cannot be is told with its stack.
fn allocated(context: &Context<'_>, directory: &Path, file: &str) -> Option<Bytes> {
    let found = loops::file_behind(context, directory, file).ok()?;
    found
        .is_file()
        .then(|| Bytes(found.blocks().saturating_mul(SECTOR_BYTES)))
}
