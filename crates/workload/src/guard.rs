//! Who may write to a block device: a question answered outside of this crate.

use std::path::{Path, PathBuf};

/// Asked before a block device is opened for writing; the second argument is the name that the user
/// typed after `--destroy`, a serial number or a name in `/dev/disk/by-id`.
pub type Guard<'a> = &'a dyn Fn(&Path, Option<&str>) -> Result<(), Refusal>;

/// Why a block device is not written to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Something uses it, or data on it has a signature.
    #[error(
        "{} is in use: {}. Nothing was written. Free it, or name it in full: --destroy SERIAL or --destroy BY-ID-NAME",
        device.display(),
        users.join("; ")
    )]
    InUse {
        /// The device.
        device: PathBuf,
        /// One text per use: a mount point, a holder, a signature.
        users: Vec<String>,
    },
    /// The name after `--destroy` belongs to another device or to none.
    #[error(
        "{} is not the device '{typed}' that --destroy names. Nothing was written. Its own names are: {}",
        device.display(),
        names.join(", ")
    )]
    OtherDevice {
        /// The device.
        device: PathBuf,
        /// What the user typed.
        typed: String,
        /// What would have matched.
        names: Vec<String>,
    },
    /// Nobody can tell whether it is in use.
    #[error(
        "{} is a block device and cannot be checked for users. Nothing was written. Name a file instead",
        device.display()
    )]
    NotChecked {
        /// The device.
        device: PathBuf,
    },
}

/// The guard where nothing better is there: no block device is written to.
///
/// # Errors
/// Always [`Refusal::NotChecked`].
pub fn refuse_all(device: &Path, _destroy: Option<&str>) -> Result<(), Refusal> {
    Err(Refusal::NotChecked {
        device: device.to_owned(),
    })
}
