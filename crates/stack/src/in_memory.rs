//! Where the data of a target lies in memory, whatever it is called.

use etalon_model::stack::{FsDetail, Layer, LayerKind, StackTree, Transport};

/// Filesystems and devices beneath `tree` that hold its data in memory, in words; each once.
#[must_use]
pub fn places(tree: &StackTree) -> Vec<String> {
    let mut found = Vec::new();
    of_tree(tree, None, &mut found);
    for layer in tree.layers() {
        if let Some(words) = of_layer(layer) {
            found.push(words);
        }
        if let Some(file) = layer.file_stack() {
            let name = file_of(layer).map_or("its file", unless_own);
            of_tree(
                file,
                Some(format!("{} (file {name})", layer.name)),
                &mut found,
            );
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether what is written there takes memory, also where a disk may take it over later.
#[must_use]
pub fn takes_memory(tree: &StackTree) -> bool {
    let layers = tree.layers();
    let is_zram = |layer: &&Layer| matches!(layer.kind, LayerKind::Zram(_));
    layers.iter().any(is_zram) || !places(tree).is_empty()
}

/// Whether the filesystem that holds the files keeps them in memory, so that each new one takes some. What lies on a device in
/// memory may take what the device has taken before.
#[must_use]
pub fn holds_files(tree: &StackTree) -> bool {
    let holder = tree.holder().filesystem.as_ref();
    holder.is_some_and(|fs| matches!(fs.detail, FsDetail::Memory { .. }))
}

/// The filesystem itself, or the one beneath it; `on_it` stands there.
fn of_tree(tree: &StackTree, on_it: Option<String>, found: &mut Vec<String>) {
    let Some(fs) = &tree.filesystem else { return };
    if let Some(beneath) = &fs.beneath {
        of_tree(beneath, on_it, found);
        return;
    }
    if matches!(fs.detail, FsDetail::Memory { .. }) {
        let point = tree.mount.as_ref().map_or("", |mount| &mount.point);
        let place = match unless_own(point) {
            OWN => format!("{} {OWN}", fs.fs_type),
            point => format!("{} at {point}", fs.fs_type),
        };
        found.push(match on_it {
            Some(device) => format!("{device} on {place}"),
            None => place,
        });
    }
}

/// What a plan has made for itself and removes at its end.
const OWN: &str = "of this plan";

/// A path, unless it is one that only a plan's own disks have, and that tells a reader nothing.
fn unless_own(path: &str) -> &str {
    let is_own = path.split('/').any(|name| name.starts_with(".etalon-"));
    if is_own { OWN } else { path }
}

/// The file behind a loop device, or behind a network disk that this machine serves to itself.
fn file_of(layer: &Layer) -> Option<&str> {
    match &layer.kind {
        LayerKind::Loop(device) => device.file.as_deref(),
        LayerKind::Disk(disk) => disk.served_here.as_ref()?.source.as_deref(),
        _ => None,
    }
}

fn of_layer(layer: &Layer) -> Option<String> {
    match &layer.kind {
        // What a zram writes to its backing device is what does not compress.
        LayerKind::Zram(zram) if zram.backing.is_none() => Some(format!("{} (zram)", layer.name)),
        // Persistent memory keeps what it holds.
        LayerKind::Disk(disk)
            if disk.transport == Transport::Memory && !layer.name.starts_with("pmem") =>
        {
            Some(format!("{} (RAM disk)", layer.name))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Roots, Stack};

    fn tree_at(path: &str) -> StackTree {
        Stack::of(path.as_ref(), &Roots::default()).unwrap()
    }

    #[test]
    fn a_filesystem_in_memory_is_named_with_its_mount() {
        let mut tree = tree_at("/proc");
        assert_eq!(places(&tree), Vec::<String>::new());
        let fs = tree.filesystem.as_mut().unwrap();
        fs.fs_type = "tmpfs".to_owned();
        fs.detail = FsDetail::Memory {
            limit: None,
            huge: None,
        };
        assert_eq!(places(&tree), ["tmpfs at /proc"]);
    }

    /// A filesystem of a disk on a device of this kind.
    fn on_device(kind: serde_json::Value) -> StackTree {
        let layer = serde_json::json!({
            "name": "zram0", "devno": "252:0", "node": "/dev/zram0", "size_bytes": 0, "read_only": false,
            "kind": kind, "warnings": [], "below": [],
        });
        let mut tree = tree_at("/proc");
        tree.devices = vec![serde_json::from_value(layer).unwrap()];
        tree
    }

    #[test]
    fn a_disk_of_memory_takes_memory_wherever_it_writes_out_later() {
        let zram = |backing: Option<&str>| {
            on_device(serde_json::json!({ "type": "zram", "backing": backing }))
        };
        assert!(takes_memory(&zram(None)) && takes_memory(&zram(Some("/dev/sdz1"))));
        assert_eq!(places(&zram(None)), ["zram0 (zram)"]);
        let disk = |transport: &str| {
            let links = serde_json::json!([]);
            on_device(serde_json::json!({
                "type": "disk", "transport": transport, "removable": false, "links": links, "by_id": links,
            }))
        };
        assert!(takes_memory(&disk("memory")) && !takes_memory(&disk("ata")));
    }

    #[test]
    fn what_a_plan_made_for_itself_is_not_told_by_its_name() {
        let mut tree = tree_at("/proc");
        let fs = tree.filesystem.as_mut().unwrap();
        fs.fs_type = "tmpfs".to_owned();
        fs.detail = FsDetail::Memory {
            limit: None,
            huge: None,
        };
        tree.mount.as_mut().unwrap().point = "/srv/.etalon-4f2a91c0-memory".to_owned();
        assert_eq!(places(&tree), ["tmpfs of this plan"]);
        assert_eq!(
            unless_own("/srv/.etalon-4f2a91c0-memory/.etalon-00-disk0"),
            OWN
        );
        assert_eq!(unless_own("/srv/a.etalon-file"), "/srv/a.etalon-file");
    }

    #[test]
    fn what_lies_beneath_an_overlay_counts_and_not_the_overlay() {
        let mut memory = tree_at("/proc");
        let fs = memory.filesystem.as_mut().unwrap();
        fs.fs_type = "ramfs".to_owned();
        fs.detail = FsDetail::Memory {
            limit: None,
            huge: None,
        };
        let mut overlay = tree_at("/proc");
        assert!(!holds_files(&overlay));
        overlay.filesystem.as_mut().unwrap().beneath = Some(Box::new(memory));
        assert_eq!(places(&overlay), ["ramfs at /proc"]);
        assert!(holds_files(&overlay));
    }
}
