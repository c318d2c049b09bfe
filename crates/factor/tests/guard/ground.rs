//! Files and mounts of a test's own, gone when dropped.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use etalon_factor::guard::{Create, Writing};
use rustix::fs::OFlags;

pub(crate) const MIB: u64 = 1 << 20;

/// A mounted device; unmounted when dropped.
pub(crate) struct Mounted(PathBuf);

impl Mounted {
    pub(crate) fn at(device: &Path, point: &Path) -> Mounted {
        std::fs::create_dir_all(point).unwrap();
        let (from, to) = (device.to_string_lossy(), point.to_string_lossy());
        assert!(run("mount", &[&from, &to]), "mount {from} {to}");
        Mounted(point.to_owned())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        run("umount", &[&self.0.to_string_lossy()]);
    }
}

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

/// An image with ext4 in it; none where there is no mkfs.
pub(crate) fn ext4(test: &str, directory: &Path, name: &str) -> Option<PathBuf> {
    let image = zeros(directory, name, 16 * MIB);
    if run("mkfs.ext4", &["-q", "-F", &image.to_string_lossy()]) {
        return Some(image);
    }
    etalon_testbed::skip(test, "no mkfs.ext4");
    None
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
