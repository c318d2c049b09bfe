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
    /// The facts that whoever gathered them could not read, by key, or by the beginning of their keys with a dot at its
    /// end; not part of the hash. Older records lack it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
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
    /// Whether the fact is not there for want of permission: what it is, nobody knows.
    pub fn could_not_read(&self, key: &str) -> bool {
        let is_meant = |unreadable: &String| covers(unreadable, key);
        !self.facts.contains_key(key) && self.unreadable.iter().any(is_meant)
    }

    /// The facts that differ between this manifest and a later one, sorted by key; not those that either could not read.
    pub fn changes_to(&self, after: &Manifest) -> Vec<ManifestChange> {
        let keys: std::collections::BTreeSet<&String> =
            self.facts.keys().chain(after.facts.keys()).collect();
        let changes = keys.into_iter().filter_map(|key| {
            let (old, new) = (self.facts.get(key), after.facts.get(key));
            let is_known = !self.could_not_read(key) && !after.could_not_read(key);
            (is_known && old != new).then(|| ManifestChange {
                key: key.clone(),
                before: old.cloned(),
                after: new.cloned(),
            })
        });
        changes.collect()
    }
}

/// Whether an entry of [`Manifest::unreadable`] stands for the fact with this key.
pub fn covers(unreadable: &str, key: &str) -> bool {
    match unreadable.ends_with('.') {
        true => key.starts_with(unreadable),
        false => key == unreadable,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(facts: &[(&str, &str)], unreadable: &[&str]) -> Manifest {
        let facts = facts.iter();
        let facts = facts.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        Manifest {
            facts: facts.collect(),
            unreadable: unreadable.iter().map(|&key| key.to_owned()).collect(),
            ..Manifest::default()
        }
    }

    #[test]
    fn what_one_side_could_not_read_is_no_change_and_all_else_is() {
        let user = manifest(&[("a", "1"), ("fs.type", "x")], &["secret", "fs."]);
        let root = manifest(
            &[
                ("a", "1"),
                ("fs.type", "x"),
                ("secret", "2"),
                ("fs.size", "3"),
            ],
            &[],
        );
        assert_eq!(user.changes_to(&root), []);
        assert_eq!(root.changes_to(&user), []);
        let keys = |after: &Manifest| {
            let changes = user.changes_to(after).into_iter();
            changes.map(|change| change.key).collect::<Vec<_>>()
        };
        // What it could read is held against what it is.
        let changed = manifest(&[("a", "2"), ("fs.type", "y"), ("secrets", "1")], &["a"]);
        assert_eq!(keys(&changed), ["a", "fs.type", "secrets"]);
        assert_eq!(keys(&manifest(&[("fs.type", "x")], &[])), ["a"]);
    }
}
