//! Devices to build on, through the guard.

use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::Path;

use etalon_units::Bytes;

use crate::error::FactorError;
use crate::ground::Ground;
use crate::guard::HeldDevice;

/// Holds `device`, where nothing uses it and nothing lies on it, or one of the names that were typed
/// after `--destroy` is its own.
pub(crate) fn claim_free(ground: &Ground, device: &Path) -> Result<HeldDevice, FactorError> {
    Ok(HeldDevice::claim_any(device, &ground.destroy)?)
}

/// The size of a device, by the kernel's account. It is known by its number: device-mapper nodes that no udev made
/// are no links to the kernel's name.
pub(crate) fn size_of(device: &Path) -> Option<Bytes> {
    let about = std::fs::metadata(device).ok()?;
    if !about.file_type().is_block_device() {
        return None;
    }
    let (major, minor) = (
        rustix::fs::major(about.rdev()),
        rustix::fs::minor(about.rdev()),
    );
    let path = format!("/sys/dev/block/{major}:{minor}/size");
    let sectors: u64 = std::fs::read_to_string(path).ok()?.trim().parse().ok()?;
    Some(Bytes(sectors * 512))
}
