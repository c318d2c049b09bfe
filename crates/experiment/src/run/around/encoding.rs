//! Files behind loop devices that their filesystem compresses, deduplicates or encrypts.

use etalon_model::stack::{FsDetail, Layer, LayerKind, LoopDevice, StackTree};
use etalon_stack::Extents;

/// Share of a file held encoded beyond which the figure is that of the encoder.
const ENCODED: f64 = 0.01;

/// Whether the file of a loop device is held compressed or encrypted, by its extents or by what its
/// filesystem does to all.
pub(super) fn holds_encoded(device: &LoopDevice, blocks: Option<&Extents>) -> bool {
    let by_filesystem = device.beneath.as_deref().is_some_and(encodes_all);
    by_filesystem || blocks.is_some_and(is_encoded)
}

fn is_encoded(blocks: &Extents) -> bool {
    let encoded = blocks.encoded.unwrap_or_default().as_f64();
    encoded > blocks.size.as_f64() * ENCODED
}

/// VDO beneath it, or a filesystem that compresses whatever is written.
fn encodes_all(tree: &StackTree) -> bool {
    let is_zfs = tree
        .filesystem
        .as_ref()
        .is_some_and(|fs| matches!(fs.detail, FsDetail::Zfs { .. }));
    let forced = tree.mount.as_ref().is_some_and(|mount| {
        let value = mount.super_option("compress-force");
        value.is_some_and(|value| value != "no" && value != "none")
    });
    is_zfs || forced || tree.layers().into_iter().any(is_vdo)
}

/// A volume of LVM's VDO; by the kernel's table, or by the group's metadata.
pub(super) fn is_vdo(layer: &Layer) -> bool {
    let LayerKind::Lvm(lv) = &layer.kind else {
        return false;
    };
    let segment = lv.segment_type.as_deref();
    segment.is_some_and(|segment| segment.starts_with("vdo"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_stack::{Roots, Stack, extents};

    #[test]
    fn a_filesystem_that_compresses_by_force_is_known_by_its_mount() {
        let mut tree = Stack::of("/proc".as_ref(), &Roots::default()).unwrap();
        assert!(!encodes_all(&tree));
        let mount = tree.mount.as_mut().unwrap();
        mount.super_options.push("compress-force=zstd:3".to_owned());
        assert!(encodes_all(&tree));
        mount_option(&mut tree, "compress-force=no");
        assert!(!encodes_all(&tree));
    }

    #[test]
    fn a_filesystem_on_vdo_encodes_all() {
        let mut tree = Stack::of("/proc".as_ref(), &Roots::default()).unwrap();
        for (segment, encodes) in [("vdo", true), ("linear", false)] {
            let volume = serde_json::json!({
                "name": "dm-0", "devno": "253:0", "node": "/dev/dm-0", "size_bytes": 0,
                "read_only": false, "warnings": [], "below": [],
                "kind": {
                    "type": "lvm", "vg": "vg", "lv": "lv", "layer": "", "segment_type": segment,
                },
            });
            tree.devices = vec![serde_json::from_value(volume).unwrap()];
            assert_eq!(encodes_all(&tree), encodes, "{segment}");
        }
    }

    fn mount_option(tree: &mut StackTree, option: &str) {
        tree.mount.as_mut().unwrap().super_options = vec![option.to_owned()];
    }

    #[test]
    fn a_plain_file_is_not_encoded() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        std::fs::write(&file, vec![7; 65_536]).unwrap();
        assert!(!is_encoded(&extents(&file, 0..u64::MAX).unwrap()));
    }
}
