//! Pauses of a job.

use etalon_units::Nanos;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The pause that a job makes after some operations, outside of every latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Think {
    /// From the end of the last operation to the start of the next; above zero.
    #[serde(rename = "time_ns", alias = "time")]
    pub time: Nanos,
    /// Operations of a job between two pauses, at least 1; a pause begins when all of them have ended.
    pub every: u32,
}
