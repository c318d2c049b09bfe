//! What stood in a file of the kernel before it was given another value.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::path_text;

/// A file of the kernel with what stood in it before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedValue {
    /// The file, absolute.
    #[serde(with = "path_text")]
    pub path: PathBuf,
    /// What stood in it.
    pub before: String,
    /// The disk's own number (`/sys/block/DISK/diskseq`, Linux 5.15), by which another disk under the
    /// same name is known.
    pub diskseq: Option<String>,
}
