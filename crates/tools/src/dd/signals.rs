//! SIGUSR1 (statistics now) and SIGINT (end here) as flags.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_host::signal::{Listening, held_back, listening};
use nix::sys::signal::Signal;
use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGUSR1};
use signal_hook::{flag, low_level};

/// Flags that signals raise while this lives: for one copy, or for all of them.
#[derive(Debug)]
pub(crate) struct Signals {
    statistics: Arc<AtomicBool>,
    interrupt: Arc<AtomicBool>,
    ids: Vec<SigId>,
    /// Given up after the handlers, so that no signal finds neither.
    listening: Option<Listening>,
}

/// The status with which a second SIGINT ends the process at once: 128 and the signal's number.
const INTERRUPTED: i32 = 130;

impl Signals {
    /// Listens from now on.
    pub(crate) fn listen() -> io::Result<Signals> {
        let mut signals = Signals {
            statistics: Arc::default(),
            interrupt: Arc::default(),
            ids: Vec::new(),
            listening: None,
        };
        held_back([Signal::SIGINT, Signal::SIGUSR1], || signals.watch())?;
        Ok(signals)
    }

    fn watch(&mut self) -> io::Result<()> {
        let (statistics, interrupt) = (&self.statistics, &self.interrupt);
        let ids = [
            flag::register(SIGUSR1, statistics.clone())?,
            flag::register_conditional_shutdown(SIGINT, INTERRUPTED, interrupt.clone())?,
            flag::register(SIGINT, interrupt.clone())?,
        ];
        self.ids.extend(ids);
        self.listening = Some(listening(Signal::SIGINT));
        Ok(())
    }

    /// Whether statistics were asked for since the last time.
    pub(crate) fn statistics_wanted(&self) -> bool {
        // A load costs nothing; the swap that takes the wish back is rare.
        self.statistics.load(Ordering::Relaxed) && self.statistics.swap(false, Ordering::Relaxed)
    }

    /// Whether the user wants an end.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for id in self.ids.drain(..) {
            low_level::unregister(id);
        }
    }
}
