//! Devices of bcache that bear a token (the kernel's admin-guide/bcache.rst).

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::gone::until_gone;
use super::wipe::{bears, uuid_text};
use crate::Token;
use crate::error::FactorError;

/// Where the kernel is told of a device.
pub(crate) const REGISTER: &str = "/sys/fs/bcache/register";

/// Tells the kernel of those that it does not know yet; udev may do so at the same time, and what is registered already is
/// refused.
pub(crate) fn register(devices: &[PathBuf]) -> Result<(), FactorError> {
    for device in devices.iter().filter(|device| !directory(device).exists()) {
        let told = fs::write(REGISTER, device.as_os_str().as_encoded_bytes());
        if let Err(error) = told
            && !directory(device).exists()
        {
            return Err(FactorError::io("register", device)(error));
        }
    }
    Ok(())
}

/// What the kernel made of a device that is cached.
pub(crate) fn bcache_of(backing: &Path) -> Option<PathBuf> {
    let link = fs::read_link(directory(backing).join("dev")).ok()?;
    Some(Path::new("/dev").join(link.file_name()?))
}

fn directory(device: &Path) -> PathBuf {
    let name = device.file_name().unwrap_or_default();
    Path::new("/sys/class/block").join(name).join("bcache")
}

/// Has the kernel let go of the cache with this UUID and of what it caches; whether there was any.
pub(super) fn stop(uuid: &Token) -> Result<bool, FactorError> {
    until_gone(
        || Ok(handles(uuid).into_iter().next()),
        |handle| fs::write(handle, "1").map_err(FactorError::io("write", handle)),
    )
}

/// The files that stop the set and each device with this UUID, as long as the kernel has them.
fn handles(uuid: &Token) -> Vec<PathBuf> {
    let set = Path::new("/sys/fs/bcache").join(uuid_text(uuid));
    let names = fs::read_dir("/sys/class/block").into_iter().flatten();
    let devices = names.flatten().filter_map(|name| {
        let is_own = || {
            let node = Path::new("/dev").join(name.file_name());
            File::open(node).is_ok_and(|file| bears(&file, uuid))
        };
        let handle = name.path().join("bcache/stop");
        (handle.exists() && is_own()).then_some(handle)
    });
    let set = set.join("stop");
    devices.chain(set.exists().then_some(set)).collect()
}
