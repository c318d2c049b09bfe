//! The private directory in which metadata and real work are done, removed also after a kill.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use etalon_factor::{Journal, Scratch, TargetLock};

use crate::commands::restore;
use crate::signals;

/// A private directory on the target, and the flag that signals set.
pub(crate) struct Ground {
    scratch: Scratch,
    /// Set when the work is to end.
    pub(crate) stop: Arc<AtomicBool>,
    _lock: TargetLock,
}

impl Ground {
    pub(crate) fn on(target: &Path) -> anyhow::Result<Ground> {
        restore::before_a_run();
        let meta = target
            .metadata()
            .with_context(|| format!("cannot look at '{}'", target.display()))?;
        let lock = TargetLock::acquire(meta.dev())?;
        let stop = Arc::new(AtomicBool::new(false));
        signals::ask_to_stop_on_signal(&stop)?;
        Ok(Ground {
            scratch: Scratch::create(&Journal::open()?, target)?,
            stop,
            _lock: lock,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.scratch.path()
    }
}
