//! Why a copy ends before its input does.

use super::notice::Notice;

/// What ended it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EarlyEnd {
    /// The observer.
    Stopped,
    /// Something that failed.
    Failed(Notice),
}

impl From<Notice> for EarlyEnd {
    fn from(notice: Notice) -> EarlyEnd {
        EarlyEnd::Failed(notice)
    }
}
