//! A place to measure on which no other test measures at the same time.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use etalon_testbed::in_memory;

use super::Mount;

/// Held by whoever measures on the filesystem of the temporary directory.
static SHARED: Mutex<()> = Mutex::new(());

/// A filesystem in memory, or without root a directory that tests take in turns.
pub(crate) enum Ground {
    Own(Mount),
    Shared {
        directory: tempfile::TempDir,
        _turn: MutexGuard<'static, ()>,
    },
}

impl Ground {
    pub(crate) fn new() -> Ground {
        if rustix::process::geteuid().is_root() {
            return Ground::Own(Mount::tmpfs(512));
        }
        Ground::Shared {
            _turn: SHARED.lock().unwrap_or_else(PoisonError::into_inner),
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// Files in memory also without root, where `/dev/shm` has them.
    pub(crate) fn in_memory() -> Ground {
        if rustix::process::geteuid().is_root() {
            return Ground::new();
        }
        Ground::Shared {
            _turn: SHARED.lock().unwrap_or_else(PoisonError::into_inner),
            directory: in_memory(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Ground::Own(mount) => mount.path(),
            Ground::Shared { directory, .. } => directory.path(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        self.path().to_str().unwrap()
    }
}
