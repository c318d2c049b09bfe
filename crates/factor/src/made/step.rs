//! How one thing that was made is undone; undoing what is not there is done.

use std::io;
use std::path::Path;

use super::place::insist_on_absence;
use super::{arrays, bcache, loops, lvm, mounts, prefix, wipe, zram};
use crate::error::FactorError;
use crate::filesystem_mark::FilesystemMark;
use crate::steps::EntryStep;
use crate::token::Token;

impl EntryStep {
    /// Whether there was anything to undo.
    pub(super) fn undo(&self, token: &Token, is_of_this_boot: bool) -> Result<bool, FactorError> {
        match self {
            EntryStep::Directory { path, filesystem } => {
                remove((own(path, token)?, filesystem), |path| {
                    std::fs::remove_dir(path)
                })
            }
            EntryStep::File { path, filesystem } => {
                remove((own(path, token)?, filesystem), |path| {
                    std::fs::remove_file(path)
                })
            }
            EntryStep::Loop { file } => loops::detach(own(file, token)?),
            EntryStep::Zram { before, made } if is_of_this_boot => {
                zram::remove(before, made.as_ref())
            }
            // The kernel has forgotten it.
            EntryStep::Zram { .. } => Ok(false),
            EntryStep::Mount { point } => mounts::unmount(own(point, token)?),
            EntryStep::Md { uuid } => arrays::stop(uuid),
            EntryStep::Bcache { uuid } => bcache::stop(uuid),
            EntryStep::VolumeGroup { name } if name.contains(token.as_str()) => {
                lvm::remove_group(name)
            }
            EntryStep::VolumeGroup { .. } => Ok(false),
            EntryStep::Format { device, uuid } if is_of_this_boot => wipe::wipe(device, uuid),
            // Names of devices are given anew with each boot.
            EntryStep::Format { device, uuid } => wipe::wipe_wherever(device, uuid),
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

fn remove(
    (path, filesystem): (&Path, &Option<FilesystemMark>),
    remove: impl Fn(&Path) -> io::Result<()>,
) -> Result<bool, FactorError> {
    match remove(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            insist_on_absence(path, filesystem.as_ref())?;
            Ok(false)
        }
        Err(error) => Err(FactorError::io("remove", path)(error)),
    }
}
