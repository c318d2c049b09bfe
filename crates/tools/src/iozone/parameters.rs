//! The settings of a cell by their names, for its record.

use std::collections::BTreeMap;
use std::path::PathBuf;

use etalon_file_ops::Settings;
use serde_json::{Map, Value};

use super::Options;

/// Settings that say which random numbers were drawn, or what the lists of the options say.
const OMITTED_SETTINGS: [&str; 2] = ["seed", "lists"];

/// The share of readers where every other worker reads.
const ALTERNATING: u8 = 50;

/// Every setting with its value; what is off is empty.
pub(crate) fn parameters(
    settings: &Settings,
    options: &Options,
    workers: Option<usize>,
) -> BTreeMap<String, String> {
    let fields = |settings: &Settings| match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let usual = fields(&Settings::default());
    let mut named = BTreeMap::new();
    for (name, value) in fields(settings) {
        // What has parts of its own is off where nothing of it was asked for.
        let is_off = value.is_object() && usual.get(&name) == Some(&value);
        let text = if is_off { String::new() } else { plain(&value) };
        if !OMITTED_SETTINGS.contains(&name.as_str()) {
            named.insert(name, text);
        }
    }
    let path = |path: &Option<PathBuf>| {
        let shown = path.as_ref().map(|path| path.display().to_string());
        shown.unwrap_or_default()
    };
    let read_percent = options.read_percent.unwrap_or(ALTERNATING);
    named.extend(
        [
            ("size", settings.size.to_string()),
            ("record", settings.record.to_string()),
            ("workers", workers.unwrap_or(1).to_string()),
            ("threads", plain(&Value::Bool(options.threads))),
            ("remounted", path(&options.remount)),
            ("write_list", path(&options.write_list)),
            ("read_list", path(&options.read_list)),
            ("read_percent", read_percent.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    named
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(false) => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
