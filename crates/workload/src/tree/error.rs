//! Why a tree is not made, or not to its end.

use std::io;
use std::path::PathBuf;

use super::shape::ShapeError;
use crate::room::RoomError;

/// Why a run has no result, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The shape cannot be made anywhere.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The starting directory cannot be used.
    #[error("cannot use '{}' as the starting directory: {source}", path.display())]
    Start {
        /// The directory asked for.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The tree does not fit.
    #[error(transparent)]
    Room(#[from] RoomError),
    /// There is no tree that could be removed.
    #[error("there is no tree to remove: '{}' has no directory LEVEL0.*", .0.display())]
    NoTree(PathBuf),
    /// There are several trees that could be removed.
    #[error("'{}' holds {count} directories LEVEL0.*", path.display())]
    SeveralTrees {
        /// Where was looked.
        path: PathBuf,
        /// How many there are.
        count: usize,
    },
    /// An operation on the tree failed.
    #[error("cannot {what} '{}': {source}", path.display())]
    Operation {
        /// What was tried, for example `create the file`.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// It was asked to stop; what it had created is removed.
    #[error("stopped before the end")]
    Stopped,
    /// After a failure or a stop the tree could not be removed.
    #[error("{first}; and the tree could not be removed: {source}; remove '{}' by hand", path.display())]
    Leftover {
        /// What had happened before.
        first: Box<TreeError>,
        /// The tree.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
}
