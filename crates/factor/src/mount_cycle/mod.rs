//! A filesystem that is unmounted and mounted again as it was, so that nothing of it is cached.

mod device;
mod error;
mod fit;

use std::fs::File;
use std::path::{Path, PathBuf};

use etalon_stack::parse_mountinfo;

use crate::block_node::diskseq;
use crate::former_mount::FormerMount;
use crate::made::run;
use crate::{Change, Entered, Journal};

pub use error::{MountCycleError, UnfitMount};

/// Where the kernel lists the mounts of this process.
const MOUNTS: &str = "/proc/self/mountinfo";

/// A mount that can be had again as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MountCycle {
    mount: FormerMount,
    /// The file of a loop device that goes away with its mount.
    loop_file: Option<PathBuf>,
}

impl MountCycle {
    /// Judges what is mounted at `point`, a path without links.
    ///
    /// # Errors
    /// [`UnfitMount`], where something else would be mounted back, or nothing.
    pub fn of(point: &Path) -> Result<MountCycle, UnfitMount> {
        let path = Path::new(MOUNTS);
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mounts = parse_mountinfo(&text, path)?;
        let mut there = mounts.iter().filter(|m| Path::new(&m.point) == point);
        let mount = there.next().ok_or(UnfitMount::NotAMount)?;
        if there.next().is_some() {
            return Err(UnfitMount::Stacked);
        }
        let mut former = fit::former(mount)?;
        let loop_file = device::judge(mount)?;
        former.diskseq = diskseq(Path::new(&former.source));
        Ok(MountCycle {
            mount: former,
            loop_file,
        })
    }

    /// Unmounts and mounts again. It is entered into `journal` meanwhile, so that [`crate::restore`] mounts it after a kill.
    ///
    /// # Errors
    /// [`MountCycleError`], which says whether it is mounted.
    pub fn run(&self, journal: &Journal) -> Result<(), MountCycleError> {
        let entered = Entered::new(journal, |_| self.change())?;
        // Held, it goes on, under the number at which its counters are read.
        let held = self.loop_file.as_ref();
        let held = held.map(|_| File::open(&self.mount.source));
        let unmounted = run("umount", &["--", &self.mount.point.to_string_lossy()]);
        // Whatever umount(8) said, it is to be mounted.
        let mounted = self.mount.put_back();
        drop(held);
        mounted.map_err(MountCycleError::NotMounted)?;
        entered.strike()?;
        unmounted.map_err(MountCycleError::Unmount)?;
        Ok(())
    }

    /// What the journal says of it. A loop device that goes with its mount is not there after a kill, and its number may be
    /// another's.
    fn change(&self) -> Change {
        let mut mount = self.mount.clone();
        if let Some(file) = &self.loop_file {
            mount.source = file.to_string_lossy().into_owned();
            mount.diskseq = None;
        }
        Change::Unmounted { mount }
    }
}

#[cfg(test)]
mod tests;
