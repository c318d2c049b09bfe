//! Where the kernel's trees are looked for.

use std::path::{Component, Path, PathBuf};

/// The directories below which everything is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    /// `/sys`.
    pub sysfs: PathBuf,
    /// `/proc`.
    pub procfs: PathBuf,
    /// `/dev`.
    pub dev: PathBuf,
    /// udev's database, `/run/udev/data`.
    pub udev: PathBuf,
    /// `/etc`.
    pub etc: PathBuf,
    /// Where packages keep the units of systemd, `/usr/lib/systemd/system`.
    pub units: PathBuf,
    /// What the devices of a copied machine answered, a directory for each (see [`crate::answers`]);
    /// none on the running machine, whose devices are asked themselves.
    pub answers: Option<PathBuf>,
}

impl Default for Roots {
    /// The running machine's own.
    fn default() -> Self {
        Roots {
            sysfs: "/sys".into(),
            procfs: "/proc".into(),
            dev: "/dev".into(),
            udev: "/run/udev/data".into(),
            etc: "/etc".into(),
            units: "/usr/lib/systemd/system".into(),
            answers: None,
        }
    }
}

impl Roots {
    /// A copied machine: `sys`, `proc`, `dev`, `etc`, `usr`, `run/udev/data` and `answers` below `directory`.
    ///
    /// ```
    /// let copied = etalon_stack::Roots::under("/tmp/machine".as_ref());
    /// assert_eq!(copied.sysfs.to_str(), Some("/tmp/machine/sys"));
    /// ```
    pub fn under(directory: &Path) -> Roots {
        Roots {
            sysfs: directory.join("sys"),
            procfs: directory.join("proc"),
            dev: directory.join("dev"),
            udev: directory.join("run/udev/data"),
            etc: directory.join("etc"),
            units: directory.join("usr/lib/systemd/system"),
            answers: Some(directory.join("answers")),
        }
    }

    /// Whether these are the running machine's trees, so that paths and files can be asked too.
    pub fn is_host(&self) -> bool {
        *self == Roots::default()
    }

    /// `node`, a path such as `/dev/sda`, below this root's `dev`.
    pub(crate) fn device_node(&self, node: &str) -> Option<PathBuf> {
        self.named_node(node.strip_prefix("/dev/")?)
    }

    /// The node of the device `name`; none when the name leads out of `dev`.
    pub(crate) fn named_node(&self, name: &str) -> Option<PathBuf> {
        let mut parts = Path::new(name).components();
        let inside = parts.all(|part| matches!(part, Component::Normal(_)));
        inside.then(|| self.dev.join(name))
    }
}
