//! Why a level is none, or could not be set.

use std::io;
use std::path::{Path, PathBuf};

use crate::group::LeftLimitError;
use crate::guard::GuardError;
use crate::journal::JournalError;
use crate::lock::Holder;
use crate::need::Need;

/// A text that is no level of a factor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{given} is no level of '{factor}'{}; accepted: {accepted}",
    reason(why)
)]
pub struct LevelError {
    /// The factor.
    pub factor: &'static str,
    /// The level as it was written.
    pub given: String,
    /// What is wrong with it, where more can be said.
    pub why: Option<String>,
    /// What would be right.
    pub accepted: String,
}

/// Why a level is not in force.
#[derive(Debug, thiserror::Error)]
pub enum FactorError {
    /// Something is missing.
    #[error(transparent)]
    Missing(#[from] Need),
    /// The kernel refused a step.
    #[error("cannot {action} '{}': {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// What was set is not in force.
    #[error("'{}' is '{found}' and not '{wanted}', which was set: something else changes it, or the kernel does not take it", path.display())]
    NotSo {
        /// Where it was read.
        path: PathBuf,
        /// What was set.
        wanted: String,
        /// What was found.
        found: String,
    },
    /// Somebody else's value stands there, which is none to put back.
    #[error("'{}' is set by {holder}, and only one can put it back: wait until that one has ended", path.display())]
    Held {
        /// The file of the kernel.
        path: PathBuf,
        /// Who has set it.
        holder: Holder,
    },
    /// A program failed.
    #[error("'{command}' failed: {why}")]
    Program {
        /// The program with its arguments.
        command: String,
        /// What it said.
        why: String,
    },
    /// The device must not be written.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// A limit that holds for this process would not hold in its group.
    #[error(transparent)]
    LeftLimit(#[from] LeftLimitError),
    /// It does not go with the target.
    #[error("{0}")]
    DoesNotFit(String),
    /// What was made is not there, and neither is the filesystem on which it lay.
    #[error("the filesystem on which '{}' lay is not mounted there now", path.display())]
    NotMounted {
        /// What was made.
        path: PathBuf,
    },
    /// A person has to do something, and there is none to ask.
    #[error(
        "the plan waits for a manual step, and no terminal is there to ask at: {message}. Do it and say so by --done: `etalon resume --done` where runs were kept, else the same command with --done"
    )]
    NobodyToAsk {
        /// What is to be done.
        message: String,
    },
    /// The user has asked to stop while the machine was waited for.
    #[error("stopped while it was being set")]
    Stopped,
    /// The change cannot be written down, so it is not made.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl FactorError {
    /// For `map_err`: the kernel refused to `action` what lies at `path`.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FactorError {
        let path = path.to_owned();
        move |source| FactorError::Io {
            action,
            path,
            source,
        }
    }
}

fn reason(why: &Option<String>) -> String {
    why.as_ref()
        .map_or_else(String::new, |why| format!(" ({why})"))
}
