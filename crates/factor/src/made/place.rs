//! The filesystem around what was made: after a reboot it may not be mounted yet.

use std::os::fd::OwnedFd;
use std::path::Path;

use crate::error::FactorError;
use crate::filesystem_mark::FilesystemMark;
use crate::remove::open_without_links;
use crate::scratch::filesystem_mark;

/// The filesystem on which `path` lies, or will lie; none where that cannot be told for sure.
pub(crate) fn mark_around(path: &Path) -> Option<FilesystemMark> {
    filesystem_mark(&directory_of(path)?).ok()
}

fn directory_of(path: &Path) -> Option<OwnedFd> {
    open_without_links(path.parent()?).ok()
}

/// What is not there is gone for good only where its filesystem is there.
pub(super) fn insist_on_absence(
    path: &Path,
    filesystem: Option<&FilesystemMark>,
) -> Result<(), FactorError> {
    // Memory keeps nothing that could come back.
    let Some(mark) = filesystem.filter(|mark| !mark.volatile) else {
        return Ok(());
    };
    match mark_around(path).is_some_and(|found| found.id == mark.id) {
        true => Ok(()),
        false => Err(FactorError::NotMounted {
            path: path.to_owned(),
        }),
    }
}
