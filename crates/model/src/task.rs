//! Work that is no I/O of the engine: an operation on names, a step of real work, a tool's test.

use std::collections::BTreeMap;
use std::fmt;

use etalon_units::Bytes;
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::CacheMode;

/// One part of a task, which is carried out whole and measured part by part.
///
/// What a task does not have, or what is not known of it, is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskWorkload {
    /// `metadata`, the name of a real work, or that of a tool with a command line of its own.
    pub work: String,
    /// The operation on names, the step of the work, or the test of the tool.
    pub step: String,
    /// What is counted.
    pub figure: TaskFigure,
    /// Size of one operation, where all have the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "block_size_bytes", alias = "block_size")]
    pub block_size: Option<Bytes>,
    /// Size of each file, where all have the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "file_size_bytes", alias = "file_size")]
    pub file_size: Option<Bytes>,
    /// Threads or processes at work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u32>,
    /// Operations under way at once of each of them, where several can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_depth: Option<u32>,
    /// Decides every random choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The state of the page cache that it starts from, where it declares one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheMode>,
    /// Every parameter that is set, with its value; defaults too.
    pub parameters: BTreeMap<String, Parameter>,
}

/// What is counted of a part of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaskFigure {
    /// Operations per second.
    Rate,
    /// Bytes per second: of each job over its own time, added up.
    Throughput,
    /// Seconds until everything was durable; fewer are better.
    Time,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Parameter {
    /// On; what is off is absent.
    Switch(bool),
    /// A number without a unit.
    Count(u64),
    /// A size.
    Size {
        /// In bytes.
        bytes: Bytes,
    },
    /// A word, a name or a path; a size as it was typed for a tool with suffixes of its own.
    Text(String),
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Parameter::Switch(true) => f.write_str("yes"),
            Parameter::Switch(false) => f.write_str("no"),
            Parameter::Count(count) => count.fmt(f),
            Parameter::Size { bytes } => bytes.fmt(f),
            Parameter::Text(text) => f.write_str(text),
        }
    }
}

/// What kind it is shows by itself; trying one kind after the other would make an error for each that it is not.
impl<'de> Deserialize<'de> for Parameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyParameter)
    }
}

struct AnyParameter;

#[derive(Deserialize)]
struct SizeParameter {
    bytes: Bytes,
}

impl<'de> Visitor<'de> for AnyParameter {
    type Value = Parameter;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a boolean, a whole number, a text, or a size as {\"bytes\": N}")
    }

    fn visit_bool<E>(self, is_on: bool) -> Result<Parameter, E> {
        Ok(Parameter::Switch(is_on))
    }

    fn visit_u64<E>(self, count: u64) -> Result<Parameter, E> {
        Ok(Parameter::Count(count))
    }

    fn visit_str<E>(self, text: &str) -> Result<Parameter, E> {
        Ok(Parameter::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Parameter, A::Error> {
        let SizeParameter { bytes } = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Parameter::Size { bytes })
    }
}

impl Parameter {
    /// The value that stands behind its text; `None` for the empty text of what is off.
    ///
    /// Only a text that is written back as it was is taken for a number or a size: dd's `4k` is not.
    pub fn of_text(text: &str) -> Option<Parameter> {
        let count = || text.parse().ok().map(Parameter::Count);
        let size = || text.parse().ok().map(|bytes| Parameter::Size { bytes });
        let is_same = |value: &Parameter| value.to_string() == text;
        match text {
            "" => None,
            "yes" => Some(Parameter::Switch(true)),
            _ => count()
                .filter(is_same)
                .or_else(|| size().filter(is_same))
                .or_else(|| Some(Parameter::Text(text.to_owned()))),
        }
    }

    fn bytes(&self) -> Option<Bytes> {
        match self {
            Parameter::Size { bytes } => Some(*bytes),
            _ => None,
        }
    }

    fn count(&self) -> Option<u32> {
        match self {
            Parameter::Count(count) => u32::try_from(*count).ok(),
            _ => None,
        }
    }
}

