//! What this very machine serves to itself over a network.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::StackTree;

/// The server's side of a filesystem or disk whose server is the machine that uses it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ServedHere {
    /// What serves it: `nfsd`, `nvmet` or `LIO` of the kernel; none where no server that is known does.
    pub server: Option<String>,
    /// The directory that is exported, or the device or file behind a target.
    pub source: Option<String>,
    /// Options of the export, as exports(5) has them.
    #[serde(default)]
    pub options: Vec<String>,
    /// Whether the server goes through its page cache; none where that is not known.
    pub buffered: Option<bool>,
    /// Whether the server has its disk take what it calls durable; none where that is not known.
    pub syncs: Option<bool>,
    /// The stack beneath the device or file of a target; that of an export stands with its filesystem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beneath: Option<Box<StackTree>>,
}
