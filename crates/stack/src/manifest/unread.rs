//! What of the stack only root may read, where it was not read: whoever compares must not take it for absent.

use etalon_model::stack::{FsDetail, Layer, LayerKind, StackTree, Transport};

use super::GatheredFacts;

pub(super) fn note(facts: &mut GatheredFacts<'_>, tree: &StackTree) {
    of_filesystem(facts, "", tree);
    for layer in tree.layers() {
        let key = format!("layer.{}", layer.name);
        if let Some(part) = of_layer(layer) {
            facts.unreadable.insert(format!("{key}.{part}"));
        }
        if let Some(tree) = layer.file_stack() {
            of_filesystem(facts, &format!("{key}.file."), tree);
        }
    }
}

/// A superblock that was read tells the block size.
fn of_filesystem(facts: &mut GatheredFacts<'_>, prefix: &str, tree: &StackTree) {
    let Some(filesystem) = &tree.filesystem else {
        return;
    };
    let is_unread = match &filesystem.detail {
        FsDetail::Ext(parameters) => parameters.block_size.is_none(),
        FsDetail::Xfs(parameters) => parameters.block_size.is_none(),
        _ => false,
    };
    if is_unread {
        let parts = ["detail.", "label", "uuid"];
        let keys = parts.map(|part| format!("{prefix}fs.{part}"));
        facts.unreadable.extend(keys);
    }
    if let Some(upper) = filesystem.beneath.as_deref() {
        of_filesystem(facts, &format!("{prefix}upper."), upper);
    }
}

/// The table of a mapped device tells its targets or its options, and an NVMe controller that is asked whether it has a
/// volatile cache.
fn of_layer(layer: &Layer) -> Option<&'static str> {
    let (is_unread, part) = match &layer.kind {
        LayerKind::Lvm(volume) => (volume.targets.is_empty(), "kind."),
        LayerKind::Mapper(mapper) => (mapper.targets.is_empty(), "kind."),
        LayerKind::Crypt(crypt) => (crypt.options.is_none(), "kind."),
        LayerKind::Multipath(multipath) => (multipath.selector.is_none(), "kind."),
        LayerKind::Disk(disk) if disk.transport == Transport::Nvme => {
            let told = layer.queue.as_ref().and_then(|queue| queue.volatile_cache);
            (told.is_none(), "queue.volatile_cache")
        }
        _ => (false, ""),
    };
    is_unread.then_some(part)
}