impl TaskWorkload {
    /// The step of a work with its parameters as texts, empty where something is off; a text that is
    /// a JSON object stands for parameters of its own, `queue.records` for one.
    pub fn of_texts(
        work: &str,
        step: &str,
        figure: TaskFigure,
        texts: BTreeMap<String, String>,
    ) -> TaskWorkload {
        let mut task = TaskWorkload {
            work: work.to_owned(),
            step: step.to_owned(),
            figure,
            block_size: None,
            file_size: None,
            jobs: None,
            queue_depth: None,
            seed: None,
            cache: None,
            parameters: BTreeMap::new(),
        };
        texts.iter().for_each(|(name, text)| task.put(name, text));
        task.fill();
        task
    }

    fn put(&mut self, name: &str, text: &str) {
        let parts = serde_json::from_str::<serde_json::Value>(text).ok();
        if let Some(serde_json::Value::Object(parts)) = parts {
            for (part, value) in parts {
                self.put(&format!("{name}.{part}"), &plain(&value));
            }
        } else if let Some(value) = Parameter::of_text(text) {
            self.parameters.insert(name.to_owned(), value);
        }
    }

    /// Gives the fields that every workload may have their values out of the parameters that say so.
    fn fill(&mut self) {
        let get = |name: &str| self.parameters.get(name);
        let (block, file, jobs, depth) = match self.work.as_str() {
            // Without -H each record waits for the one before, and there is no queue.
            "iozone" => (
                get("record").and_then(Parameter::bytes),
                get("size").and_then(Parameter::bytes),
                get("workers").and_then(Parameter::count),
                get("queue.records").and_then(Parameter::count),
            ),
            "metadata" => (
                get("block_size").and_then(Parameter::bytes),
                get("file_size").and_then(Parameter::bytes),
                get("jobs").and_then(Parameter::count),
                None,
            ),
            "dd" | "hdparm" => (None, None, Some(1), None),
            "fdtree" => (
                None,
                get("file_size").and_then(Parameter::bytes),
                Some(1),
                None,
            ),
            _ => (None, None, None, None),
        };
        (self.block_size, self.file_size) = (block, file);
        (self.jobs, self.queue_depth) = (jobs, depth);
    }
}

fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null | serde_json::Value::Bool(false) => String::new(),
        serde_json::Value::Bool(true) => "yes".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iozone(texts: &[(&str, &str)]) -> TaskWorkload {
        let texts = texts
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        TaskWorkload::of_texts("iozone", "write", TaskFigure::Throughput, texts.collect())
    }

    #[test]
    fn parameters_have_the_type_of_what_they_say() {
        let size = Parameter::Size {
            bytes: Bytes::mib(1),
        };
        for (text, value) in [
            ("", None),
            ("yes", Some(Parameter::Switch(true))),
            ("17", Some(Parameter::Count(17))),
            ("1 MiB", Some(size)),
            ("4k", Some(Parameter::Text("4k".to_owned()))),
            ("007", Some(Parameter::Text("007".to_owned()))),
        ] {
            assert_eq!(Parameter::of_text(text), value, "{text}");
            let json = serde_json::to_string(&value).unwrap();
            let back: Option<Parameter> = serde_json::from_str(&json).unwrap();
            assert_eq!(back, value, "{json}");
        }
    }

    #[test]
    fn record_depth_and_workers_of_iozone_are_those_of_the_workload() {
        let task = iozone(&[
            ("record", "1 MiB"),
            ("size", "4 MiB"),
            ("workers", "2"),
            ("queue", r#"{"copied":true,"records":32}"#),
            ("sync", ""),
        ]);
        assert_eq!(task.block_size, Some(Bytes::mib(1)));
        assert_eq!(task.file_size, Some(Bytes::mib(4)));
        assert_eq!((task.jobs, task.queue_depth), (Some(2), Some(32)));
        assert!(
            !task.parameters.contains_key("sync"),
            "what is off is absent"
        );
        assert_eq!(iozone(&[]).queue_depth, None);
    }
}
