//! What whoever serves lends to the server.

use etalon_model::RunId;
use etalon_report::Frame;

/// Writes the pages of experiments, which the server itself knows by number only.
pub trait Reporter: Send + Sync {
    /// The page of one experiment, or of several held against the first.
    ///
    /// # Errors
    /// [`Unavailable`] where there is no such page.
    fn page(&self, ids: &[RunId], frame: &Frame<'_>) -> Result<String, Unavailable>;

    /// A moment, in nanoseconds since 1970-01-01 UTC, as people of the place write it.
    fn local_time(&self, unix_ns: i64) -> String;
}

/// Why there is no page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// The store has no such experiment.
    #[error("the store has no experiment {0}")]
    Unknown(RunId),
    /// It cannot be shown as it was asked for, and why.
    #[error("{0}")]
    Refused(String),
    /// It could not be read, and why.
    #[error("{0}")]
    Failed(String),
}
