//! What must stand before the first operation that is measured: a directory of the run's own, and
//! in it the trees, directories and files that the operation needs.

use std::collections::BTreeSet;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use etalon_units::Bytes;
use rustix::fs::{Mode, mkdirat};

use super::carry::carry_out;
use super::error::MetadataError;
use super::operation::MetadataOperation as Op;
use super::record::{MetadataEnd, MetadataRecord};
use super::settings::MetadataWorkload;
use super::shared::OpenDirectory;
use crate::{OwnDirectory, PartWitness, room};

/// Numbers the runs of one process, so that two at once stand side by side.
static RUNS: AtomicU32 = AtomicU32::new(1);

/// Operations on names that can begin at once. Its directory is removed with it.
#[derive(Debug)]
pub struct PreparedNames {
    workload: MetadataWorkload,
    directory: OwnDirectory,
    /// The directory, open.
    place: OwnedFd,
    /// Its path with a closing slash.
    base: Vec<u8>,
    /// From the first phase that is asked for on.
    phases: Vec<Op>,
    /// What ended the laying out before it was whole.
    failed: Option<MetadataEnd>,
}

fn failed(what: &'static str, path: &Path, source: std::io::Error) -> MetadataError {
    MetadataError::Place {
        what,
        path: path.to_owned(),
        source,
    }
}

/// Makes what `workload` needs before its first operation in a new directory below `place`, outside
/// of any clock. A failure on the way, a full disk or a stop is told by
/// [`PreparedNames::run`], as if it had come within the run.
///
/// # Errors
/// [`MetadataError`] when the workload is refused, does not fit, or no directory could be made.
pub fn prepare(
    workload: &MetadataWorkload,
    place: &Path,
    stop: &AtomicBool,
) -> Result<PreparedNames, MetadataError> {
    workload.check()?;
    has_room(workload, place)?;
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let name = format!("metadata.{}.{number}", std::process::id());
    let directory = OwnDirectory::make(place, &name)
        .map_err(|e| failed("create the directory", &place.join(&name), e))?;
    let root = directory.path();
    for tree in 0..workload.trees() {
        let made = mkdirat(&directory, format!("t{tree}"), Mode::from(0o777));
        made.map_err(|e| failed("create a tree in", root, e.into()))?;
    }
    let place = directory.as_fd().try_clone_to_owned();
    let place = place.map_err(|e| failed("open", root, e))?;
    let mut base = root.as_os_str().as_bytes().to_vec();
    base.push(b'/');
    let mut prepared = PreparedNames {
        workload: workload.clone(),
        phases: phases(workload),
        directory,
        place,
        base,
        failed: None,
    };
    prepared.lay_out(stop)?;
    Ok(prepared)
}

impl PreparedNames {
    /// Does the phases before the first that is asked for.
    fn lay_out(&mut self, stop: &AtomicBool) -> Result<(), MetadataError> {
        let is_asked = |op: &Op| self.workload.operations.contains(op);
        let first = self.phases.iter().position(is_asked);
        let rest = self.phases.split_off(first.unwrap_or(self.phases.len()));
        let before = std::mem::replace(&mut self.phases, rest);
        if before.is_empty() {
            return Ok(());
        }
        let record = carry_out(&self.workload, &before, self.place(), stop, &())?;
        self.failed = Some(record.ended).filter(|end| *end != MetadataEnd::Complete);
        Ok(())
    }

    /// What is done.
    pub fn workload(&self) -> &MetadataWorkload {
        &self.workload
    }

    /// Does what is asked for, once; a stop is noticed within one operation of each job.
    ///
    /// # Errors
    /// [`MetadataError::Defect`]; everything else is told by [`MetadataRecord::ended`].
    pub fn run(
        &self,
        stop: &AtomicBool,
        witness: &(dyn PartWitness + Sync),
    ) -> Result<MetadataRecord, MetadataError> {
        match &self.failed {
            Some(ended) => Ok(MetadataRecord {
                workload: self.workload.clone(),
                phases: Vec::new(),
                ended: ended.clone(),
            }),
            None => carry_out(&self.workload, &self.phases, self.place(), stop, witness),
        }
    }

    fn place(&self) -> OpenDirectory<'_> {
        OpenDirectory {
            place: &self.place,
            base: &self.base,
        }
    }

    /// Removes the run's directory with all that is in it, but nothing that is mounted there.
    ///
    /// # Errors
    /// [`MetadataError::NotRemoved`] when something of it is left.
    pub fn remove(self) -> Result<(), MetadataError> {
        self.directory
            .remove()
            .map_err(|source| MetadataError::NotRemoved {
                path: self.directory.path().to_owned(),
                source,
            })
    }
}

/// Refuses what does not fit.
fn has_room(workload: &MetadataWorkload, place: &Path) -> Result<(), MetadataError> {
    // A symbolic link has an inode of its own.
    let links = u64::from(workload.operations.contains(&Op::Symlink));
    let files = workload.total_files();
    let size = match workload.operations.contains(&Op::Write) {
        true => workload.file_size,
        false => Bytes::ZERO,
    };
    let bytes = Bytes(files.saturating_mul(size.get()));
    let names = files.saturating_mul(1 + links);
    Ok(room::check(
        place,
        workload.total_directories(),
        names,
        bytes,
    )?)
}

/// What is asked for, and what that needs.
fn phases(workload: &MetadataWorkload) -> Vec<Op> {
    let mut phases: BTreeSet<Op> = workload.operations.iter().copied().collect();
    phases.insert(Op::Mkdir);
    if phases
        .iter()
        .any(|op| !op.is_on_directories() || *op == Op::Readdir)
    {
        phases.insert(Op::Create);
    }
    if phases.contains(&Op::GetXattr) {
        phases.insert(Op::SetXattr);
    }
    if phases.contains(&Op::Rmdir) && phases.contains(&Op::Create) {
        phases.insert(Op::Unlink);
    }
    phases.into_iter().collect()
}
