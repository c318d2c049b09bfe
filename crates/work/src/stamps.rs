//! What the entries of a tree were like at one moment, to tell later which of them somebody has changed.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::hash::{BuildHasher as _, RandomState};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::error::WorkError;
use super::job::Job;
use super::parameter::Parameter;
use super::step::Step;
use super::tree::{INPUT, WalkEvent, entry_of, walk};

/// A number for each path and one for its size, permissions and times: 16 bytes an entry, whatever the names.
pub(super) struct Stamps {
    hasher: RandomState,
    entries: HashMap<u64, u64>,
}

impl Stamps {
    /// Those of the user's tree before it is copied, where the copy is to be compared: a generated one changes by nobody's
    /// hand.
    pub(super) fn of_users(
        job: &mut Job<'_>,
        tree: &Path,
        verify: &Parameter,
    ) -> Result<Option<Stamps>, WorkError> {
        match job.values().path(&INPUT) {
            Some(_) if job.values().yes(verify) => {
                job.untimed(|step| Stamps::of(tree, step)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Those of everything below `root`.
    pub(super) fn of(root: &Path, step: &mut Step<'_>) -> Result<Stamps, WorkError> {
        let hasher = RandomState::new();
        let mut entries = HashMap::new();
        walk(root, step, &mut |path, found| {
            if let WalkEvent::Enter(meta) | WalkEvent::Leaf(meta) = found {
                let name = path.strip_prefix(root).unwrap_or(path);
                entries.insert(hasher.hash_one(name), stamp(&hasher, meta));
            }
            Ok(())
        })?;
        Ok(Stamps { hasher, entries })
    }

    /// Whether `name` below `root` has come, gone or changed since.
    pub(super) fn has_changed(&self, root: &Path, name: &Path) -> bool {
        let now = fs::symlink_metadata(entry_of(root, name)).ok();
        let now = now.map(|meta| stamp(&self.hasher, &meta));
        self.entries.get(&self.hasher.hash_one(name)).copied() != now
    }
}

/// Whatever is written to a file or set of it changes its ctime, which nobody can set (inode(7)).
fn stamp(hasher: &RandomState, meta: &Metadata) -> u64 {
    let changed = (meta.ctime(), meta.ctime_nsec());
    hasher.hash_one((
        meta.mode(),
        meta.size(),
        meta.mtime(),
        meta.mtime_nsec(),
        changed,
    ))
}
