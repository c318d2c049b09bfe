//! The device of a mount: whether its name leads to it, and by what it is known again.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use etalon_model::stack::{DevNo, Mount};
use rustix::fs::{major, minor};

use super::UnfitMount;
use super::fit::is_of_network;

/// Judges the device that was mounted, and gives the file of a loop device that goes away with its mount.
pub(super) fn judge(mount: &Mount) -> Result<Option<PathBuf>, UnfitMount> {
    if is_of_network(mount) {
        return Ok(None);
    }
    let source = Path::new(&mount.source);
    let source_name = mount.source.clone();
    let Some(found) = number_of(source) else {
        let kind = mount.fs_type.clone();
        return Err(UnfitMount::NotTold { kind, source_name });
    };
    // Filesystems on several devices have a number of their own.
    if mount.devno.major != 0 && mount.devno != found {
        return Err(UnfitMount::OtherDevice { source_name });
    }
    loop_file(&directory(found)).map_err(|()| UnfitMount::PassingLoop { source_name })
}

/// The number of the disk that a node or one of its partitions is; none of what is no block device.
pub(crate) fn diskseq(node: &Path) -> Option<String> {
    let directory = directory(number_of(node)?);
    let places = ["diskseq", "../diskseq"].map(|name| directory.join(name));
    let text = places
        .iter()
        .find_map(|path| fs::read_to_string(path).ok())?;
    Some(text.trim().to_owned())
}

/// The file of a loop device that goes away with its mount. An error where that does not bring all of it back.
fn loop_file(device: &Path) -> Result<Option<PathBuf>, ()> {
    let read = |name: &str| fs::read_to_string(device.join(name)).unwrap_or_default();
    let says = |name: &str, wanted: &str| read(name).trim() == wanted;
    if says("../loop/autoclear", "1") {
        return Err(());
    }
    if !says("loop/autoclear", "1") {
        return Ok(None);
    }
    let file = PathBuf::from(read("loop/backing_file").trim_end_matches('\n'));
    let is_all_of_it = says("loop/offset", "0") && says("loop/sizelimit", "0");
    match is_all_of_it && file.is_file() {
        true => Ok(Some(file)),
        false => Err(()),
    }
}

fn number_of(node: &Path) -> Option<DevNo> {
    let found = fs::metadata(node).ok()?;
    let number = found.rdev();
    found.file_type().is_block_device().then(|| DevNo {
        major: major(number),
        minor: minor(number),
    })
}

/// What the kernel says of a block device; a partition's lies in its disk's.
fn directory(DevNo { major, minor }: DevNo) -> PathBuf {
    let link = PathBuf::from(format!("/sys/dev/block/{major}:{minor}"));
    fs::canonicalize(&link).unwrap_or(link)
}
