//! One thing that is made, and how it is undone; undoing what is not there is done.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{arrays, loops, mounts, prefix, wipe, zram};
use crate::condition::FactorError;
use crate::entry::path_text;
use crate::{Token, made::zram::MadeZram};

/// One thing that is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Step {
    /// An empty directory, in which something is mounted.
    Directory {
        /// Where; its name begins with the token.
        #[serde(with = "path_text")]
        path: PathBuf,
    },
    /// A file that backs a device.
    File {
        /// Where; its name begins with the token.
        #[serde(with = "path_text")]
        path: PathBuf,
    },
    /// A loop device on such a file.
    Loop {
        /// The file, by which the device is known.
        #[serde(with = "path_text")]
        file: PathBuf,
    },
    /// A disk of compressed memory.
    Zram {
        /// The devices that were there before.
        before: Vec<u32>,
        /// The one that was made, once the kernel has told its number.
        made: Option<MadeZram>,
    },
    /// A filesystem that is mounted.
    Mount {
        /// Where; its name begins with the token.
        #[serde(with = "path_text")]
        point: PathBuf,
    },
    /// An md array; its members are formats of their own.
    Md {
        /// Its UUID.
        uuid: Token,
    },
    /// A volume group of LVM; its members are formats of their own.
    VolumeGroup {
        /// Its name, which holds the token.
        name: String,
    },
    /// A filesystem or another format on a device, which is taken away again.
    Format {
        /// The device.
        #[serde(with = "path_text")]
        device: PathBuf,
        /// The UUID that it was given, by which it is known.
        uuid: Token,
    },
}

impl Step {
    /// Whether there was anything to undo.
    pub(super) fn undo(&self, token: &Token, is_of_this_boot: bool) -> Result<bool, FactorError> {
        match self {
            Step::Directory { path } => remove(own(path, token)?, |path| std::fs::remove_dir(path)),
            Step::File { path } => remove(own(path, token)?, |path| std::fs::remove_file(path)),
            Step::Loop { file } => loops::detach(own(file, token)?),
            Step::Zram { before, made } if is_of_this_boot => zram::remove(before, made.as_ref()),
            // The kernel has forgotten it.
            Step::Zram { .. } => Ok(false),
            Step::Mount { point } => mounts::unmount(own(point, token)?),
            Step::Md { uuid } => arrays::stop(uuid),
            Step::VolumeGroup { name } if name.contains(token.as_str()) => {
                arrays::remove_group(name)
            }
            Step::VolumeGroup { .. } => Ok(false),
            Step::Format { device, uuid } => wipe::wipe(device, uuid),
        }
    }

    /// Every path that it names.
    pub(crate) fn paths(&self) -> Option<&Path> {
        match self {
            Step::Directory { path } | Step::File { path } => Some(path),
            Step::Loop { file } => Some(file),
            Step::Mount { point } => Some(point),
            Step::Format { device, .. } => Some(device),
            Step::Zram { .. } | Step::Md { .. } | Step::VolumeGroup { .. } => None,
        }
    }
}

/// The path, where its name bears the token: an entry that somebody has changed does nothing.
fn own<'a>(path: &'a Path, token: &Token) -> Result<&'a Path, FactorError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.starts_with(&prefix(token)) {
        true => Ok(path),
        false => Err(FactorError::DoesNotFit(format!(
            "'{}' does not bear the token of its entry in the journal, and is left alone",
            path.display()
        ))),
    }
}

fn remove(path: &Path, remove: impl Fn(&Path) -> io::Result<()>) -> Result<bool, FactorError> {
    match remove(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(FactorError::io("remove", path)(error)),
    }
}
