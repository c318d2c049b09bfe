//! How a command ended, for the process that serves it.

use std::io::{self, Write};

/// The outcome of one command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// All went well.
    Done,
    /// Something failed; what was done stays and was reported.
    Failed,
    /// The command line makes no sense.
    Usage,
    /// Refused as dangerous.
    Refused,
    /// Not begun, because another etalon measures there.
    InUse,
    /// Interrupted by the user.
    Interrupted,
}

impl ExitStatus {
    /// The number for the shell: 0, 1, 2, 4, 6, 130.
    pub fn code(self) -> u8 {
        match self {
            ExitStatus::Done => 0,
            ExitStatus::Failed => 1,
            ExitStatus::Usage => 2,
            ExitStatus::Refused => 4,
            ExitStatus::InUse => 6,
            ExitStatus::Interrupted => 130,
        }
    }

    /// The outcome where the output of `command` could not be written. A reader that went away, as
    /// `head` does, has what it wanted; anything else is told on `err`.
    pub(crate) fn of_output(command: &str, error: &io::Error, err: &mut dyn Write) -> ExitStatus {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return ExitStatus::Done;
        }
        // Where this cannot be written either, the status has to say it alone.
        let _ = writeln!(err, "etalon {command}: cannot write the output: {error}");
        ExitStatus::Failed
    }

    /// The worse of two outcomes.
    pub(crate) fn and(self, other: ExitStatus) -> ExitStatus {
        if other.code() > self.code() {
            other
        } else {
            self
        }
    }
}
