//! What a target is, and what lies beneath it.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use etalon_model::TargetRecord;
use etalon_model::stack::{FsDetail, StackTree};
use etalon_stack::{Roots, Stack, StackError};

/// The kinds of target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteKind {
    /// A directory on a mounted filesystem.
    Directory,
    /// A regular file.
    File,
    /// A block device.
    BlockDevice,
}

/// A target that was looked at.
#[derive(Debug, Clone)]
pub struct Site {
    /// The target as an absolute path without links.
    pub path: PathBuf,
    /// What it is.
    pub kind: SiteKind,
    /// The number of its filesystem, or of the block device (stat(2): `st_dev`, `st_rdev`).
    pub device: u64,
    /// What lies beneath.
    pub tree: StackTree,
    /// The same in one line, for records.
    pub record: TargetRecord,
    /// Further directories that the same work goes to, each on a filesystem of its own.
    beside: Vec<PathBuf>,
}

/// Why a target cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// Nothing is there.
    #[error("there is no '{}'; name a directory on the filesystem to measure, a file or a block device", path.display())]
    Missing {
        /// The target as it was typed.
        path: PathBuf,
    },
    /// It may not be looked at.
    #[error("cannot look at '{}': {source}", path.display())]
    Access {
        /// The target as it was typed.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// It is something that cannot be measured.
    #[error("'{}' is {what}; name {wanted}", path.display())]
    WrongKind {
        /// The target as it was typed.
        path: PathBuf,
        /// What it is.
        what: &'static str,
        /// What to name instead.
        wanted: &'static str,
    },
    /// What lies beneath could not be found out.
    #[error(transparent)]
    Stack(#[from] StackError),
}

impl Site {
    /// Looks at `target` and beneath it.
    ///
    /// # Errors
    /// [`SiteError`] when it is not there, may not be looked at, or is of another kind.
    pub fn look(target: &Path) -> Result<Site, SiteError> {
        let access = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => SiteError::Missing {
                path: target.to_owned(),
            },
            _ => SiteError::Access {
                path: target.to_owned(),
                source,
            },
        };
        let path = fs::canonicalize(target).map_err(access)?;
        let meta = fs::metadata(&path).map_err(access)?;
        let kind = kind_of(target, &meta.file_type())?;
        let device = match kind {
            SiteKind::BlockDevice => meta.rdev(),
            SiteKind::Directory | SiteKind::File => meta.dev(),
        };
        let tree = Stack::of(&path, &Roots::default())?;
        let record = TargetRecord {
            path: path.display().to_string(),
            beneath: tree.one_line(),
            storage: Some(tree.short_line()),
            devices: tree.leaves().iter().map(|leaf| leaf.name.clone()).collect(),
            class: tree.device_class(),
        };
        Ok(Site {
            path,
            kind,
            device,
            tree,
            record,
            beside: Vec::new(),
        })
    }

    /// Looks at several directories that one work goes to at the same time: the first is the target,
    /// and the devices beneath all of them are counted.
    ///
    /// # Errors
    /// As [`look`](Site::look), for any of them.
    pub fn look_at_all(targets: &[PathBuf]) -> Result<Option<Site>, SiteError> {
        let mut whole: Option<Site> = None;
        let mut known = Vec::new();
        for target in targets {
            let site = Site::look(target)?;
            if known.contains(&site.device) {
                continue;
            }
            known.push(site.device);
            match &mut whole {
                Some(whole) => whole.beside.push(site.path),
                None => whole = Some(site),
            }
        }
        if let Some(whole) = &mut whole {
            whole.tree = whole.tree_now()?;
        }
        Ok(whole)
    }

    /// Whether its filesystem keeps all files in memory.
    pub(crate) fn is_memory(&self) -> bool {
        let filesystem = self.tree.filesystem.as_ref();
        filesystem.is_some_and(|fs| matches!(fs.detail, FsDetail::Memory { .. }))
    }

    /// What lies beneath by now.
    ///
    /// # Errors
    /// When it cannot be found out.
    pub(crate) fn tree_now(&self) -> Result<StackTree, StackError> {
        let roots = Roots::default();
        let mut tree = Stack::of(&self.path, &roots)?;
        for path in &self.beside {
            add_devices(&mut tree, &Stack::of(path, &roots)?);
        }
        Ok(tree)
    }

    /// Whether what is written here goes to devices: to those that are seen beneath, or to whatever an overlay stands on
    /// whose directories lie outside this mount namespace.
    pub(crate) fn has_devices(&self) -> bool {
        let holder = self.tree.holder().filesystem.as_ref();
        let is_unseen = holder.is_some_and(|fs| matches!(fs.detail, FsDetail::Overlay { .. }));
        is_unseen || !self.tree.top_devices().is_empty()
    }
}

