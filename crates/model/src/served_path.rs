//! A server between a target and its disks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A server between a target and its disks, with what is known of its caches and of what it calls durable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServedPath {
    /// What it serves, in words: `127.0.0.1:/ (nfs4)`, `nvme0n1 (NVMe over tcp)`.
    pub what: String,
    /// Whether it serves files, which the page cache of this machine, the client, keeps as well; else a disk.
    pub files: bool,
    /// Whether the server is this very machine.
    pub here: bool,
    /// Whether it goes through its own page cache; none where that cannot be known from here.
    pub buffered: Option<bool>,
    /// Whether it has its disk take what it calls durable; none where that cannot be known from here.
    pub syncs: Option<bool>,
    /// What kind of server it is.
    #[serde(default, skip_serializing_if = "ServerKind::is_other")]
    pub kind: ServerKind,
}

/// What kind of server stands between a target and its disks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServerKind {
    /// One of NFS, whose exports are `sync` or `async`.
    Nfs,
    /// The host of this virtual machine or container, without a network.
    Host,
    /// Another.
    #[default]
    Other,
}

impl ServerKind {
    fn is_other(&self) -> bool {
        *self == ServerKind::Other
    }
}

impl ServedPath {
    /// Whether it may have a page cache, as far as can be known from here.
    pub fn may_cache(&self) -> bool {
        self.buffered != Some(false)
    }
}
