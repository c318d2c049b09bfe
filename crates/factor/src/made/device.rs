//! Devices to build on, through the guard.

use std::path::{Path, PathBuf};

use etalon_units::Bytes;

use crate::error::FactorError;
use crate::ground::Ground;
use crate::guard::{GuardError, HeldDevice};

/// Holds `device`, where nothing uses it and nothing lies on it, or one of the names that were typed
/// after `--destroy` is its own.
pub(crate) fn claim_free(ground: &Ground, device: &Path) -> Result<HeldDevice, FactorError> {
    let refused = match HeldDevice::claim(device, None) {
        Ok(held) => return Ok(held),
        Err(refused) => refused,
    };
    for typed in &ground.destroy {
        match HeldDevice::claim(device, Some(typed)) {
            Ok(held) => return Ok(held),
            Err(GuardError::Refused(crate::guard::Refusal::OtherDevice { .. })) => {}
            Err(other) => return Err(other.into()),
        }
    }
    Err(refused.into())
}

/// The size of a device, by the kernel's account.
pub(crate) fn size_of(device: &Path) -> Option<Bytes> {
    let real: PathBuf = device.canonicalize().ok()?;
    let name = real.file_name()?.to_str()?.to_owned();
    let path = Path::new("/sys/class/block").join(name).join("size");
    let sectors: u64 = std::fs::read_to_string(path).ok()?.trim().parse().ok()?;
    Some(Bytes(sectors * 512))
}
