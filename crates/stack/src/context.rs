//! What one reading of the stack carries along: the roots, what was missing, and a limit.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use etalon_model::stack::{Layer, Missing, Mount, Smart};
use etalon_units::Bytes;

use crate::error::StackError;
use crate::known_device::KnownDevice;
use crate::mountinfo::parse_mountinfo;
use crate::roots::Roots;
use crate::signature::read_at_most;
use crate::text;

/// Layers that one tree may have, counted with repetition: real machines stay far below, and a
/// file that names itself as its own slave must end somewhere.
const MOST_LAYERS: usize = 2048;
/// Longest text of one attribute: the kernel gives a page at most (filesystems/sysfs.rst), and pages
/// are never larger.
const LONGEST_ATTRIBUTE: u64 = 64 << 10;
/// Depth of one tree.
pub(crate) const DEEPEST: usize = 24;

/// The state of one reading.
pub(crate) struct Context<'a> {
    pub(crate) roots: &'a Roots,
    missing: RefCell<BTreeSet<Missing>>,
    mounts: OnceCell<Vec<Mount>>,
    layers_left: Cell<usize>,
    /// The health of each disk asked so far: one that carries several layers is asked once.
    healths: RefCell<BTreeMap<String, Option<Smart>>>,
    devices: OnceCell<Vec<KnownDevice>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(roots: &'a Roots) -> Self {
        Context {
            roots,
            missing: RefCell::new(BTreeSet::new()),
            mounts: OnceCell::new(),
            layers_left: Cell::new(MOST_LAYERS),
            healths: RefCell::new(BTreeMap::new()),
            devices: OnceCell::new(),
        }
    }

    /// Takes one layer of the allowance; false when it is used up.
    pub(crate) fn take_layer(&self) -> bool {
        let left = self.layers_left.get();
        self.layers_left.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether no layer may be added any more.
    pub(crate) fn is_used_up(&self) -> bool {
        self.layers_left.get() == 0
    }

    /// The health of the disk called `name`, asked by `ask` if it has not been asked before.
    pub(crate) fn health_once(
        &self,
        name: &str,
        ask: impl FnOnce() -> Option<Smart>,
    ) -> Option<Smart> {
        let known = self.healths.borrow().get(name).cloned();
        known.unwrap_or_else(|| {
            let health = ask();
            let mut healths = self.healths.borrow_mut();
            healths.insert(name.to_owned(), health.clone());
            health
        })
    }

    /// Every block device with what it is called by, looked up by `look` if that was not done before.
    pub(crate) fn devices_once(&self, look: impl FnOnce() -> Vec<KnownDevice>) -> &[KnownDevice] {
        self.devices.get_or_init(look)
    }

    /// Every mount of this process's namespace, read once.
    pub(crate) fn mounts(&self) -> Result<&[Mount], StackError> {
        if let Some(mounts) = self.mounts.get() {
            return Ok(mounts);
        }
        let path = self.roots.procfs.join("self/mountinfo");
        let mounts = parse_mountinfo(&text::read_text(&path)?, &path)?;
        Ok(self.mounts.get_or_init(|| mounts))
    }

    /// Notes that `what` is not known.
    pub(crate) fn note(&self, what: impl Into<String>, why: impl Into<String>) {
        self.missing.borrow_mut().insert(Missing {
            what: what.into(),
            why: why.into(),
        });
    }

    /// Whether a file is there and was not given out.
    pub(crate) fn is_refused(&self, path: &Path) -> bool {
        let path = path.display().to_string();
        self.missing.borrow().iter().any(|noted| noted.what == path)
    }

    /// Everything noted so far, sorted, which is forgotten here.
    pub(crate) fn take_missing(&self) -> Vec<Missing> {
        self.missing.take().into_iter().collect()
    }

    /// An attribute's text; none when it is absent or empty. A refusal is noted.
    pub(crate) fn attr(&self, path: impl AsRef<Path>) -> Option<String> {
        let path = path.as_ref();
        match text::read_up_to(path, LONGEST_ATTRIBUTE) {
            Ok(bytes) => {
                let value = text::clean(&String::from_utf8_lossy(&bytes));
                (!value.is_empty()).then_some(value)
            }
            Err(error) => {
                self.note_refusal(path, &error);
                None
            }
        }
    }

    /// A file's bytes; none when it is absent. A refusal is noted.
    pub(crate) fn raw(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        let read = text::read_bytes(path.as_ref());
        read.inspect_err(|error| self.note_refusal(path.as_ref(), error))
            .ok()
    }

    /// A file's lines as they stand; empty when it is absent. A refusal is noted.
    pub(crate) fn attr_lines(&self, path: impl AsRef<Path>) -> Vec<String> {
        match text::read_bytes(path.as_ref()) {
            Ok(bytes) => String::from_utf8_lossy(&bytes)
                .lines()
                .map(str::to_owned)
                .collect(),
            Err(error) => {
                self.note_refusal(path.as_ref(), &error);
                Vec::new()
            }
        }
    }

    /// An attribute's value; none when absent, noted when it cannot be understood.
    pub(crate) fn value<T: FromStr>(&self, path: impl AsRef<Path>) -> Option<T> {
        let path = path.as_ref();
        let text = self.attr(path)?;
        let parsed = text.parse().ok();
        if parsed.is_none() {
            self.note(
                path.display().to_string(),
                format!("'{text}' is not in the expected form"),
            );
        }
        parsed
    }

    /// An attribute that holds a number of bytes.
    pub(crate) fn bytes(&self, path: impl AsRef<Path>) -> Option<Bytes> {
        self.value(path).map(Bytes)
    }

    /// An attribute that holds a number of KiB.
    pub(crate) fn kib(&self, path: impl AsRef<Path>) -> Option<Bytes> {
        let kib: u64 = self.value(path)?;
        kib.checked_mul(1024).map(Bytes)
    }

    /// An attribute that holds 0 or 1.
    pub(crate) fn flag(&self, path: impl AsRef<Path>) -> Option<bool> {
        self.value::<u64>(path).map(|number| number != 0)
    }

    /// The names in a directory, sorted as people count (`sda2` before `sda10`); empty when absent.
    pub(crate) fn names(&self, path: impl AsRef<Path>) -> Vec<String> {
        let Ok(entries) = fs::read_dir(path.as_ref()) else {
            return Vec::new();
        };
        let names = entries.flatten().map(|e| e.file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort_by_key(|name| (digits_removed(name), name.len(), name.clone()));
        names
    }

    /// The directory that a symbolic link leads to; none when there is none.
    pub(crate) fn follow(&self, path: impl AsRef<Path>) -> Option<PathBuf> {
        fs::canonicalize(path).ok()
    }

    /// The last part of what a symbolic link leads to, such as a driver's name.
    pub(crate) fn link_name(&self, path: impl AsRef<Path>) -> Option<String> {
        let target = fs::read_link(path).ok()?;
        Some(text::clean(&target.file_name()?.to_string_lossy()))
    }

    /// `length` bytes at `offset` of a device's content; what is missing is noted as `what`.
    pub(crate) fn device_bytes(
        &self,
        device: &Layer,
        offset: u64,
        length: usize,
        what: &str,
    ) -> Option<Vec<u8>> {
        let Some(path) = self.roots.named_node(&device.name) else {
            self.note(
                format!("{what} of {}", device.name),
                "its name leads out of /dev",
            );
            return None;
        };
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(&path);
        let read = opened.and_then(|file| read_at_most(&file, offset, length));
        match read {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                self.note(format!("{what} of {}", device.name), reason(&error));
                None
            }
        }
    }

    fn note_refusal(&self, path: &Path, error: &std::io::Error) {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory => {}
            ErrorKind::PermissionDenied => self.note(path.display().to_string(), refused()),
            // Attributes of absent hardware answer with an error rather than be absent themselves.
            _ if matches!(
                error.raw_os_error(),
                Some(libc::ENODEV | libc::ENXIO | libc::EINVAL | libc::EOPNOTSUPP | libc::ENODATA)
            ) => {}
            _ => self.note(path.display().to_string(), error.to_string()),
        }
    }
}

/// An error in words, with who could do better.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => refused(),
        _ => error.to_string(),
    }
}

/// Why permission was denied, and whether it is worth asking as root.
fn refused() -> String {
    match rustix::process::geteuid().is_root() {
        true => "permission denied even to root, by a container or a security policy",
        false => "permission denied; root can read it",
    }
    .to_owned()
}

fn digits_removed(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_asked_once_also_when_it_does_not_tell() {
        let roots = Roots::default();
        let context = Context::new(&roots);
        let told = Some(Smart::default());
        for answer in [told.clone(), None] {
            let name = if answer.is_some() { "sda" } else { "sdb" };
            assert_eq!(context.health_once(name, || answer.clone()), answer);
            assert_eq!(context.health_once(name, || panic!("asked again")), answer);
        }
    }
}
