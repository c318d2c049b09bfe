//! A filesystem unmounted and mounted again between two tests, so that nothing of it is cached.

use std::path::{Path, PathBuf};

use etalon_factor::{Journal, MountCycle, UnfitMount};

use super::FileOpError;
use super::error::RemountRefusal;

/// A mount point that has been found fit to be remounted.
#[derive(Debug, Clone)]
pub struct Remount {
    point: PathBuf,
    cycle: MountCycle,
    journal: Journal,
}

impl Remount {
    /// Checks that `point` can be remounted and that each of `files` lies on it. What is unmounted is in `journal` until it
    /// is mounted again.
    ///
    /// # Errors
    /// [`FileOpError::Remount`] with the reason.
    pub fn new(point: &Path, files: &[PathBuf], journal: &Journal) -> Result<Remount, FileOpError> {
        let fit = fit(point, files).map_err(|reason| refused(point, reason));
        fit.map(|(point, cycle)| Remount {
            point,
            cycle,
            journal: journal.clone(),
        })
    }

    /// Unmounts and mounts again.
    ///
    /// # Errors
    /// When `umount` or `mount` refuses, for example because something is open there.
    pub fn cycle(&self) -> Result<(), FileOpError> {
        let done = self.cycle.run(&self.journal);
        done.map_err(|error| refused(&self.point, error.into()))
    }
}

fn refused(point: &Path, reason: RemountRefusal) -> FileOpError {
    FileOpError::Remount {
        path: point.to_owned(),
        reason: Box::new(reason),
    }
}

fn fit(point: &Path, files: &[PathBuf]) -> Result<(PathBuf, MountCycle), RemountRefusal> {
    if !rustix::process::geteuid().is_root() {
        return Err(RemountRefusal::NotRoot);
    }
    let found = point.canonicalize();
    let point = found.map_err(|_| UnfitMount::NotAMount)?;
    if point == Path::new("/") {
        return Err(RemountRefusal::RootOfSystem);
    }
    if let Some(file) = files.iter().find(|file| !lies_in(&point, file)) {
        let file = file.clone();
        return Err(RemountRefusal::FileElsewhere { file });
    }
    let cycle = MountCycle::of(&point)?;
    Ok((point, cycle))
}

fn lies_in(point: &Path, file: &Path) -> bool {
    let place = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let place = place.parent().and_then(|parent| parent.canonicalize().ok());
    place.is_some_and(|place| place.starts_with(point))
}
