//! Which value files are read ahead by: that of their disk's queue, or one of their filesystem's own (the kernel's
//! `inode_to_bdi`).

use std::path::{Path, PathBuf};

use etalon_model::stack::{Mount, StackTree};
use etalon_stack::Roots;

/// Where it is set how far a target's files are read ahead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReadAhead {
    /// At the queue of the block device that the target is, or that its filesystem is on.
    #[default]
    OfDisk,
    /// At the filesystem itself, by this file.
    OfFilesystem(PathBuf),
    /// At the filesystem itself, which has no such file.
    Hidden {
        /// The type of the filesystem.
        kind: String,
        /// The file that it would have.
        path: PathBuf,
    },
}

impl ReadAhead {
    /// Of the target at the top of `tree`.
    pub(crate) fn of(tree: &StackTree, roots: &Roots) -> ReadAhead {
        let (Some(mount), Some(filesystem)) = (&tree.mount, &tree.filesystem) else {
            return ReadAhead::OfDisk;
        };
        // Its files are opened beneath it, and read by what they are opened on.
        if let ("overlay", Some(beneath)) = (mount.fs_type.as_str(), &filesystem.beneath) {
            return ReadAhead::of(beneath, roots);
        }
        let Some(own) = own(mount, filesystem.uuid.as_deref()) else {
            return ReadAhead::OfDisk;
        };
        let path = roots.sysfs.join(own).join("read_ahead_kb");
        match path.exists() {
            true => ReadAhead::OfFilesystem(path),
            false => ReadAhead::Hidden {
                kind: mount.fs_type.clone(),
                path,
            },
        }
    }
}

/// The directory below `/sys` of what a filesystem has in the place of its disk's: btrfs shows it beside all else of
/// its own, NFS and FUSE name it by the number of the mount (`super_setup_bdi_name`). None for one that takes its disk's.
fn own(mount: &Mount, uuid: Option<&str>) -> Option<PathBuf> {
    let by_number = |suffix| Path::new("class/bdi").join(format!("{}{suffix}", mount.devno));
    match mount.fs_type.as_str() {
        "btrfs" => Some(
            Path::new("fs/btrfs")
                .join(uuid.unwrap_or("UUID"))
                .join("bdi"),
        ),
        kind if kind.starts_with("fuseblk") => Some(by_number("-fuseblk")),
        kind if kind == "bcachefs" || mount.devno.major == 0 => Some(by_number("")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_stack::Stack;
    use tempfile::TempDir;

    const MOUNTS: &str = "\
30 1 8:0 / / rw - ext4 /dev/sda rw
31 30 0:40 / /pool rw - btrfs /dev/sda rw
32 30 0:41 / /gone rw - btrfs /dev/sdb rw
33 30 0:42 / /nas rw - nfs4 nas:/vol rw
34 30 8:1 / /windows rw - fuseblk /dev/sda1 rw
35 30 0:43 / /bound rw - fuse.bindfs /srv rw
36 30 0:44 / /share rw - cifs //nas/share rw
";

    fn of(root: &TempDir, target: &str) -> ReadAhead {
        let roots = Roots::under(root.path());
        let tree = Stack::of(Path::new(target), &roots).unwrap();
        ReadAhead::of(&tree, &roots)
    }

    fn write(root: &TempDir, file: &str, text: &str) -> PathBuf {
        etalon_testbed::put(root.path(), file, text)
    }

    #[test]
    fn a_filesystem_has_its_disks_or_one_of_its_own() {
        let root = TempDir::new().unwrap();
        write(&root, "proc/self/mountinfo", MOUNTS);
        write(&root, "sys/class/block/sda/dev", "8:0\n");
        write(&root, "sys/fs/btrfs/0a-1b/devices/sda/dev", "8:0\n");
        assert_eq!(of(&root, "/srv"), ReadAhead::OfDisk);
        assert_eq!(of(&root, "/dev/sda"), ReadAhead::OfDisk);
        for (target, kind, directory) in [
            ("/pool/dir", "btrfs", "sys/fs/btrfs/0a-1b/bdi"),
            ("/nas", "nfs4", "sys/class/bdi/0:42"),
            ("/windows", "fuseblk", "sys/class/bdi/8:1-fuseblk"),
            ("/bound", "fuse.bindfs", "sys/class/bdi/0:43"),
        ] {
            let file = format!("{directory}/read_ahead_kb");
            let hidden = ReadAhead::Hidden {
                kind: kind.to_owned(),
                path: root.path().join(&file),
            };
            assert_eq!(of(&root, target), hidden);
            let path = write(&root, &file, "128\n");
            assert_eq!(of(&root, target), ReadAhead::OfFilesystem(path));
        }
        for target in ["/gone", "/share"] {
            let found = of(&root, target);
            assert!(matches!(found, ReadAhead::Hidden { .. }), "{found:?}");
        }
    }
}
