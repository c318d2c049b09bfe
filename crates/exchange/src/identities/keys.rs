//! The keys of a storage stack's record that hold a name.

use serde_json::{Map, Value};

/// Keys that hold a name of one thing alone wherever they stand.
const ALWAYS: [&str; 11] = [
    "by_id",
    "cache_set",
    "dataset",
    "journal_uuid",
    "label",
    "lv",
    "portal",
    "serial",
    "uuid",
    "vg",
    "wwid",
];
/// The same in the records of some kinds alone; the kind is told by the first of [`KINDS`] that a record has.
const OF_A_KIND: [(&str, &str); 6] = [
    ("crypt", "name"),
    ("iscsi", "target"),
    ("mapper", "name"),
    ("multipath", "name"),
    ("network", "address"),
    ("network", "server"),
];
const KINDS: [&str; 3] = ["type", "bus", "family"];

/// Whether a key names one thing.
pub(super) fn is_identity(kind: Option<&str>, key: &str) -> bool {
    ALWAYS.contains(&key) || kind.is_some_and(|kind| OF_A_KIND.contains(&(kind, key)))
}

/// What a record is of.
pub(super) fn kind_of(entries: &Map<String, Value>) -> Option<String> {
    let mut kinds = KINDS.iter().filter_map(|key| entries.get(*key)?.as_str());
    kinds.next().map(str::to_owned)
}
