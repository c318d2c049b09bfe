//! A storage stack with what it names hidden, by the keys of its record.

use serde_json::Value;

use super::keys::{is_identity, kind_of};
use super::words::Words;

/// Hides what `value` names.
pub(super) fn hide(value: &mut Value, words: &Words<'_>) {
    match value {
        Value::String(text) => *text = words.hide(text),
        Value::Array(values) => values.iter_mut().for_each(|inner| hide(inner, words)),
        Value::Object(entries) => {
            let kind = kind_of(entries);
            for (key, inner) in entries {
                match is_identity(kind.as_deref(), key) {
                    true => hide_whole(inner, words),
                    false => hide(inner, words),
                }
            }
        }
        _ => {}
    }
}

fn hide_whole(value: &mut Value, words: &Words<'_>) {
    match value {
        Value::String(text) => *text = words.pseudonym(text),
        Value::Array(values) => values.iter_mut().for_each(|inner| hide_whole(inner, words)),
        _ => {}
    }
}
