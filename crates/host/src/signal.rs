//! Signals while their handlers change.

use std::io;

use nix::sys::signal::{SigSet, Signal};

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
    fn they_are_held_for_the_call_only_also_when_it_fails() {
        let seen = held_back([Signal::SIGUSR1], || Ok(is_held(Signal::SIGUSR1)));
        assert!(seen.unwrap());
        let failed: io::Result<()> =
            held_back([Signal::SIGUSR1], || Err(io::ErrorKind::Other.into()));
        assert!(failed.is_err() && !is_held(Signal::SIGUSR1));
    }
}
