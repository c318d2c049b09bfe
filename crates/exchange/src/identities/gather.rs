//! The words of a storage stack that are hidden in every text.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::keys::{is_identity, kind_of};

/// Mount options that name a server or a user.
const OPTIONS: [&str; 8] = [
    "addr",
    "clientaddr",
    "domain",
    "mountaddr",
    "name",
    "source",
    "user",
    "username",
];

/// Puts the words of `value` that are hidden in every text into `found`.
pub(super) fn gather(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|inner| gather(inner, found)),
        Value::Object(entries) => {
            let kind = kind_of(entries);
            for (key, inner) in entries {
                if is_identity(kind.as_deref(), key) {
                    texts(inner, &mut |text| {
                        let is_server = kind.as_deref() == Some("network");
                        found.extend((is_server || is_distinctive(text)).then(|| text.to_owned()));
                    });
                }
                gather(inner, found);
            }
            compounds(entries, found);
        }
        _ => {}
    }
}

fn texts(value: &Value, take: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => take(text),
        Value::Array(values) => values.iter().for_each(|inner| texts(inner, take)),
        _ => {}
    }
}

/// What is named by a part of a text, or by two of them.
fn compounds(entries: &Map<String, Value>, found: &mut BTreeSet<String>) {
    let text = |key: &str| entries.get(key).and_then(Value::as_str);
    let volume = text("vg").zip(text("lv"));
    found.extend(volume.map(|(vg, lv)| format!("{vg}/{lv}")));
    // Of a mount: `server:/export`.
    let source = text("source").filter(|_| entries.contains_key("fs_type"));
    let server = source.and_then(|source| Some(source.split_once(":/")?.0.to_owned()));
    found.extend(server.filter(|server| !server.contains('/')));
    // Of NVMe over a network: `traddr=10.0.0.2,trsvcid=4420`.
    let address = text("address")
        .into_iter()
        .flat_map(|address| address.split(','));
    let address = address.filter_map(|part| part.split_once("addr="));
    found.extend(address.map(|(_, value)| value.to_owned()));
    ["options", "super_options"]
        .iter()
        .for_each(|key| options(entries.get(*key), found));
}

fn options(all: Option<&Value>, found: &mut BTreeSet<String>) {
    let all = all.and_then(Value::as_array).into_iter().flatten();
    let pairs = all.filter_map(|option| option.as_str()?.split_once('='));
    let named = pairs.filter(|(key, _)| OPTIONS.contains(key));
    found.extend(named.map(|(_, value)| value.to_owned()));
}

/// A word that is told from those of a sentence by a digit or a sign.
fn is_distinctive(word: &str) -> bool {
    word.chars()
        .any(|c| c.is_ascii_digit() || "/:._-".contains(c))
}
