//! Who may write to a block device.

use std::path::{Path, PathBuf};

use etalon_stack::{Roots, StackError, device_use};

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
    /// Whether it is in use cannot be told.
    #[error(
        "whether {} is in use cannot be told: {reason}. Nothing was written. Name a file instead",
        device.display()
    )]
    NotKnown {
        /// The device.
        device: PathBuf,
        /// Why.
        reason: Unknown,
    },
}

/// Why nobody can tell whether a device is in use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// The kernel's account of the device could not be read.
    #[error("{0}")]
    Unreadable(String),
    /// The name stands for something else than a moment ago.
    #[error("its name was given to a block device a moment ago; try again")]
    Replaced,
}

impl Refusal {
    fn unreadable(device: &Path, error: &StackError) -> Refusal {
        Refusal::NotKnown {
            device: device.to_owned(),
            reason: Unknown::Unreadable(error.to_string()),
        }
    }
}

/// The guard of the running machine: a device passes when nothing at all uses it and no signature
/// stands on it, or when `destroy` is its serial number or one of its by-id names.
///
/// # Errors
/// [`Refusal`], with everyone who uses the device.
pub fn check(device: &Path, destroy: Option<&str>) -> Result<(), Refusal> {
    let found = device_use(device, &Roots::default())
        .map_err(|error| Refusal::unreadable(device, &error))?;
    let mut names = found.by_id.clone();
    names.extend(found.serial.clone());
    match destroy {
        Some(typed) if names.iter().any(|name| name == typed) => Ok(()),
        Some(typed) => Err(Refusal::OtherDevice {
            device: device.to_owned(),
            typed: typed.to_owned(),
            names,
        }),
        None if found.is_free() => Ok(()),
        None => {
            let mut users: Vec<String> = found.users.iter().map(ToString::to_string).collect();
            if users.is_empty() {
                users.push("the kernel does not open it for exclusive use".to_owned());
            }
            Err(Refusal::InUse {
                device: device.to_owned(),
                users,
            })
        }
    }
}
