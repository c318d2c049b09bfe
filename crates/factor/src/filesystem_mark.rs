//! By what a filesystem is known again.

use serde::{Deserialize, Serialize};

/// Tells whether the filesystem that lies at a path now is the one that lay there then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesystemMark {
    /// Its number (`statvfs(3)`, `f_fsid`).
    pub id: u64,
    /// True when it lives in memory and is gone with a reboot.
    pub volatile: bool,
}
