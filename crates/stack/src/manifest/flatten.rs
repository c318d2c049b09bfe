//! The stack as flat facts.

use etalon_model::stack::{Layer, StackTree};
use serde_json::Value;

use super::GatheredFacts;

/// Fields that move by themselves while nothing of the environment changes, or that stand
/// elsewhere among the facts.
const MOVING: &[&str] = &[
    "below",
    "beneath",
    "warnings",
    "missing",
    "swaps",
    "space",
    "mount_count",
    "lifetime_write_bytes",
    "lazy_init",
    "temperature_celsius",
    "smart",
    "sync_progress",
    "sync_speed_bytes_per_second",
    "sync_action",
    "mismatch_sectors",
    "errors",
    // What other devices there are is nothing of this one.
    "shared_names",
    "dirty_data",
    "stored_bytes",
    "compressed_bytes",
    "memory_bytes",
    "same_pages",
    "dirty_segments",
    "free_segments",
    "used_bytes",
    "total_bytes",
    "operation",
    "total_on_devices_bytes",
    "used_on_devices_bytes",
    "allocated_bytes",
    "unallocated_bytes",
    "global_reserve_bytes",
    "free_blocks",
    "free_inodes",
    "mounted_unix_seconds",
    "written_unix_seconds",
    "checked_unix_seconds",
    "id",
    "parent",
];

/// States of arrays and caches flicker between `clean` and `active` with each write.
const FLICKERING: [&str; 2] = ["md", "bcache"];

/// Mount, filesystem and every layer: `mount.*`, `fs.*`, `layer.NAME.*`; of a loop's file too:
/// `layer.NAME.file.mount.*`, and of an overlay's upper directory: `upper.*`.
pub(super) fn read(facts: &mut GatheredFacts<'_>, tree: &StackTree) {
    read_filesystem(facts, "", tree);
    for layer in tree.layers() {
        read_layer(facts, layer);
    }
    for area in &tree.swaps {
        let words = format!("{} {} priority {}", area.kind, area.size, area.priority);
        facts.put(&format!("swap.{}", area.node), Some(words));
    }
}

fn read_filesystem(facts: &mut GatheredFacts<'_>, prefix: &str, tree: &StackTree) {
    put(
        facts,
        &format!("{prefix}mount"),
        serde_json::to_value(&tree.mount),
    );
    // The number of one without a device only says how many such were mounted before (fs/super.c, get_anon_bdev).
    if tree
        .mount
        .as_ref()
        .is_some_and(|mount| mount.devno.major == 0)
    {
        facts.found.remove(&format!("{prefix}mount.devno"));
    }
    put(
        facts,
        &format!("{prefix}fs"),
        serde_json::to_value(&tree.filesystem),
    );
    let upper = tree
        .filesystem
        .as_ref()
        .and_then(|fs| fs.beneath.as_deref());
    if let Some(upper) = upper {
        read_filesystem(facts, &format!("{prefix}upper."), upper);
    }
}

fn read_layer(facts: &mut GatheredFacts<'_>, layer: &Layer) {
    let key = format!("layer.{}", layer.name);
    put(facts, &key, serde_json::to_value(layer));
    let below: Vec<&str> = layer.below.iter().map(|l| l.name.as_str()).collect();
    facts.put(
        &format!("{key}.below"),
        (!below.is_empty()).then(|| below.join(" ")),
    );
    if let Some(tree) = layer.file_stack() {
        read_filesystem(facts, &format!("{key}.file."), tree);
    }
}

fn put(facts: &mut GatheredFacts<'_>, key: &str, value: serde_json::Result<Value>) {
    match value {
        Ok(value) => flatten(facts, key, &value),
        Err(error) => facts.context.note(key, error.to_string()),
    }
}

fn flatten(facts: &mut GatheredFacts<'_>, key: &str, value: &Value) {
    match value {
        Value::Null => {}
        Value::Object(entries) => {
            let kind = entries.get("type").and_then(Value::as_str);
            let flickers = kind.is_some_and(|kind| FLICKERING.contains(&kind));
            for (name, inner) in entries {
                let moves = MOVING.contains(&name.as_str()) || flickers && name == "state";
                if !moves {
                    flatten(facts, &format!("{key}.{name}"), inner);
                }
            }
        }
        Value::Array(values) => {
            let plain: Option<Vec<String>> = values.iter().map(plain).collect();
            match plain {
                Some(words) => facts.put(key, Some(words.join(" ")).filter(|w| !w.is_empty())),
                None => {
                    for (index, inner) in values.iter().enumerate() {
                        flatten(facts, &format!("{key}.{index}"), inner);
                    }
                }
            }
        }
        other => facts.put(key, plain(other)),
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(on.to_string()),
        _ => None,
    }
}
