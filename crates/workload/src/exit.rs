//! How a command ended, for the process that serves it.

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
    /// Interrupted by the user.
    Interrupted,
}

impl ExitStatus {
    /// The number for the shell: 0, 1, 2, 4, 130.
    pub fn code(self) -> u8 {
        match self {
            ExitStatus::Done => 0,
            ExitStatus::Failed => 1,
            ExitStatus::Usage => 2,
            ExitStatus::Refused => 4,
            ExitStatus::Interrupted => 130,
        }
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
