//! Signals while their handlers change, those that were ignored from the beginning, and those that
//! end the process at once.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use nix::sys::signal::{SigSet, Signal};
use signal_hook::flag;

/// What is known of the signals that end the process at once, by their numbers.
static AT_ONCE: Mutex<BTreeMap<i32, AtOnce>> = Mutex::new(BTreeMap::new());

#[derive(Default)]
struct AtOnce {
    /// Asked for by [`end_at_once`].
    wanted: bool,
    listeners: usize,
    /// What the handler looks at.
    ends: Arc<AtomicBool>,
}

/// Changes what is known of a signal, and tells its handler.
fn changed(signal: Signal, change: impl FnOnce(&mut AtOnce)) -> Arc<AtomicBool> {
    let mut all = AT_ONCE.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.entry(signal as i32).or_default();
    change(known);
    let ends = known.wanted && known.listeners == 0;
    known.ends.store(ends, Ordering::SeqCst);
    Arc::clone(&known.ends)
}

/// From now on `signal` ends the process at once with `status`, while nobody is [`listening`] to it.
///
/// # Errors
/// The kernel's answer to `sigaction(2)`.
pub fn end_at_once(signal: Signal, status: i32) -> io::Result<()> {
    let ends = changed(signal, |known| known.wanted = true);
    flag::register_conditional_shutdown(signal as i32, status, ends).map(drop)
}

/// While one of these lives, a signal does not end the process at once.
#[derive(Debug)]
pub struct Listening(Signal);

/// For whoever has a handler of its own for `signal`; called within [`held_back`].
pub fn listening(signal: Signal) -> Listening {
    changed(signal, |known| known.listeners += 1);
    Listening(signal)
}

impl Listening {
    /// Until the process ends.
    pub fn for_good(self) {
        std::mem::forget(self);
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        changed(self.0, |known| known.listeners -= 1);
    }
}

/// Whether the process was started with `signal` ignored, as `nohup(1)` does with SIGHUP; asked
/// before a handler is installed. Without `/proc` nothing counts as ignored.
pub fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal as i32 - 1) & 1 == 1)
}

/// Holds `signals` back from the calling thread while `install` runs: one that came while half of
/// its handlers stand would be taken by the half that does nothing yet.
///
/// # Errors
/// The kernel's answer to `pthread_sigmask(3)`, or what `install` gives.
pub fn held_back<T>(
    signals: impl IntoIterator<Item = Signal>,
    install: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    let held: SigSet = signals.into_iter().collect();
    held.thread_block()?;
    let installed = install();
    held.thread_unblock()?;
    installed
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::signal::{SigmaskHow, pthread_sigmask};

    fn is_held(signal: Signal) -> bool {
        let mut mask = SigSet::empty();
        pthread_sigmask(SigmaskHow::SIG_BLOCK, None, Some(&mut mask)).unwrap();
        mask.contains(signal)
    }

    #[test]
    fn a_signal_ends_the_process_while_nobody_listens() {
        let ends = || changed(Signal::SIGWINCH, |_| ()).load(Ordering::SeqCst);
        drop(listening(Signal::SIGWINCH));
        assert!(!ends(), "nobody asked for it");
        end_at_once(Signal::SIGWINCH, 0).unwrap();
        assert!(ends());
        let (one, other) = (listening(Signal::SIGWINCH), listening(Signal::SIGWINCH));
        drop(one);
        assert!(!ends());
        drop(other);
        assert!(ends());
        listening(Signal::SIGWINCH).for_good();
        assert!(!ends());
    }

    #[test]
    fn they_are_held_for_the_call_only_also_when_it_fails() {
        let seen = held_back([Signal::SIGUSR1], || Ok(is_held(Signal::SIGUSR1)));
        assert!(seen.unwrap());
        let failed: io::Result<()> =
            held_back([Signal::SIGUSR1], || Err(io::ErrorKind::Other.into()));
        assert!(failed.is_err() && !is_held(Signal::SIGUSR1));
    }
}