/// Adds the devices directly beneath `further` to those of `tree`, of a filesystem upon another those of that one.
fn add_devices(tree: &mut StackTree, further: &StackTree) {
    let mut all = tree.top_devices().to_vec();
    for device in further.top_devices() {
        if all.iter().all(|known| known.devno != device.devno) {
            all.push(device.clone());
        }
    }
    tree.devices = all;
}

fn kind_of(target: &Path, kind: &fs::FileType) -> Result<SiteKind, SiteError> {
    let what = match kind {
        k if k.is_dir() => return Ok(SiteKind::Directory),
        k if k.is_file() => return Ok(SiteKind::File),
        k if k.is_block_device() => return Ok(SiteKind::BlockDevice),
        k if k.is_char_device() => "a character device",
        k if k.is_fifo() => "a named pipe",
        k if k.is_socket() => "a socket",
        _ => "of an unknown kind",
    };
    Err(SiteError::WrongKind {
        path: target.to_owned(),
        what,
        wanted: "a directory, a regular file or a block device",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::TargetKind;
    use serde_json::{from_value, json};

    /// A directory on this disk.
    fn on_disk(name: &str, devno: &str) -> StackTree {
        let disk = json!({
            "name": name, "devno": devno, "node": name, "size_bytes": 0, "read_only": false,
            "queue": null, "warnings": [], "below": [],
            "kind": { "type": "unknown", "why": "" },
        });
        StackTree {
            devices: vec![from_value(disk).unwrap()],
            ..StackTree::of_nothing(name, TargetKind::Directory)
        }
    }

    /// An overlay over such a directory, or over one that is not seen.
    fn overlay(beneath: Option<StackTree>) -> StackTree {
        let filesystem = json!({
            "fs_type": "overlay", "beneath": beneath,
            "detail": { "family": "overlay", "lower": ["/lower"], "upper": null, "work": null },
        });
        StackTree {
            filesystem: Some(from_value(filesystem).unwrap()),
            ..StackTree::of_nothing("/merged", TargetKind::Directory)
        }
    }

    #[test]
    fn the_devices_of_all_directories_are_known_also_beneath_overlays() {
        let names = |tree: &StackTree| {
            let devices = tree.top_devices().iter();
            devices.map(|layer| layer.name.clone()).collect::<Vec<_>>()
        };
        let mut tree = overlay(Some(on_disk("sda", "8:0")));
        add_devices(&mut tree, &overlay(Some(on_disk("sdb", "8:16"))));
        add_devices(&mut tree, &on_disk("sda", "8:0"));
        assert_eq!(names(&tree), ["sda", "sdb"]);
        assert_eq!(tree.layers().len(), 2);
    }

    #[test]
    fn an_overlay_has_devices_whether_they_are_seen_or_not() {
        let directory = tempfile::tempdir().unwrap();
        let site = Site::look(directory.path()).unwrap();
        let over = |tree| Site {
            tree,
            ..site.clone()
        };
        assert!(over(overlay(None)).has_devices());
        assert!(over(overlay(Some(on_disk("sda", "8:0")))).has_devices());
        let nothing = StackTree::of_nothing("/", TargetKind::Directory);
        assert!(!over(nothing.clone()).has_devices());
        assert!(!over(overlay(Some(nothing))).has_devices());
    }

    #[test]
    fn what_cannot_be_measured_is_named() {
        let error = Site::look(Path::new("/no/such/place")).unwrap_err();
        assert!(error.to_string().contains("'/no/such/place'"));
        let error = Site::look(Path::new("/dev/null")).unwrap_err();
        assert!(error.to_string().contains("a character device"));
    }

    #[test]
    fn a_directory_has_something_beneath() {
        let directory = tempfile::tempdir().unwrap();
        let site = Site::look(directory.path()).unwrap();
        assert_eq!(site.kind, SiteKind::Directory);
        assert!(!site.record.beneath.is_empty());
    }
}
