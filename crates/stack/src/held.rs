//! What the page cache holds of several files together, also of those that a process serves from others.

use std::path::Path;

use etalon_model::CacheHeld;
use etalon_model::stack::Mount;
use etalon_units::Bytes;

use crate::passthrough::{Behind, behind_by, mounts};
use crate::residency::{Residency, residency};

/// Adds up what the page cache holds of one file after the other.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// let mut look = etalon_stack::CacheLook::begin();
/// look.add(file.path());
/// assert_eq!(look.held().map(|held| held.size.get()), Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CacheLook {
    mounts: Vec<Mount>,
    /// None once there was a file of which it cannot be told.
    all: Option<CacheHeld>,
}

impl CacheLook {
    /// Of no file yet.
    pub fn begin() -> CacheLook {
        let all = CacheHeld {
            dirty: Some(Bytes::ZERO),
            writeback: Some(Bytes::ZERO),
            ..CacheHeld::default()
        };
        CacheLook {
            mounts: mounts(),
            all: Some(all),
        }
    }

    /// Adds a file, of which nothing can be told where it is not there.
    pub fn add(&mut self, file: &Path) {
        let sum = |all: &CacheHeld| Some(summed(all, &self.of(file)?));
        self.all = self.all.as_ref().and_then(sum);
    }

    /// All of them together; `None` where it cannot be told of one.
    pub fn held(self) -> Option<CacheHeld> {
        self.all
    }

    fn of(&self, file: &Path) -> Option<CacheHeld> {
        let meta = file.metadata().ok().filter(|meta| meta.is_file())?;
        let one = residency(file).ok()?;
        let one = match behind_by(&self.mounts, file) {
            Behind::Nothing => one,
            // Two pages may hold the same bytes; the file is as cold as the warmer of its two.
            Behind::File(file) => warmer(one, residency(&file).ok()?),
            Behind::Unknown => return None,
        };
        Some(CacheHeld {
            size: Bytes(meta.len()),
            cached: one.cached,
            dirty: one.dirty,
            writeback: one.writeback,
        })
    }
}

fn warmer(one: Residency, other: Residency) -> Residency {
    match other.cached > one.cached {
        true => other,
        false => one,
    }
}

fn summed(one: &CacheHeld, other: &CacheHeld) -> CacheHeld {
    let sum = |a: Bytes, b: Bytes| Bytes(a.get().saturating_add(b.get()));
    let both = |a: Option<Bytes>, b: Option<Bytes>| Some(sum(a?, b?));
    CacheHeld {
        size: sum(one.size, other.size),
        cached: sum(one.cached, other.cached),
        dirty: both(one.dirty, other.dirty),
        writeback: both(one.writeback, other.writeback),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(files: &[&Path]) -> Option<CacheHeld> {
        let mut look = CacheLook::begin();
        files.iter().for_each(|file| look.add(file));
        look.held()
    }

    #[test]
    fn files_are_added_up_and_one_of_which_nothing_is_known_spoils_the_sum() {
        let directory = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| directory.path().join(name));
        std::fs::write(&one, [1; 8192]).unwrap();
        std::fs::write(&two, [2; 4096]).unwrap();
        let both = held(&[&one, &two]).unwrap();
        assert_eq!((both.size, both.cached), (Bytes(12288), Bytes(12288)));
        assert_eq!(held(&[&one, directory.path()]), None);
        assert_eq!(held(&[Path::new("/nowhere/at/all"), &two]), None);
        // Files of a process's filesystem have pages of their own, and others behind them.
        let served = "42 27 0:39 / / rw - fuse.sshfs host:/ rw\n";
        let mut look = CacheLook {
            mounts: crate::parse_mountinfo(served, Path::new("mountinfo")).unwrap(),
            ..CacheLook::begin()
        };
        look.add(&one);
        assert_eq!(look.held(), None);
    }
}
