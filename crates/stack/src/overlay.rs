//! Which directory beneath an overlay holds a file (the kernel's filesystems/overlayfs.rst).

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use etalon_model::stack::{FsDetail, Mount, TargetKind};

/// The directory or file beneath an overlay that holds what is at `resolved`: of a file that is there, the
/// one in the first directory that has it; of all else the upper directory, where new files go.
pub(crate) fn place_beneath(
    mount: &Mount,
    detail: &FsDetail,
    (resolved, kind): (&Path, TargetKind),
) -> Option<PathBuf> {
    let FsDetail::Overlay { lower, upper, .. } = detail else {
        return None;
    };
    let directories: Vec<&str> = upper.iter().chain(lower).map(String::as_str).collect();
    let inside = resolved.strip_prefix(&mount.point).ok();
    let file = inside.filter(|_| kind == TargetKind::File);
    let holder = file.and_then(|file| holder(&directories, file));
    holder.or_else(|| directories.first().map(PathBuf::from))
}

/// Where `file` lies: in the first of `directories`, the upper one before the lower ones, that has it.
fn holder(directories: &[&str], file: &Path) -> Option<PathBuf> {
    let places = directories.iter().map(|base| Path::new(base).join(file));
    let mut there = places.filter_map(|place| Some((fs::symlink_metadata(&place).ok()?, place)));
    let (found, place) = there.next()?;
    // A device with the number 0:0 marks what was deleted.
    let is_whiteout = found.file_type().is_char_device() && found.rdev() == 0;
    (!is_whiteout).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_lies_in_the_first_directory_that_has_it_and_new_ones_go_up() {
        let root = tempfile::tempdir().unwrap();
        let of = |name: &str| root.path().join(name);
        for name in ["upper", "middle/sub", "lowest/sub"] {
            fs::create_dir_all(of(name)).unwrap();
        }
        fs::write(of("middle/sub/both"), "").unwrap();
        fs::write(of("lowest/sub/both"), "").unwrap();
        fs::write(of("upper/top"), "").unwrap();
        fs::write(of("lowest/top"), "").unwrap();
        let all = ["upper", "middle", "lowest"].map(of);
        let all: Vec<&str> = all.iter().map(|p| p.to_str().unwrap()).collect();
        let found = |file: &str| holder(&all, Path::new(file));
        assert_eq!(found("sub/both"), Some(of("middle/sub/both")));
        assert_eq!(found("top"), Some(of("upper/top")));
        assert_eq!(found("new"), None);
    }
}
