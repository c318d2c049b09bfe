//! Attached loop devices, by what the kernel says lies behind each: names may be stale.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use etalon_model::stack::{DevNo, SECTOR_BYTES};

use crate::ask::{LoopStatus, loop_status};
use crate::context::Context;
use crate::sysfs;

/// A file of this machine: its filesystem's number and its own there.
pub(crate) type FileId = (DevNo, u64);

/// An attached loop device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttachedLoop {
    /// Its node, such as `/dev/loop3`.
    pub(crate) node: PathBuf,
    pub(crate) devno: DevNo,
    /// What lies behind it; none when the kernel does not tell.
    pub(crate) behind: Option<Behind>,
}

/// The bytes behind a loop device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Behind {
    pub(crate) file: FileId,
    /// The device, when that is no regular file.
    pub(crate) device: Option<DevNo>,
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

impl Behind {
    fn is_same_file(&self, other: &Behind) -> bool {
        match (self.device, other.device) {
            (None, None) => self.file == other.file,
            (one, two) => one == two,
        }
    }

    /// Whether some byte lies behind both.
    pub(crate) fn shares_bytes(&self, other: &Behind) -> bool {
        self.is_same_file(other) && self.begin < other.end && other.begin < self.end
    }
}

/// Every attached loop device of the running machine; none of a copied one, which cannot be asked.
pub(crate) fn attached(context: &Context<'_>) -> Vec<AttachedLoop> {
    if !context.roots.is_host() {
        return Vec::new();
    }
    let all = context.roots.sysfs.join("block");
    let names = context.names(&all).into_iter();
    let names = names.filter(|name| all.join(name).join("loop").exists());
    names
        .filter_map(|name| one(context, &all.join(&name), &name))
        .collect()
}

fn one(context: &Context<'_>, directory: &Path, name: &str) -> Option<AttachedLoop> {
    let devno: DevNo = context.value(directory.join("dev"))?;
    let node = context.roots.named_node(name)?;
    let status = match loop_status(&node, devno) {
        // Detached since it was listed.
        Err(error) if error.raw_os_error() == Some(libc::ENXIO) => return None,
        Err(_) => by_name(context, directory).ok(),
        Ok(status) => Some(status),
    };
    let sectors: u64 = context.value(directory.join("size")).unwrap_or(u64::MAX);
    let behind = status.map(|status| Behind {
        file: status.file,
        device: status.device,
        begin: status.offset,
        end: status
            .offset
            .saturating_add(sectors.saturating_mul(SECTOR_BYTES)),
    });
    Some(AttachedLoop {
        node,
        devno,
        behind,
    })
}

/// For those who may not ask the device itself: what its file's name leads to now.
fn by_name(context: &Context<'_>, directory: &Path) -> io::Result<LoopStatus> {
    let settings = directory.join("loop");
    let name = context.attr(settings.join("backing_file"));
    let found = std::fs::metadata(name.unwrap_or_default())?;
    let special = sysfs::devno(found.rdev());
    Ok(LoopStatus {
        file: (sysfs::devno(found.dev()), found.ino()),
        device: (found.rdev() != 0).then_some(special),
        offset: context.value(settings.join("offset")).unwrap_or(0),
    })
}

/// Why the file behind a loop device is not looked at.
pub(crate) const NOT_VISIBLE: &str = "it is not visible in this mount namespace";
const ANOTHER: &str = "another file has its name in this mount namespace";

/// The file called `file` behind the loop device at `directory`, if the name leads to it here: the kernel tells the name
/// that the file had where it was attached, which may be another mount namespace, such as that of a container's host.
///
/// # Errors
/// Where the name leads to nothing or to another file.
pub(crate) fn file_behind(
    context: &Context<'_>,
    directory: &Path,
    file: &str,
) -> io::Result<Metadata> {
    let found = std::fs::metadata(file).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => io::Error::other(NOT_VISIBLE),
        _ => error,
    })?;
    match is_it(context, directory, &found) {
        true => Ok(found),
        false => Err(io::Error::other(ANOTHER)),
    }
}

fn is_it(context: &Context<'_>, directory: &Path, found: &Metadata) -> bool {
    let name = directory.file_name().unwrap_or_default();
    let node = context.roots.named_node(&name.to_string_lossy());
    let devno = context.value(directory.join("dev"));
    let status = node
        .zip(devno)
        .map(|(node, devno)| loop_status(&node, devno));
    match status {
        Some(Ok(LoopStatus {
            device: Some(device),
            ..
        })) => sysfs::devno(found.rdev()) == device,
        Some(Ok(status)) => status.file == (sysfs::devno(found.dev()), found.ino()),
        // Of those who may not ask the device, the file has room for it at least.
        _ => found.file_type().is_block_device() || found.len() >= end_of(context, directory),
    }
}

/// Where the loop device ends in its file.
fn end_of(context: &Context<'_>, directory: &Path) -> u64 {
    let offset: u64 = context.value(directory.join("loop/offset")).unwrap_or(0);
    let sectors: u64 = context.value(directory.join("size")).unwrap_or(0);
    offset.saturating_add(sectors.saturating_mul(SECTOR_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behind(inode: u64, begin: u64, end: u64) -> Behind {
        Behind {
            file: (sysfs::devno(0), inode),
            device: None,
            begin,
            end,
        }
    }

    #[test]
    fn bytes_are_shared_by_ranges_of_one_file_that_overlap() {
        let first = behind(7, 100, 200);
        for (other, shared) in [
            (behind(7, 199, 300), true),
            (behind(7, 0, 101), true),
            (behind(7, 120, 130), true),
            (behind(7, 200, 300), false),
            (behind(7, 0, 100), false),
            (behind(8, 100, 200), false),
        ] {
            assert_eq!(first.shares_bytes(&other), shared, "{other:?}");
            assert_eq!(other.shares_bytes(&first), shared, "{other:?}");
        }
    }

    #[test]
    fn a_device_is_the_same_by_whatever_node() {
        let disk = |inode| Behind {
            device: Some(sysfs::devno(9)),
            ..behind(inode, 0, 10)
        };
        assert!(disk(1).shares_bytes(&disk(2)));
        assert!(!disk(1).shares_bytes(&behind(1, 0, 10)));
    }
}
