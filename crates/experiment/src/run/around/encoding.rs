//! Files behind loop devices that their filesystem compresses, deduplicates or encrypts.

use std::path::Path;

use etalon_model::stack::{FsDetail, LoopDevice, StackTree};
use etalon_stack::extents;

/// Share of a file held encoded beyond which the figure is that of the encoder.
const ENCODED: f64 = 0.01;

/// Whether the file of a loop device is held compressed or encrypted, by its extents or by what its
/// filesystem does to all.
pub(super) fn holds_encoded(device: &LoopDevice, file: &str) -> bool {
    let by_filesystem = device.beneath.as_deref().is_some_and(encodes_all);
    by_filesystem || is_encoded(Path::new(file))
}

fn is_encoded(file: &Path) -> bool {
    let Ok(found) = extents(file, 0..u64::MAX) else {
        return false;
    };
    let encoded = found.encoded.unwrap_or_default().as_f64();
    encoded > found.size.as_f64() * ENCODED
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
    is_zfs || forced
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_stack::{Roots, Stack};

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

    fn mount_option(tree: &mut StackTree, option: &str) {
        tree.mount.as_mut().unwrap().super_options = vec![option.to_owned()];
    }

    #[test]
    fn a_plain_file_is_not_encoded() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        std::fs::write(&file, vec![7; 65_536]).unwrap();
        assert!(!is_encoded(&file));
    }
}
