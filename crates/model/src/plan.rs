//! A plan as a file holds it: one question, what is varied, and how it is measured.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A plan (TOML). Every key but `question`, `workload` and `factor` may be left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    /// What shall be known in the end.
    pub question: String,
    /// Why it is asked.
    pub why: Option<String>,
    /// What is expected, written down before.
    pub expect: Option<String>,
    /// Directories, files or devices; those of the command line take their place.
    pub targets: Vec<String>,
    /// What is done, at least one.
    pub workload: Vec<PlanWorkload>,
    /// What is varied.
    pub factor: Vec<PlanFactor>,
    /// The combinations that are measured, the level of each factor by its name; all where none is
    /// listed.
    pub combination: Vec<BTreeMap<String, Value>>,
    /// The name of the workload that answers the question; the first where it is left out.
    pub primary: Option<String>,
    /// How narrow the intervals shall be, half the width over the value: `5%`.
    pub precision: Option<String>,
    /// The most time that it may take: `30m`.
    pub budget: Option<String>,
    /// How many blocks are measured; 8 where neither this nor a precision is given.
    pub blocks: Option<u32>,
    /// `random` (in each block anew) or `listed`.
    pub order: Option<String>,
    /// Decides every random choice.
    pub seed: Option<u64>,
    /// The state that a block device which is written is brought into before its first run.
    pub precondition: Option<PlanPrecondition>,
    /// Commands of the shell that run before all else.
    pub setup: Vec<String>,
    /// Commands of the shell that run after all else.
    pub cleanup: Vec<String>,
}

/// One workload, or several by values with commas between them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PlanWorkload {
    /// How pages call it.
    pub name: Option<String>,
    /// Options of `etalon measure` by their long names, with `_` for `-`: `op`, `block_size`,
    /// `queue_depth`, `time` and so on; `true` for those without a value. Or `work`, the name of a real work, with its
    /// parameters, and `steps`, those that are kept.
    #[serde(flatten)]
    pub options: BTreeMap<String, Value>,
}

/// One factor with its levels.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlanFactor {
    /// Its name, as `docs/plans.md` lists them.
    pub name: String,
    /// Its levels: texts, numbers, or tables with the key `value` and options. The first is the
    /// baseline.
    pub levels: Vec<Value>,
}

/// What is done to a device before it is measured (SNIA's performance test specification).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlanPrecondition {
    /// Whether all of it is discarded first (blkdiscard).
    pub purge: bool,
    /// How often it is filled with sequential writes of 128 KiB, 0 to 10; the specification has 2.
    pub fills: u32,
    /// The most rounds of the plan's workloads, 5 to 25, until the primary one is steady by the specification's rule;
    /// zero for none.
    pub rounds: u32,
}
