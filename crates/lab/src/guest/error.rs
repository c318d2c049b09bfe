//! Why a guest did not come to its end.

use std::io;
use std::path::{Path, PathBuf};

/// Why a guest did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum GuestError {
    /// A program of this machine is missing.
    #[error(
        "the guest needs {program}, which is not installed; etalon lab check tells its package"
    )]
    MissingProgram {
        /// The program.
        program: String,
    },
    /// No kernel is where it was looked for.
    #[error("'{}' is no kernel: give an image (vmlinuz, bzImage) or the directory of an unpacked package (dpkg -x linux-image-*.deb DIRECTORY)", path.display())]
    NoKernel {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A module cannot be unpacked.
    #[error("the module '{}' cannot be read: {source}; unpack the kernel's package again", path.display())]
    Module {
        /// The module.
        path: PathBuf,
        /// What it failed on.
        source: io::Error,
    },
    /// The kernel of this machine refused a step.
    #[error("cannot {what} '{}': {source}", path.display())]
    Io {
        /// What was to be done.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// QEMU cannot be started, or written down.
    #[error(transparent)]
    Start(#[from] etalon_factor::ServerError),
    /// QEMU ended by an error of its own.
    #[error("QEMU ended with {status}")]
    Qemu {
        /// How.
        status: String,
        /// The last lines of what it said.
        said: String,
    },
    /// It took too long.
    #[error(
        "the guest had not ended after {seconds} s and was ended; give it more by --time-limit"
    )]
    TooLong {
        /// The limit.
        seconds: u64,
        /// The last lines of the console.
        console: String,
    },
    /// A served disk could not keep what was written to it.
    #[error(
        "this machine has no memory left for what was written to {}: take a smaller disk, write less, or free some memory", device.display()
    )]
    NoMemory {
        /// How the guest calls the disk.
        device: PathBuf,
    },
    /// It ended before what it carried out.
    #[error(
        "the guest ended before its command had: a kernel panic, or too little memory (--memory)"
    )]
    NoResults {
        /// The last lines of the console.
        console: String,
    },
    /// What it carried out was killed there.
    #[error("etalon was killed in the guest (signal {signal}); give it more by --memory")]
    Killed {
        /// By which signal.
        signal: i32,
        /// The last lines of the console.
        console: String,
    },
    /// The guest that serves another one ended, or did not come so far.
    #[error("the guest that serves the disk has ended: {said}")]
    NotServing {
        /// What it said.
        said: String,
        /// The last lines of its console.
        console: String,
    },
    /// It was asked to stop.
    #[error("interrupted; the guest was ended")]
    Stopped,
}

impl GuestError {
    /// The last lines of the console, or of what QEMU said; they are fit for a terminal.
    #[must_use]
    pub fn last_lines(&self) -> Option<&str> {
        match self {
            GuestError::TooLong { console, .. }
            | GuestError::NoResults { console }
            | GuestError::NotServing { console, .. }
            | GuestError::Killed { console, .. } => Some(console),
            GuestError::Qemu { said, .. } => Some(said),
            _ => None,
        }
    }

    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> GuestError {
        let path = path.to_owned();
        move |source| GuestError::Io { what, path, source }
    }
}
