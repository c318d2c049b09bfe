//! A filesystem of etalon's own that stands on one device or several, mounted.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::kernel_modules::KernelModules;
use super::{Applied, FactorError, Need};
use crate::Token;
use crate::block_node::number_of;
use crate::guard::HeldDevice;
use crate::made::{Made, bears, mounted_at, uuid_text};
use etalon_model::LevelFact;

/// A mounted filesystem; it goes away when it is dropped.
#[derive(Debug)]
pub(super) struct Formatted {
    pub(super) made: Made,
    pub(super) devices: Vec<PathBuf>,
    pub(super) uuid: Token,
    pub(super) kind: &'static str,
    pub(super) point: PathBuf,
    /// The profile of btrfs that its data must have.
    pub(super) profile: Option<&'static str>,
    pub(super) facts: Vec<LevelFact>,
}

impl Applied for Formatted {
    fn target(&self) -> Option<&Path> {
        Some(&self.point)
    }

    fn verify(&self) -> Result<(), FactorError> {
        let not_so = |path: &Path, wanted: &str, found: String| {
            Err(FactorError::NotSo {
                path: path.to_owned(),
                wanted: wanted.to_owned(),
                found,
            })
        };
        let Some(mounted) = mounted_at(&self.point)? else {
            return not_so(&self.point, self.kind, "not mounted".to_owned());
        };
        if mounted.kind != self.kind {
            return not_so(&self.point, self.kind, mounted.kind);
        }
        let is_mounted = |device: &PathBuf| {
            let number = number_of(device);
            number.is_some() && number == mounted.device()
        };
        if !self.devices.iter().any(is_mounted) {
            let first = self.devices.first().and_then(|device| device.to_str());
            return not_so(&self.point, first.unwrap_or_default(), mounted.source);
        }
        for device in &self.devices {
            let file = File::open(device).map_err(FactorError::io("open", device))?;
            if !bears(&file, &self.uuid) {
                let wanted = uuid_text(&self.uuid);
                return not_so(device, &wanted, "another format".to_owned());
            }
        }
        if let Some(profile) = self.profile {
            let data = format!("/sys/fs/btrfs/{}/allocation/data", uuid_text(&self.uuid));
            let data = Path::new(&data);
            if !data.join(profile).is_dir() {
                return not_so(data, profile, "another profile".to_owned());
            }
        }
        Ok(())
    }

    fn facts(&self) -> Vec<LevelFact> {
        self.facts.clone()
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.made.undo()
    }
}

/// The kernel's own name for a device, which only root can give to another.
pub(super) fn kernel_node(held: &HeldDevice) -> Result<PathBuf, FactorError> {
    let real = held.name().canonicalize();
    let real = real.map_err(FactorError::io("look at", held.name()))?;
    use std::os::unix::fs::MetadataExt as _;
    let found = real.metadata().map_err(FactorError::io("look at", &real))?;
    match found.rdev() == held.number()? && real.starts_with("/dev") {
        true => Ok(real),
        false => Err(FactorError::DoesNotFit(format!(
            "'{}' has no name of its own in /dev",
            held.name().display()
        ))),
    }
}

/// Options of mount(8) by commas: words without a path in them.
pub(super) fn mount_options(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = |c: char| c.is_ascii_alphanumeric() || "=,_:-.%^".contains(c);
    let refused = [
        "device=",
        "logdev=",
        "rtdev=",
        "journal_dev",
        "bind",
        "remount",
        "loop",
        "move",
    ];
    let names_another = text
        .split(',')
        .any(|word| refused.iter().any(|part| word.starts_with(part)));
    match text.chars().all(fits) && !names_another {
        true => Ok(text.to_owned()),
        false => Err(format!("the options '{text}' of mount are not accepted")),
    }
}

/// Whether the kernel has this filesystem, or a module for it.
pub(super) fn kernel_has(kind: &str) -> Option<Need> {
    let built_in = std::fs::read_to_string("/proc/filesystems").unwrap_or_default();
    if built_in.lines().any(|line| line.trim() == kind) {
        return None;
    }
    let is_module = KernelModules::of_this_machine().can_load(kind);
    (!is_module).then(|| Need::Kernel(format!("this kernel has no filesystem '{kind}'")))
}
