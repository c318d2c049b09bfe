//! What the kernel says of the block device that a node is.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use etalon_model::stack::DevNo;
use rustix::fs::{major, minor};

/// The number of the disk that a node or one of its partitions is; none of what is no block device.
pub(crate) fn diskseq(node: &Path) -> Option<String> {
    let directory = directory(number_of(node)?);
    let places = ["diskseq", "../diskseq"].map(|name| directory.join(name));
    let text = places
        .iter()
        .find_map(|path| fs::read_to_string(path).ok())?;
    Some(text.trim().to_owned())
}

/// The number of a device; none of what is no block device.
pub(crate) fn number_of(node: &Path) -> Option<DevNo> {
    let found = fs::metadata(node).ok()?;
    let number = found.rdev();
    found.file_type().is_block_device().then(|| DevNo {
        major: major(number),
        minor: minor(number),
    })
}

/// What the kernel says of a block device; a partition's lies in its disk's.
pub(crate) fn directory(DevNo { major, minor }: DevNo) -> PathBuf {
    let link = PathBuf::from(format!("/sys/dev/block/{major}:{minor}"));
    fs::canonicalize(&link).unwrap_or(link)
}
