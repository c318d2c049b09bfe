//! Ctrl-C and its kin ask for the end; the work stops within a second and cleans up.

use std::io;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use etalon_host::signal::{end_at_once, held_back, is_ignored, listening};
use nix::sys::signal::Signal;
use signal_hook::flag;

use etalon_tools::Exit;

/// The signals that ask for the end.
const ASKING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// A signal that comes again within this time is the first one once more: `timeout(1)` sends its
/// signal to the process and then to its group.
const REPEAT_WINDOW: Duration = Duration::from_secs(1);

/// How often a first signal is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Those of them that this process hears.
static HANDLED_SIGNALS: OnceLock<Vec<Signal>> = OnceLock::new();

fn heard() -> &'static [Signal] {
    HANDLED_SIGNALS.get_or_init(|| {
        // Who starts it by nohup(1) wants it to outlive the terminal.
        let deaf = |signal: &Signal| *signal == Signal::SIGHUP && is_ignored(*signal);
        ASKING.into_iter().filter(|signal| !deaf(signal)).collect()
    })
}

/// The first thing that the program does: until something has begun that must be cleaned up, a signal
/// ends it at once, and a file that may grow no further is an error of the write and no death.
pub(crate) fn install() -> io::Result<()> {
    flag::register(Signal::SIGXFSZ as i32, Arc::default())?;
    heard()
        .iter()
        .try_for_each(|signal| end_at_once(*signal, Exit::Interrupted as i32))
}

/// Sets `stop` at the first signal. A second one while the first is being honoured ends the
/// program at once; what it leaves behind, the next start removes.
pub(crate) fn ask_to_stop_on_signal(stop: &Arc<AtomicBool>) -> anyhow::Result<()> {
    held_back(heard().iter().copied(), || watch(stop)).context("cannot watch for signals")
}

fn watch(stop: &Arc<AtomicBool>) -> io::Result<()> {
    let insisted = Arc::new(AtomicBool::new(false));
    for signal in heard() {
        let number = *signal as i32;
        flag::register_conditional_shutdown(number, Exit::Interrupted as i32, insisted.clone())?;
        flag::register(number, Arc::clone(stop))?;
        listening(*signal).for_good();
    }
    let stop = Arc::clone(stop);
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || wait_out(&stop, &insisted))
        .map(drop)
}

/// Lets a signal insist once the time of the first one is over. It looks now and then, because a
/// pipe that wakes it would take files from a run that may open few.
fn wait_out(stop: &AtomicBool, insisted: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        thread::sleep(POLL_INTERVAL);
    }
    thread::sleep(REPEAT_WINDOW);
    insisted.store(true, Ordering::SeqCst);
}
