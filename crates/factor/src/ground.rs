//! What levels are applied to.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use etalon_model::stack::StackTree;
use etalon_stack::{Roots, Stack};

use crate::error::FactorError;
use crate::journal::Journal;
use crate::manual_steps::ManualSteps;
use crate::read_ahead::ReadAhead;

/// Where a level is applied, and where it is written down before.
#[derive(Debug, Clone)]
pub struct Ground {
    /// Takes every change before it is made.
    pub journal: Journal,
    /// `/sys` and `/proc`, or copies of them.
    pub roots: Roots,
    /// What is measured: a directory, a file or a device.
    pub target: PathBuf,
    /// The directory in which the plan may make files of its own, such as the backing of devices.
    pub workshop: PathBuf,
    /// Devices that factors may build on.
    pub devices: Vec<PathBuf>,
    /// Devices that may be destroyed: what was typed out with `--destroy`.
    pub destroy: Vec<String>,
    /// The block devices beneath the target, from the top down.
    pub disks: Vec<GroundDisk>,
    /// Where it is set how far files of the target are read ahead.
    pub read_ahead: ReadAhead,
    /// The word by which the laboratory says what this machine is in a plan that it carries out in parts; in a guest it stands on
    /// the kernel's command line.
    pub part: Option<String>,
    /// What a person has done by hand.
    pub manual: ManualSteps,
    /// Set where the user has asked to stop: whatever waits for the machine gives up then.
    pub stop: Arc<AtomicBool>,
}

/// A block device beneath the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundDisk {
    /// Its kernel name.
    pub name: String,
    /// Whether it stands on no other device.
    pub is_leaf: bool,
}

impl Ground {
    /// The ground of `target` on this machine, whose files may be made in `workshop`.
    ///
    /// # Errors
    /// [`FactorError::DoesNotFit`] when what lies beneath cannot be found out.
    pub fn of(journal: &Journal, target: &Path, workshop: &Path) -> Result<Ground, FactorError> {
        let roots = Roots::default();
        let tree = stack_of(target, &roots)?;
        Ok(Ground {
            disks: disks_of(&tree),
            read_ahead: ReadAhead::of(&tree, &roots),
            journal: journal.clone(),
            roots,
            target: target.to_owned(),
            workshop: workshop.to_owned(),
            devices: Vec::new(),
            destroy: Vec::new(),
            part: None,
            manual: ManualSteps::default(),
            stop: Arc::default(),
        })
    }

    /// The same where inner factors work now: on another target, or with other devices.
    ///
    /// # Errors
    /// As [`of`](Ground::of).
    pub fn within(
        &self,
        target: Option<&Path>,
        devices: Option<Vec<PathBuf>>,
    ) -> Result<Ground, FactorError> {
        let mut inner = self.clone();
        if let Some(devices) = devices {
            inner.devices = devices;
        }
        if let Some(target) = target {
            inner.target = target.to_owned();
            let tree = stack_of(target, &self.roots)?;
            inner.disks = disks_of(&tree);
            inner.read_ahead = ReadAhead::of(&tree, &self.roots);
        }
        Ok(inner)
    }

    /// The disks at the bottom.
    pub fn leaves(&self) -> impl Iterator<Item = &str> {
        let leaves = self.disks.iter().filter(|disk| disk.is_leaf);
        leaves.map(|disk| disk.name.as_str())
    }

    /// The directory of a device's queue.
    pub fn queue(&self, disk: &str) -> PathBuf {
        self.roots.sysfs.join("block").join(disk).join("queue")
    }
}

fn stack_of(target: &Path, roots: &Roots) -> Result<StackTree, FactorError> {
    Stack::of(target, roots).map_err(|error| FactorError::DoesNotFit(error.to_string()))
}

fn disks_of(tree: &StackTree) -> Vec<GroundDisk> {
    let mut disks: Vec<GroundDisk> = Vec::new();
    for layer in tree.layers() {
        if disks.iter().all(|known| known.name != layer.name) {
            disks.push(GroundDisk {
                name: layer.name.clone(),
                is_leaf: layer.is_leaf(),
            });
        }
    }
    disks
}
