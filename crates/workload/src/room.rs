//! Whether what a workload is about to create fits, with a part of the filesystem kept free.

use std::io;
use std::path::{Path, PathBuf};

use etalon_host::FreeSpace;
use etalon_units::Bytes;

/// Why a workload is not begun: what it would create does not fit.
#[derive(Debug, thiserror::Error)]
pub enum RoomError {
    /// The free space cannot be told.
    #[error("cannot use '{}': {source}; give a directory that can be written", path.display())]
    Unknown {
        /// The directory asked about.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The data would not leave a tenth of the filesystem free.
    #[error("the work needs {needed} and {free} are free on '{}', a tenth of the filesystem's size kept back; ask for less", path.display())]
    Space {
        /// Where the data were to stand.
        path: PathBuf,
        /// What they need.
        needed: Bytes,
        /// What may be used.
        free: Bytes,
    },
    /// The files would not leave a tenth of the inodes free.
    #[error("the work has {needed} directories and files and {free} inodes are free on '{}', a tenth of all kept back; ask for fewer", path.display())]
    Inodes {
        /// Where they were to stand.
        path: PathBuf,
        /// Directories and files.
        needed: u64,
        /// Inodes that may be used.
        free: u64,
    },
}

/// Refuses what does not fit below `place`: so many directories, so many files, so many bytes in
/// the files.
pub fn check(place: &Path, directories: u64, files: u64, bytes: Bytes) -> Result<(), RoomError> {
    let path = || place.to_owned();
    let space = FreeSpace::of_path(place).map_err(|source| RoomError::Unknown {
        path: path(),
        source,
    })?;
    // A directory takes at least one block on most filesystems.
    let needed = Bytes(
        bytes
            .get()
            .saturating_add(directories.saturating_mul(space.block().get())),
    );
    let free = space.allowance();
    if space.has_size() && needed > free {
        return Err(RoomError::Space {
            path: path(),
            needed,
            free,
        });
    }
    let entries = directories.saturating_add(files);
    match space.inode_allowance() {
        Some(free) if entries > free => Err(RoomError::Inodes {
            path: path(),
            needed: entries,
            free,
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_testbed::Mount;

    #[test]
    fn the_last_tenth_of_the_inodes_is_nobodys() {
        let Some(mount) = Mount::tmpfs_for(
            "the_last_tenth_of_the_inodes_is_nobodys",
            "size=4m,nr_inodes=1000",
        ) else {
            return;
        };
        let of = |files| check(mount.path(), 10, files, Bytes::ZERO);
        assert!(of(800).is_ok());
        let error = of(980).unwrap_err();
        assert!(
            matches!(error, RoomError::Inodes { needed: 990, .. }),
            "{error}"
        );
        assert!(
            error.to_string().contains("a tenth of all kept back"),
            "{error}"
        );
    }
}
