//! How a command ended: one table for all commands and tools. Scripts may rely on the codes.

use std::io::{self, Write};
use std::process::ExitCode;

use etalon_model::Cell;

/// The outcome of one command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done, and no figure is known to be wrong.
    Done = 0,
    /// Something failed; what was done stays and was reported.
    Failed = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Done, but a figure is `invalid`, a comparison or a passport could not be made, or what a power cut took had been promised.
    NotValid = 3,
    /// Refused, because it would have destroyed something.
    Refused = 4,
    /// Done, but a figure is less precise than was asked for.
    Imprecise = 5,
    /// Not begun: another etalon measures on something that the target stands on, or a quiet machine was waited for in vain.
    InUse = 6,
    /// `compare --fail-if-slower`: a loss beyond the margin is shown.
    Slower = 7,
    /// Interrupted by a signal; what had finished is kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl Exit {
    /// What the help says of the codes.
    pub const TABLE: &str = "Exit codes: 0 done, 1 failed, 2 bad usage, 3 done but a figure is invalid, a promise was broken or nothing could be compared, \
4 refused as dangerous, 5 done but less precise than --precision asked for, \
6 another etalon measures there (--wait waits for it) or --wait=quiet found no quiet, 7 slower than compare --fail-if-slower allows, 130 interrupted.";

    /// The number for the shell.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Whether the figures of what came to its end are true, and as precise as was asked for.
    pub fn of_cells<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Exit {
        let mut exit = Exit::Done;
        for cell in cells {
            if cell.verdict.is_invalid() {
                return Exit::NotValid;
            }
            if cell.misses_precision() {
                exit = Exit::Imprecise;
            }
        }
        exit
    }

    /// The outcome where the output of `command` could not be written. A reader that went away, as
    /// `head` does, has what it wanted; anything else is told on `err`.
    pub(crate) fn of_output(command: &str, error: &io::Error, err: &mut dyn Write) -> Exit {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Exit::Done;
        }
        // Where this cannot be written either, the status has to say it alone.
        let _ = writeln!(err, "etalon {command}: cannot write the output: {error}");
        Exit::Failed
    }

    /// The worse of two outcomes.
    pub(crate) fn and(self, other: Exit) -> Exit {
        if other.code() > self.code() {
            other
        } else {
            self
        }
    }
}
