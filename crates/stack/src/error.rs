//! Why something about the stack could not be learnt.

use std::io;
use std::path::PathBuf;

use etalon_model::stack::DevNo;

/// Why the stack, its counters or its users could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StackError {
    /// The target cannot be examined.
    #[error("cannot examine '{}': {source}; give an existing file, directory or block device", path.display())]
    Target {
        /// The target.
        path: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// A file of the kernel cannot be read.
    #[error("cannot read '{}': {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// A file of the kernel is not in the expected form.
    #[error(
        "'{}' line {line}: {item} should be {expected}, but is '{found}'; \
         please report this with the kernel's version", path.display()
    )]
    Parse {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Which item of the line.
        item: &'static str,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// No mount covers the target.
    #[error("no line of '{}' covers '{}'; is /proc mounted in this namespace?", mountinfo.display(), path.display())]
    NoMount {
        /// The target.
        path: PathBuf,
        /// The file that was searched.
        mountinfo: PathBuf,
    },
    /// The kernel shows no such block device.
    #[error("block device {devno} is not under '{}'; is /sys mounted?", sysfs.display())]
    NoDevice {
        /// Its number.
        devno: DevNo,
        /// Where it was looked for.
        sysfs: PathBuf,
    },
    /// The path is not a block device.
    #[error("'{}' is not a block device; give one, such as /dev/sda", path.display())]
    NotABlockDevice {
        /// The path.
        path: PathBuf,
    },
}
