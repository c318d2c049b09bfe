//! Files behind filesystems that keep data where the page cache does not show it: passthroughs such as bindfs show a
//! directory of another filesystem, whose page cache holds what theirs has dropped, and ZFS has a cache of its own.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use etalon_model::stack::Mount;

use crate::mountinfo::parse_mountinfo;

/// What holds the data of a file beside the page cache of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behind {
    /// It is on no such filesystem.
    Nothing,
    /// It is this file.
    File(PathBuf),
    /// A process serves it, and nothing says from where; or its filesystem has a cache that shows no file.
    Unknown,
}

/// Where `file` lies, by the mount that it is on and by what stands under the same name in the directory
/// that was mounted.
pub fn behind(file: &Path) -> Behind {
    behind_by(&mounts(), file)
}

/// The same for one of many files, by the mounts that were there for the first of them.
pub(crate) fn behind_by(mounts: &[Mount], file: &Path) -> Behind {
    of_mounts(&real(file), mounts)
}

/// The mounts that this process sees.
pub(crate) fn mounts() -> Vec<Mount> {
    let path = Path::new("/proc/self/mountinfo");
    let text = fs::read_to_string(path).unwrap_or_default();
    parse_mountinfo(&text, path).unwrap_or_default()
}

/// Where a name leads: a directory that is held open is called by its descriptor, which lies on no mount of a file.
fn real(file: &Path) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

fn of_mounts(file: &Path, mounts: &[Mount]) -> Behind {
    let covering = mounts.iter().filter(|mount| file.starts_with(&mount.point));
    // Of two mounts at one place the later one covers the other.
    let Some(mount) = covering.max_by_key(|mount| mount.point.len()) else {
        return Behind::Nothing;
    };
    let kind = mount.fs_type.as_str();
    if kind == "zfs" {
        return Behind::Unknown;
    }
    if kind != "fuse" && !kind.starts_with("fuse.") {
        return Behind::Nothing;
    }
    same_in(Path::new(&mount.source), Path::new(&mount.point), file)
}

/// The file of the same name in `source`, if it is the same one.
fn same_in(source: &Path, point: &Path, file: &Path) -> Behind {
    let inside = file.strip_prefix(point).ok();
    let candidate = inside
        .filter(|_| source.is_absolute())
        .map(|i| source.join(i));
    let found = candidate.filter(|candidate| {
        let both = fs::metadata(candidate).ok().zip(fs::metadata(file).ok());
        both.is_some_and(|(there, here)| is_same(&there, &here))
    });
    found.map_or(Behind::Unknown, Behind::File)
}

fn is_same(there: &Metadata, here: &Metadata) -> bool {
    let of = |m: &Metadata| (m.len(), m.mtime(), m.mtime_nsec(), m.is_file());
    of(there) == of(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_file_in_the_source_of_a_passthrough_is_found_and_another_is_not() {
        let root = tempfile::tempdir().unwrap();
        let (source, point) = (root.path().join("source"), root.path().join("point"));
        fs::create_dir(&source).unwrap();
        fs::create_dir(&point).unwrap();
        fs::write(source.join("file"), "data").unwrap();
        // A copy with the times of the original stands for what a passthrough shows.
        let file = point.join("file");
        fs::write(&file, "data").unwrap();
        let time = fs::metadata(source.join("file"))
            .unwrap()
            .modified()
            .unwrap();
        let open = fs::File::options().write(true).open(&file).unwrap();
        open.set_modified(time).unwrap();
        let found = Behind::File(source.join("file"));
        assert_eq!(same_in(&source, &point, &file), found);
        fs::write(source.join("file"), "other data").unwrap();
        assert_eq!(same_in(&source, &point, &file), Behind::Unknown);
        assert_eq!(
            same_in(Path::new("host:/dir"), &point, &file),
            Behind::Unknown
        );
    }

    #[test]
    fn a_file_in_a_directory_that_is_held_open_has_its_own_name() {
        use std::os::fd::AsRawFd as _;
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("file"), "data").unwrap();
        let held = fs::File::open(root.path()).unwrap();
        let name = format!("/proc/self/fd/{}/file", held.as_raw_fd());
        let named = fs::canonicalize(root.path()).unwrap().join("file");
        assert_eq!(real(Path::new(&name)), named);
        let absent = Path::new("/no/such/file");
        assert_eq!(real(absent), absent);
    }

    #[test]
    fn only_mounts_of_processes_are_looked_through() {
        let line = |kind: &str| format!("42 27 0:39 / / rw - {kind} /none rw\n");
        let of = |kind: &str| {
            let mounts = parse_mountinfo(&line(kind), Path::new("mountinfo")).unwrap();
            of_mounts(Path::new("/etc/hostname"), &mounts)
        };
        assert_eq!(of("ext4"), Behind::Nothing);
        assert_eq!(of("fuse.sshfs"), Behind::Unknown);
        // What ZFS has in memory stands in no page cache.
        assert_eq!(of("zfs"), Behind::Unknown);
    }
}
