//! How this process was started, where that may change a figure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings that the tool was started with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ProcessSettings {
    /// Its class of I/O where that is not the usual one: `idle`, `real time`.
    pub io_class: Option<String>,
    /// Whether a scheduler beneath looks at the class.
    pub class_is_heeded: bool,
    /// Libraries that were loaded before all others (`LD_PRELOAD`, `/etc/ld.so.preload`).
    pub preloaded: Vec<String>,
}
