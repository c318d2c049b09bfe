//! The facts of an environment, whose keys tell what they name.

use std::collections::BTreeMap;
use std::sync::Arc;

use etalon_model::{EnvironmentMark, EnvironmentRecord};

use super::words::Words;
use super::{command_line, keys};

/// Every fact, hidden by its key; a key may hold a path as well (`swap./dev/mapper/vg-swap`).
pub(super) fn all(facts: &BTreeMap<String, String>, words: &Words<'_>) -> BTreeMap<String, String> {
    let hidden = facts
        .iter()
        .map(|(key, value)| (words.hide(key), fact(key, value, words)));
    hidden.collect()
}

/// The environment of a run, whose record is one of `environments`.
pub(super) fn mark(
    mut mark: EnvironmentMark,
    words: &Words<'_>,
    environments: &BTreeMap<String, Arc<EnvironmentRecord>>,
) -> EnvironmentMark {
    if let Some(record) = environments.get(&mark.hash) {
        mark.hash = record.manifest.hash.clone();
        mark.record = Some(Arc::clone(record));
    }
    for change in &mut mark.changes {
        for value in [&mut change.before, &mut change.after]
            .into_iter()
            .flatten()
        {
            *value = fact(&change.key, value, words);
        }
        change.key = words.hide(&change.key);
    }
    mark.conditions = all(&mark.conditions, words);
    mark
}

fn fact(key: &str, value: &str, words: &Words<'_>) -> String {
    if key == "kernel.cmdline" {
        return command_line::hide(value, |value| words.pseudonym(value));
    }
    let hidden = words.hide(value);
    match is_identity(key) && hidden == value {
        true => words.pseudonym(value),
        false => hidden,
    }
}

/// Whether the value is a name: the last part of the key is that of the stack's record, and the one before says of
/// what.
fn is_identity(key: &str) -> bool {
    let (rest, last) = key.rsplit_once('.').unwrap_or(("", key));
    let of_kind = match rest.rsplit('.').next() {
        Some("kind") => Some("crypt"),
        Some("detail") => Some("network"),
        _ if rest.contains(".links.") => Some("iscsi"),
        _ => None,
    };
    keys::is_identity(of_kind, last)
}
