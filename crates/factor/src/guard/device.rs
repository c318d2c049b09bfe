//! A block device that is written for longer than one copy: a measurement, a filesystem, an array.

use std::fs::File;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{FileType, Mode, OFlags, fstat};

use super::judge::{Hold, content_of, judge};
use super::open::exclusively;
use super::reopen::{kind_of, link_of};
use super::{GuardError, Refusal};

/// Looks before a device counts as held that only a process has open, or nobody that is seen: losetup, which seeks a free
/// device, and whoever is about to be refused hold some for an instant.
const LOOKS: usize = 3;
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A block device that this process alone may use, as long as it is held: the kernel mounts it
/// nowhere, and gives it to no array and to no swap, while it is open with `O_EXCL`.
#[derive(Debug)]
pub struct HeldDevice {
    descriptor: OwnedFd,
    name: PathBuf,
    content: Vec<String>,
}

impl HeldDevice {
    /// Judges the device that `name` leads to, opens that very inode for exclusive use, and judges
    /// what is open. `destroy` is what the user typed after `--destroy`: without it, nothing may lie
    /// on the device.
    ///
    /// # Errors
    /// [`GuardError::Refused`] for what is no block device, is in use, or carries what nobody has
    /// given up; the kernel's answers.
    pub fn claim(name: &Path, destroy: Option<&str>) -> Result<HeldDevice, GuardError> {
        for _ in 1..LOOKS {
            match HeldDevice::claim_now(name, destroy) {
                Err(GuardError::Refused(
                    Refusal::InUse { may_pass: true, .. }
                    | Refusal::StillUsed { may_pass: true, .. },
                )) => {}
                claimed => return claimed,
            }
            sleep(POLL_INTERVAL);
        }
        HeldDevice::claim_now(name, destroy)
    }

    /// The same with every name that was typed, of which one has to be the device's own where something lies on it; the
    /// others may name other devices of the same plan.
    ///
    /// # Errors
    /// As [`claim`](HeldDevice::claim).
    pub fn claim_any(name: &Path, destroy: &[String]) -> Result<HeldDevice, GuardError> {
        let refused = match HeldDevice::claim(name, None) {
            Ok(held) => return Ok(held),
            Err(refused) => refused,
        };
        let mut others = Vec::new();
        for typed in destroy {
            match HeldDevice::claim(name, Some(typed)) {
                Err(GuardError::Refused(other @ Refusal::OtherDevice { .. })) => others.push(other),
                claimed => return claimed,
            }
        }
        Err(match refused {
            GuardError::Refused(refused) => refused.by_none_of(&others).into(),
            failed => failed,
        })
    }

    fn claim_now(name: &Path, destroy: Option<&str>) -> Result<HeldDevice, GuardError> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let handle = rustix::fs::open(name, flags, Mode::empty())?;
        if kind_of(&handle)? != FileType::BlockDevice {
            let path = name.to_owned();
            return Err(Refusal::NotADevice { path }.into());
        }
        judge(handle.as_fd(), name, destroy, Hold::Others)?;
        let descriptor = exclusively(&handle, name, OFlags::RDWR)?;
        judge(descriptor.as_fd(), name, destroy, Hold::Ours)?;
        let content = content_of(descriptor.as_fd(), name)?;
        Ok(HeldDevice {
            descriptor,
            name: name.to_owned(),
            content,
        })
    }

    /// Holds a device whose content is this process's own, by `is_own`; none where it is not. Who uses
    /// it is refused as ever.
    pub(crate) fn claim_own(
        name: &Path,
        is_own: impl Fn(&File) -> bool,
    ) -> Result<Option<HeldDevice>, GuardError> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let handle = rustix::fs::open(name, flags, Mode::empty())?;
        if kind_of(&handle)? != FileType::BlockDevice {
            return Ok(None);
        }
        let read = File::from(super::reopen::reopen(&handle, name, OFlags::RDONLY)?);
        if !is_own(&read) {
            return Ok(None);
        }
        drop(read);
        let descriptor = exclusively(&handle, name, OFlags::RDWR)?;
        let held = HeldDevice {
            descriptor,
            name: name.to_owned(),
            content: Vec::new(),
        };
        held.check()?;
        let still_own = is_own(&held.file().map_err(|error| GuardError::of_io(&error))?);
        Ok(still_own.then_some(held))
    }

    /// The open device.
    pub(crate) fn file(&self) -> std::io::Result<File> {
        Ok(File::from(self.descriptor.try_clone()?))
    }

    /// As the user called it.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The kernel's link to the open device: it cannot be made to lead elsewhere, and holds as long as
    /// this does and within this process.
    pub fn path(&self) -> PathBuf {
        link_of(&self.descriptor)
    }

    /// Its number (stat(2), `st_rdev`).
    ///
    /// # Errors
    /// The kernel's.
    pub fn number(&self) -> Result<u64, GuardError> {
        Ok(fstat(&self.descriptor)?.st_rdev)
    }

    /// What lay on it when it was claimed, a text each; empty unless it was given up by name.
    pub fn content(&self) -> &[String] {
        &self.content
    }

    /// Looks again whether anybody has come to use it. What lies on it by now is this process's own.
    ///
    /// # Errors
    /// [`GuardError::Refused`] with whoever uses it.
    pub fn check(&self) -> Result<(), GuardError> {
        Ok(super::judge::still_free(
            self.descriptor.as_fd(),
            &self.name,
        )?)
    }
}
