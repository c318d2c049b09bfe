//! Why something is not written to.

use std::path::PathBuf;

use rustix::io::Errno;

/// Why nothing was written: each says what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Something uses the block device, or data on it has a signature.
    #[error(
        "'{}' must not be written: {}. Nothing was written. Free it, or name it in full: --destroy SERIAL or --destroy BY-ID-NAME",
        device.display(),
        users.join("; ")
    )]
    InUse {
        /// The device.
        device: PathBuf,
        /// One text per use: a mount point, a holder, a signature.
        users: Vec<String>,
        /// Whether it is held by nothing but a file that another process has open, which may be over in an instant.
        may_pass: bool,
    },
    /// The same, where names were typed after `--destroy`, and none is the device's own.
    #[error(
        "'{}' must not be written: {}. Nothing was written. --destroy names {}, and not this device, whose own names are: {}",
        device.display(),
        users.join("; "),
        typed.join(", "),
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    )]
    NotNamed {
        /// The device.
        device: PathBuf,
        /// One text per use.
        users: Vec<String>,
        /// What was typed.
        typed: Vec<String>,
        /// Its serial number and by-id names.
        names: Vec<String>,
    },
    /// Somebody uses the block device, which was given up by name.
    #[error(
        "'{}' must not be written: {}. Nothing was written. --destroy gives up what lies on a device, and not who uses it: unmount it, detach it, or stop serving it",
        device.display(),
        users.join("; ")
    )]
    StillUsed {
        /// The device.
        device: PathBuf,
        /// One text per use.
        users: Vec<String>,
        /// As with [`Refusal::InUse`].
        may_pass: bool,
    },
    /// Something else where a block device was to be written.
    #[error("'{}' is no block device. Nothing was written. Name one", path.display())]
    NotADevice {
        /// What was named.
        path: PathBuf,
    },
    /// The name after `--destroy` belongs to another device, to several or to none.
    #[error(
        "'{}' is not {}. Nothing was written. Its own names are: {}",
        device.display(),
        meant(typed, shared_with),
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    )]
    OtherDevice {
        /// The device.
        device: PathBuf,
        /// What the user typed.
        typed: String,
        /// What would have matched.
        names: Vec<String>,
        /// The devices that have what was typed in common with this one.
        shared_with: Vec<String>,
    },
    /// A loop device, swap, a mount or a target of the kernel relies on what the file holds.
    #[error(
        "'{}' is in use: it {}. Nothing was written. Detach, swap off, unmount or stop serving it first, or name another file",
        file.display(),
        users.join("; it ")
    )]
    FileInUse {
        /// The file.
        file: PathBuf,
        /// One text per use.
        users: Vec<String>,
    },
    /// Whether it is in use cannot be found out.
    #[error(
        "whether '{}' is in use cannot be found out: {why}. Nothing was written. Name another file",
        path.display()
    )]
    NotKnown {
        /// The file or device.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A device where a file was to be written.
    #[error("'{}' is a device, and only files are written here. Nothing was written. Name a file", path.display())]
    Device {
        /// The device.
        path: PathBuf,
    },
    /// A symbolic link where a file was to be written.
    #[error("'{}' is a symbolic link, which is not followed here. Nothing was written. Name the file itself", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// A symbolic link that leads root to what another user owns.
    #[error(
        "'{}' leads by a symbolic link to '{}', which belongs to user {owner}. Nothing was written. Name it without the link, or another file",
        path.display(),
        real.display()
    )]
    ForeignLink {
        /// What was named.
        path: PathBuf,
        /// The file behind the link, or the directory in which one would be made.
        real: PathBuf,
        /// The number of its owner.
        owner: u32,
    },
    /// A directory or a socket where a file was to be written.
    #[error("'{}' is no regular file. Nothing was written. Name a file", path.display())]
    NotAFile {
        /// What was named.
        path: PathBuf,
    },
    /// A file that nobody named would be overwritten.
    #[error("'{}' exists and would be overwritten. It was left as it is. Move it away, or run in another directory", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A FIFO without a reader.
    #[error("'{}' is a FIFO that nobody reads. Nothing was written. Start its reader first, or name a file", path.display())]
    NoReader {
        /// The FIFO.
        path: PathBuf,
    },
}

/// Why something was not opened or not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GuardError {
    /// It must not be written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The kernel said no.
    #[error("{0}")]
    Failed(#[from] Errno),
}

fn meant(typed: &str, shared_with: &[String]) -> String {
    match shared_with {
        [] => format!("the device '{typed}' that --destroy names"),
        others => format!(
            "the only device '{typed}': {} has that name too, so that it tells neither",
            others.join(", ")
        ),
    }
}

/// A name that was typed, with the other devices that have it.
fn among(typed: &str, shared_with: &[String]) -> String {
    match shared_with {
        [] => typed.to_owned(),
        others => format!("{typed} (the name of {} too)", others.join(", ")),
    }
}

impl Refusal {
    /// The refusal of a device that is given up by none of the names that were typed; `others` is what was said of each.
    pub fn by_none_of(self, others: &[Refusal]) -> Refusal {
        let wrong = others.iter().filter_map(|other| match other {
            Refusal::OtherDevice {
                typed,
                names,
                shared_with,
                ..
            } => Some((among(typed, shared_with), names)),
            _ => None,
        });
        let (typed, names): (Vec<String>, Vec<&Vec<String>>) = wrong.unzip();
        match (self, names.first()) {
            (Refusal::InUse { device, users, .. }, Some(names)) => Refusal::NotNamed {
                device,
                users,
                typed,
                names: names.to_vec(),
            },
            (refused, _) => refused,
        }
    }
}

impl GuardError {
    /// The kernel's answer to the standard library.
    pub(super) fn of_io(error: &std::io::Error) -> GuardError {
        GuardError::Failed(Errno::from_io_error(error).unwrap_or(Errno::IO))
    }

    /// Whether it was refused as dangerous.
    pub fn is_refusal(&self) -> bool {
        matches!(self, GuardError::Refused(_))
    }
}
