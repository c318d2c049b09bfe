//! Why a mount stays as it is, or is not as it was.

use crate::error::FactorError;
use crate::journal::JournalError;

/// Why something is not unmounted at all.
#[derive(Debug, thiserror::Error)]
pub enum UnfitMount {
    /// Not where something is mounted.
    #[error("nothing is mounted there; name the mount point itself")]
    NotAMount,
    /// Its contents would vanish.
    #[error("it is a {kind}, whose files do not outlive an unmount")]
    Volatile {
        /// The kind of filesystem.
        kind: String,
    },
    /// Two mounts at one place.
    #[error(
        "another mount lies under it at the same place, which would be taken for it; unmount one of them, or mount it elsewhere"
    )]
    Stacked,
    /// A bind mount.
    #[error(
        "only '{root}' of its filesystem is bound there, and all of it would be mounted back; name the place where the whole filesystem is mounted"
    )]
    Bound {
        /// The directory of the filesystem.
        root: String,
    },
    /// The kernel does not tell how to mount it.
    #[error(
        "it is a {kind} of '{source_name}', and the kernel does not tell all that mounting it takes; name a filesystem on a block device, or an export of NFS"
    )]
    NotTold {
        /// The type of filesystem.
        kind: String,
        /// What was mounted.
        source_name: String,
    },
    /// The device has another name now.
    #[error(
        "'{source_name}' is not the device that is mounted there; unmount it and mount it by the name that it has now"
    )]
    OtherDevice {
        /// What was mounted.
        source_name: String,
    },
    /// The mount and its filesystem differ.
    #[error(
        "its filesystem and its mount are not both read-only, perhaps after an error (dmesg); unmount it, look after it and mount it anew"
    )]
    HalfReadOnly,
    /// An option that mount(8) does not take.
    #[error(
        "it is mounted with '{option}', which cannot be given to mount; mount it without, or name another one"
    )]
    Option {
        /// The option.
        option: String,
    },
    /// A loop device that goes with the mount and cannot be set up again by its file alone.
    #[error(
        "its loop device '{source_name}' goes away when it is unmounted; set one up by losetup --find --show and mount that"
    )]
    PassingLoop {
        /// The device.
        source_name: String,
    },
    /// The list of mounts cannot be read.
    #[error("the list of mounts cannot be read: {0}")]
    Unreadable(#[from] etalon_stack::StackError),
}

/// What went wrong while it was unmounted and mounted again.
#[derive(Debug, thiserror::Error)]
pub enum MountCycleError {
    /// It cannot be written down, so it is not unmounted; or the entry cannot be struck out.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// It is mounted as before.
    #[error("{0}; it is still mounted: end what has something open there")]
    Unmount(#[source] FactorError),
    /// It is in the journal.
    #[error(
        "it was unmounted, and is not mounted as it was: {0}; put that right and run etalon restore"
    )]
    NotMounted(#[source] FactorError),
}
