//! Whether two open files lie on the same mount.

use std::fs;
use std::os::fd::{AsFd, AsRawFd as _};

use rustix::fs::fstat;
use rustix::io::Result;

/// By the device and by the number of the mount: what is mounted within its own filesystem (`mount --bind`) has the same
/// device.
pub(crate) fn lie_on_one_mount(one: &impl AsFd, other: &impl AsFd) -> Result<bool> {
    let same_device = fstat(one)?.st_dev == fstat(other)?.st_dev;
    Ok(same_device && mount_id(one) == mount_id(other))
}

/// The number of the mount on which an open file lies, which every kernel since 3.15 tells (proc_pid_fdinfo(5)).
fn mount_id(file: &impl AsFd) -> Option<u64> {
    let number = file.as_fd().as_raw_fd();
    let told = fs::read_to_string(format!("/proc/self/fdinfo/{number}")).ok()?;
    let id = told.lines().find_map(|line| line.strip_prefix("mnt_id:"))?;
    id.trim().parse().ok()
}
