//! The environment of a run as a flat list of facts.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Missing;

/// The environment of a run: facts by dotted key, and a hash over them.
///
/// Keys are stable (`kernel.release`, `disk.vda.queue.scheduler`); only facts that should not
/// change between runs of one cell stand here, so two equal environments have equal hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// Facts by key.
    pub facts: BTreeMap<String, String>,
    /// SHA-256 over the sorted facts, in hexadecimal.
    pub hash: String,
    /// What could not be read; not part of the hash.
    pub missing: Vec<Missing>,
}

/// One fact that differs between two manifests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestChange {
    /// The fact's key.
    pub key: String,
    /// Its value before; none where it was not there.
    pub before: Option<String>,
    /// Its value after.
    pub after: Option<String>,
}

impl Manifest {
    /// The facts that differ between this manifest and a later one, sorted by key.
    pub fn changes_to(&self, after: &Manifest) -> Vec<ManifestChange> {
        let keys: std::collections::BTreeSet<&String> =
            self.facts.keys().chain(after.facts.keys()).collect();
        let changes = keys.into_iter().filter_map(|key| {
            let (old, new) = (self.facts.get(key), after.facts.get(key));
            (old != new).then(|| ManifestChange {
                key: key.clone(),
                before: old.cloned(),
                after: new.cloned(),
            })
        });
        changes.collect()
    }
}

impl ManifestChange {
    /// Swap space and huge pages that were added or taken away change a figure only by the memory that
    /// gets scarce, which `memory-pressure` weighs. How the kernel uses swap (`vm.swappiness`, limits) is
    /// another matter.
    pub fn is_memory_space(&self) -> bool {
        let is_hugepages = self.key.starts_with("sysctl.vm.nr_hugepages");
        let is_swap = self.key == "memory.swap_total" || self.key.starts_with("swap.");
        is_swap || is_hugepages || self.key == "memory.hugepages"
    }
}

impl fmt::Display for ManifestChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |value: &Option<String>| match value {
            Some(value) => format!("'{value}'"),
            None => "not there".to_owned(),
        };
        write!(
            f,
            "{}: {} -> {}",
            self.key,
            show(&self.before),
            show(&self.after)
        )
    }
}
