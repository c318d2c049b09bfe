//! Ctrl-C and its kin ask for the end; the work stops within a second and cleans up.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Sets `stop` at the first signal. A second one while the first is being honoured ends the
/// program at once; what it leaves behind, the next start removes.
pub(crate) fn ask_to_stop_on_signal(stop: &Arc<AtomicBool>) -> anyhow::Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(stop))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(stop)))
            .context("cannot watch for signals")?;
    }
    Ok(())
}
