//! The environment of runs, whole: the machine, its settings, and the storage stack.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::stack::{Manifest, ManifestChange, StackTree};

/// The machine with its settings, and the storage stack of a target, as they were at one moment.
///
/// Equal hashes mean equal environments; what moves by itself (room, temperature, health) stands in
/// the stack as it was when the environment was first seen, and does not count for the hash.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EnvironmentRecord {
    /// Every fact by its key, and the hash over them.
    #[serde(flatten)]
    pub manifest: Manifest,
    /// The storage stack.
    pub stack: StackTree,
}

/// An [`EnvironmentRecord`] as it is read. The layers of a stack tell their kind by a key, which serde reads out of its
/// own copy of the values; a stack that stands in a flattened field is read from such a copy too, so that the program
/// holds one reader of each type beneath it and not two.
#[derive(Deserialize)]
struct ReadRecord {
    #[serde(flatten)]
    manifest: Manifest,
    #[serde(flatten)]
    tree: ReadTree,
}

#[derive(Deserialize)]
struct ReadTree {
    stack: StackTree,
}

impl<'de> Deserialize<'de> for EnvironmentRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = ReadRecord::deserialize(deserializer)?;
        Ok(EnvironmentRecord {
            manifest: read.manifest,
            stack: read.tree.stack,
        })
    }
}

/// The environment of one run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EnvironmentMark {
    /// Hash of all its facts.
    pub hash: String,
    /// In what it differs from the environment before the first run.
    pub changes: Vec<ManifestChange>,
    /// What moves by itself and has no part in the hash, by key: settings of the process, room, health of the disks.
    /// Empty in what older versions kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: BTreeMap<String, String>,
    /// The whole of it, which records keep once for each hash; `None` where they do not have it.
    #[serde(skip)]
    pub record: Option<Arc<EnvironmentRecord>>,
}

impl EnvironmentMark {
    /// The mark of a run in this environment, with nothing to hold it against.
    pub fn of(record: Arc<EnvironmentRecord>) -> EnvironmentMark {
        EnvironmentMark {
            hash: record.manifest.hash.clone(),
            changes: Vec::new(),
            conditions: BTreeMap::new(),
            record: Some(record),
        }
    }
}

/// One fact in which the environments of compared arms differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EnvironmentDifference {
    /// The fact's key.
    pub key: String,
    /// Its value in each arm, in the order of the arms; several where it changed between the runs
    /// of one. None where it is not there.
    pub values: Vec<Option<String>>,
}
