//! Which attributes of files a filesystem keeps, found out by setting them.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::error::WorkError;

/// Which attributes come back as they were set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    /// Permissions; vfat, and others mounted with a mask, take a change and have forgotten it at once.
    pub(super) modes: bool,
    /// Times of change, to the second; those of vfat are even.
    pub(super) times: bool,
}

/// Two sets of permissions, one of which a mask may give to every file.
const MODES: [u32; 2] = [0o640, 0o604];

/// An odd second.
const MOMENT: u64 = 1_600_000_001;

impl Kept {
    /// None are asked for.
    pub(super) const NONE: Kept = Kept {
        modes: false,
        times: false,
    };

    /// Those of the filesystem of the directory `place`, in which nothing stays.
    pub(super) fn at(place: &Path) -> Result<Kept, WorkError> {
        let path = place.join("attributes");
        let file = File::create_new(&path).map_err(WorkError::io("create the file", &path))?;
        let modes = MODES.iter().all(|mode| {
            let _ = file.set_permissions(fs::Permissions::from_mode(*mode));
            file.metadata()
                .is_ok_and(|meta| meta.mode() & 0o7777 == *mode)
        });
        let _ = file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(MOMENT));
        let times = file
            .metadata()
            .is_ok_and(|meta| meta.mtime() == MOMENT as i64);
        fs::remove_file(&path).map_err(WorkError::io("remove the file", &path))?;
        Ok(Kept { modes, times })
    }
}
