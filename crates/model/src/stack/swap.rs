//! Swap areas.

use etalon_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One line of `/proc/swaps`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SwapArea {
    /// The device or file.
    pub node: String,
    /// `partition` (any device) or `file`.
    pub kind: String,
    /// Its size.
    #[serde(rename = "size_bytes", alias = "size")]
    pub size: Bytes,
    /// Of it in use.
    #[serde(rename = "used_bytes", alias = "used")]
    pub used: Bytes,
    /// The kernel fills areas of higher priority first.
    pub priority: i64,
    /// Leaf devices of the stack that this area lies upon, by name: swapping disturbs them.
    pub shares: Vec<String>,
}
