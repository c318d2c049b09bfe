//! Ctrl-C and its kin ask for the end; the work stops within a second and cleans up.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use etalon_host::signal::held_back;
use nix::sys::signal::Signal;
use signal_hook::flag;

/// The signals that ask for the end.
const ASKING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// Sets `stop` at the first signal. A second one while the first is being honoured ends the
/// program at once; what it leaves behind, the next start removes.
pub(crate) fn ask_to_stop_on_signal(stop: &Arc<AtomicBool>) -> anyhow::Result<()> {
    held_back(ASKING, || watch(stop)).context("cannot watch for signals")
}

fn watch(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    for signal in ASKING {
        flag::register_conditional_shutdown(signal as i32, 130, Arc::clone(stop))?;
        flag::register(signal as i32, Arc::clone(stop))?;
    }
    Ok(())
}
