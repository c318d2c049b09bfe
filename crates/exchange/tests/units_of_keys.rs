//! Every key of a JSON document that holds a quantity says its unit.

use std::collections::BTreeSet;

use serde_json::Value;

/// The unit that the keys of each type of size, time or rate end in.
const TYPES: [(&str, &str); 3] = [
    ("Bytes", "bytes"),
    ("Nanos", "ns"),
    ("ByteRate", "bytes_per_second"),
];

/// Words of a key that name a unit.
const UNITS: &str =
    "ns ms usec seconds second hours mhz bytes bits percent share celsius rpm gbps gts mbps";

/// Words of a key that name what is counted.
const COUNTED: &str = "answers alloc_stalls blocks cells checkpoints clients commits copies cpus cuts devices disks errors extents files flushes fsyncs groups hits misses \
    inodes ios jobs kills merges missing mounts operations pages periods processors requests rows runs sectors segments servers shutdowns \
    stripes tables throttled ticks";

/// Numbers without a unit of their own: numbers of things, statistics, settings that the kernel or a distribution counts
/// in itself, and figures whose unit stands in the `unit` or in the key of the object that they are part of.
const DIMENSIONLESS: &str = "adjusted_p asked asked_iops attribute_197 attribute_198 baseline batch block corrupt count cut cv degraded down drift drift_p dropped errno \
    every experiment experiments first_lost from group h high icc id in_flight iops last_of_another level line command_line level_p log_version lost low margin max max_width mean \
    median misplaced missed nomerges nr_requests number of of_group offline_uncorrectable p p50 p99 p999 parent \
    numa_node pending pid position priority promised quantile queue_depth queues range ratio raid_stride repeated reported_uncorrectable \
    rq_affinity schema_version sd seed session_spread slot spread spread_p stale stride syscr syscw theta torn uncorrectable uniform unstamped \
    value values visible width hardware_queues mount_count";

fn words(list: &str) -> BTreeSet<&str> {
    list.split_whitespace().collect()
}

/// The type of what `schema` describes, and `number` for a number of no type.
fn types(schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(path) = schema["$ref"].as_str() {
        found.extend(path.rsplit('/').next().map(str::to_owned));
    }
    let plain = ["integer", "number"].map(Value::from);
    let own = &schema["type"];
    if plain
        .iter()
        .any(|p| own == p || own.as_array().is_some_and(|own| own.contains(p)))
    {
        found.insert("number".to_owned());
    }
    let alternatives = schema["anyOf"].as_array().into_iter().flatten();
    alternatives
        .chain(schema.get("items"))
        .for_each(|inner| types(inner, found));
}

/// Whether one of the words of `list`, or two that stand together, is part of `key`.
fn names_one_of(key: &str, list: &str) -> bool {
    let key = format!("_{key}_");
    words(list)
        .iter()
        .any(|word| key.contains(&format!("_{word}_")))
}

fn is_told(key: &str, schema: &Value) -> bool {
    let mut found = BTreeSet::new();
    types(schema, &mut found);
    let typed = TYPES.iter().filter(|(name, _)| found.contains(*name));
    let mut units = typed.map(|(_, unit)| names_one_of(key, unit));
    let is_plain = found.contains("number");
    let is_named = || [UNITS, COUNTED].iter().any(|list| names_one_of(key, list));
    units.all(|is_there| is_there)
        && (!is_plain || is_named() || words(DIMENSIONLESS).contains(key))
}

fn untold(schema: &Value, keys: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        let without = properties
            .iter()
            .filter(|(key, schema)| !is_told(key, schema));
        keys.extend(without.map(|(key, _)| key.clone()));
    }
    match schema {
        Value::Object(inner) => inner.values().for_each(|inner| untold(inner, keys)),
        Value::Array(inner) => inner.iter().for_each(|inner| untold(inner, keys)),
        _ => {}
    }
}

#[test]
fn every_quantity_says_its_unit() {
    let mut keys = BTreeSet::new();
    untold(
        &etalon_exchange::json_schema::<serde_json::Value, serde_json::Value>(),
        &mut keys,
    );
    assert!(keys.is_empty(), "no unit in the names of {keys:?}");
}

#[test]
fn a_key_without_its_unit_is_found() {
    for (key, schema) in [
        ("elapsed", serde_json::json!({"$ref": "#/$defs/Nanos"})),
        (
            "size",
            serde_json::json!({"anyOf": [{"$ref": "#/$defs/Bytes"}, {"type": "null"}]}),
        ),
        ("duration", serde_json::json!({"type": ["integer", "null"]})),
    ] {
        assert!(!is_told(key, &schema), "{key}");
    }
}
