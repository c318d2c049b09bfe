//! Files of a test's own, and what mounts them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use etalon_factor::guard::{Create, Writing};
use etalon_testbed::{Loop, Mount, mkfs};
use rustix::fs::OFlags;

pub(crate) const MIB: u64 = 1 << 20;

/// Runs a program; false when it is not there or fails.
pub(crate) fn run(program: &str, arguments: &[&str]) -> bool {
    let ran = Command::new(program).args(arguments).output();
    ran.is_ok_and(|output| output.status.success())
}

/// A file of zeros.
pub(crate) fn zeros(directory: &Path, name: &str, bytes: u64) -> PathBuf {
    let path = directory.join(name);
    File::create(&path).unwrap().set_len(bytes).unwrap();
    path
}

/// An image with ext4 in it.
pub(crate) fn ext4(directory: &Path, name: &str) -> PathBuf {
    let image = zeros(directory, name, 16 * MIB);
    mkfs("ext4", &["-F", &image.to_string_lossy()]);
    image
}

/// What a device holds, mounted at a place.
pub(crate) fn mounted(device: &Loop, point: &Path) -> Mount {
    Mount::at(point, &[device.name()])
}

/// As dd opens its output.
pub(crate) fn like_dd() -> Writing<'static> {
    Writing {
        create: Create::IfMissing,
        truncate: true,
        read: false,
        flags: OFlags::empty(),
        destroy: None,
    }
}
