//! A step in progress.

use std::sync::atomic::{AtomicBool, Ordering};

use etalon_units::Nanos;

use super::error::{StopMark, WorkError};
use super::process::{self, Program};
use super::watch::Tally;

/// A step in progress: what it counts, and whether it goes on.
pub struct Step<'a> {
    pub(super) stop: &'a AtomicBool,
    pub(super) tally: Tally,
}

impl<'a> Step<'a> {
    /// Ends the step when the work was asked to stop.
    ///
    /// # Errors
    /// [`WorkError::Stopped`].
    pub fn go_on(&self) -> Result<(), WorkError> {
        if self.stop.load(Ordering::Relaxed) {
            Err(WorkError::Stopped)
        } else {
            Ok(())
        }
    }

    /// The same for code between that hands on an [`std::io::Error`].
    pub fn stop_flag(&self) -> StopFlag<'a> {
        StopFlag(self.stop)
    }

    /// Whether the work was asked to stop, for whatever looks by itself.
    pub fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Runs a program to its end; it and all its children are killed on a stop.
    ///
    /// # Errors
    /// [`WorkError`] when it cannot be run or fails.
    pub fn run(&mut self, program: &Program) -> Result<(), WorkError> {
        let used = process::run(program, self.stop)?;
        self.tally.child_user.0 += used.user.get();
        self.tally.child_system.0 += used.system.get();
        Ok(())
    }

    /// Books what was counted elsewhere.
    pub fn book(&mut self, files: u64, bytes: u64) {
        self.tally.files += files;
        self.tally.bytes += bytes;
    }

    /// Books processor time of threads of this process, which are not that of the step: in user mode and in the kernel.
    pub fn book_threads(&mut self, (user, system): (Nanos, Nanos)) {
        self.tally.child_user.0 += user.get();
        self.tally.child_system.0 += system.get();
    }

    /// Books one file.
    pub fn file(&mut self, bytes: u64) {
        self.book(1, bytes);
    }
}

/// A stop flag that speaks [`std::io::Error`].
#[derive(Clone, Copy)]
pub struct StopFlag<'a>(&'a AtomicBool);

impl StopFlag<'_> {
    /// Fails once the work is to stop.
    ///
    /// # Errors
    /// One that [`WorkError`] knows again.
    pub fn check(self) -> std::io::Result<()> {
        if self.0.load(Ordering::Relaxed) {
            Err(std::io::Error::other(StopMark))
        } else {
            Ok(())
        }
    }
}
