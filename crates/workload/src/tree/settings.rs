//! What is done to a tree, and where.

use std::path::PathBuf;

use super::shape::TreeShape;

/// What one run does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeSettings {
    /// The tree.
    pub shape: TreeShape,
    /// Where the tree stands; with `remove` alone it may be the tree itself.
    pub start: PathBuf,
    /// Whether the tree is created.
    pub create: bool,
    /// Whether the tree is removed.
    pub remove: bool,
    /// Whether each phase ends with `syncfs(2)` inside its clock.
    pub sync: bool,
    /// Whether the files hold zeros, and not data that do not compress.
    pub zero: bool,
    /// Decides those data; each tree is to have another, so that none holds what one before it held.
    pub seed: u64,
}

impl Default for TreeSettings {
    fn default() -> Self {
        TreeSettings {
            shape: TreeShape::default(),
            start: PathBuf::from("."),
            create: true,
            remove: true,
            sync: false,
            zero: false,
            seed: 0,
        }
    }
}
