//! A place for one test, on a filesystem that no other test measures.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::storage::Mount;

/// Held by whoever, without root, measures on the filesystem of the temporary directory.
static SHARED: Mutex<()> = Mutex::new(());

/// A filesystem in memory, or without root a directory that tests take in turns.
pub(crate) struct Ground {
    place: PathBuf,
    _own: Option<Mount>,
    _shared: Option<(tempfile::TempDir, MutexGuard<'static, ()>)>,
}

impl Ground {
    pub(crate) fn new() -> Ground {
        if rustix::process::geteuid().is_root() {
            let mount = Mount::in_memory(1024);
            return Ground {
                place: mount.path().to_owned(),
                _own: Some(mount),
                _shared: None,
            };
        }
        let turn = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let directory = tempfile::tempdir().unwrap();
        Ground {
            place: directory.path().to_owned(),
            _own: None,
            _shared: Some((directory, turn)),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.place
    }

    pub(crate) fn name(&self) -> &str {
        self.place.to_str().unwrap()
    }

    /// A directory in it, made where it is missing.
    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        let path = self.place.join(name);
        fs::create_dir_all(&path).unwrap();
        path
    }

    /// A file in it with these bytes.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.place.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// A file in it without data, of some size.
    pub(crate) fn sparse(&self, name: &str, bytes: u64) -> PathBuf {
        let path = self.place.join(name);
        let file = fs::File::create(&path).unwrap();
        file.set_len(bytes).unwrap();
        path
    }
}
