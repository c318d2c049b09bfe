//! The lock on everything that targets stand on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use etalon_engine::Control;
use etalon_factor::{Busy, LockedDevices, Strangers, TargetLock, TargetLockError};
use etalon_host::filesystem::is_memory;
use etalon_model::stack::{DevNo, StackTree};
use rustix::fs::makedev;

use crate::idle::wait_until_quiet;
use crate::{Event, ExperimentError, Site, Witness};

/// How often it is looked whether the other etalon has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Looks before a device counts as busy: who is about to be refused holds some for an instant.
const LOOKS: usize = 3;

/// Takes the lock on everything that `sites` stand on, as one holder.
///
/// With `wait`, waits for another etalon until its flag is set. `told` learns for whom it waits, and
/// whom root does not respect ([`Strangers`]); the second value is whether it waits.
///
/// # Errors
/// [`TargetLockError`] when another etalon is there, or the wait was interrupted.
pub fn claim(
    sites: &[&Site],
    wait: Option<&AtomicBool>,
    mut told: impl FnMut(&Busy, bool),
) -> Result<TargetLock, TargetLockError> {
    let devices = sites
        .iter()
        .flat_map(|site| site.locked_devices())
        .collect();
    let lock = match wait {
        Some(stop) => wait_for(&devices, stop, &mut told),
        None => at_once(&devices),
    }?;
    lock.disregarded().iter().for_each(|busy| told(busy, false));
    Ok(lock)
}

/// The same for an experiment, which tells its witness, and waits for a quiet machine where that is wanted.
pub(crate) fn claim_for(
    sites: &[&Site],
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<TargetLock, ExperimentError> {
    let wait = control.wait_for_target.then_some(&*control.stop);
    let mut said = Ok(());
    let lock = claim(sites, wait, |busy, waits| {
        if said.is_ok() {
            said = witness.event(Event::Busy { busy, waits });
        }
    })?;
    said.map_err(ExperimentError::NotKept)?;
    if let Some(limit) = control.wait_for_quiet {
        wait_until_quiet(sites, limit, &control.stop, witness)?;
    }
    Ok(lock)
}

fn at_once(devices: &LockedDevices) -> Result<TargetLock, TargetLockError> {
    for _ in 1..LOOKS {
        match TargetLock::acquire(devices, Strangers::DisregardAsRoot) {
            Err(TargetLockError::Busy(_)) => sleep(POLL_INTERVAL / 4),
            other => return other,
        }
    }
    TargetLock::acquire(devices, Strangers::DisregardAsRoot)
}

fn wait_for(
    devices: &LockedDevices,
    stop: &AtomicBool,
    told: &mut impl FnMut(&Busy, bool),
) -> Result<TargetLock, TargetLockError> {
    let mut before: Option<Busy> = None;
    while !stop.load(Ordering::Relaxed) {
        match TargetLock::acquire(devices, Strangers::Respect) {
            Err(TargetLockError::Busy(busy)) => {
                if before.as_ref() != Some(&*busy) {
                    told(&busy, true);
                }
                before = Some(*busy);
                sleep(POLL_INTERVAL);
            }
            other => return other,
        }
    }
    Err(TargetLockError::Interrupted)
}

impl Site {
    /// Everything that must not be measured twice at once: the target's filesystem or device, every
    /// block device beneath it (of a loop device those beneath its file too), and network
    /// filesystems. Memory beneath a loop device is everybody's and is left out.
    pub fn locked_devices(&self) -> LockedDevices {
        let mut devices = LockedDevices::from([(self.device, self.path.display().to_string())]);
        for tree in self.tree.trees().into_iter().skip(1) {
            devices.extend(deviceless(tree));
        }
        let layers = self.tree.layers().into_iter();
        devices.extend(layers.map(|layer| (number(layer.devno), layer.node.clone())));
        devices
    }
}

/// A filesystem without block devices that is not in memory.
fn deviceless(tree: &StackTree) -> Option<(u64, String)> {
    let mount = tree.mount.as_ref().filter(|_| tree.layers().is_empty())?;
    (!is_memory(&mount.fs_type)).then(|| (number(mount.devno), mount.point.clone()))
}

fn number(devno: DevNo) -> u64 {
    makedev(devno.major, devno.minor)
}
