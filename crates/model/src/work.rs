//! What is done to a target: I/O of the engine, or a part of a task.

use std::fmt;

use etalon_units::Bytes;
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::{CacheMode, IoWorkload, TaskFigure, TaskWorkload};

/// What is done to a target.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Workload {
    /// I/O of the engine.
    Io(IoWorkload),
    /// A part of a task, which other rooms than the engine carry out.
    Task(TaskWorkload),
}

impl Default for Workload {
    fn default() -> Self {
        Workload::Io(IoWorkload::default())
    }
}

impl From<IoWorkload> for Workload {
    fn from(io: IoWorkload) -> Self {
        Workload::Io(io)
    }
}

impl From<TaskWorkload> for Workload {
    fn from(task: TaskWorkload) -> Self {
        Workload::Task(task)
    }
}

impl Workload {
    /// The I/O; `None` for a task.
    pub fn io(&self) -> Option<&IoWorkload> {
        match self {
            Workload::Io(io) => Some(io),
            Workload::Task(_) => None,
        }
    }

    /// The I/O, to be changed.
    pub fn io_mut(&mut self) -> Option<&mut IoWorkload> {
        match self {
            Workload::Io(io) => Some(io),
            Workload::Task(_) => None,
        }
    }

    /// The part of a task; `None` for I/O.
    pub fn task(&self) -> Option<&TaskWorkload> {
        match self {
            Workload::Io(_) => None,
            Workload::Task(task) => Some(task),
        }
    }

    /// The part of a task, to be changed.
    pub fn task_mut(&mut self) -> Option<&mut TaskWorkload> {
        match self {
            Workload::Io(_) => None,
            Workload::Task(task) => Some(task),
        }
    }

    /// The state of the page cache that a run starts from, where the workload declares one.
    pub fn cache(&self) -> Option<CacheMode> {
        match self {
            Workload::Io(io) => Some(io.cache),
            Workload::Task(task) => task.cache,
        }
    }

    /// Size of one operation, where all have the same.
    pub fn block_size(&self) -> Option<Bytes> {
        match self {
            Workload::Io(io) => io.block_size.one(),
            Workload::Task(task) => task.block_size,
        }
    }

    /// Threads or processes at work, where it is known.
    pub fn jobs(&self) -> Option<u32> {
        match self {
            Workload::Io(io) => Some(io.jobs),
            Workload::Task(task) => task.jobs,
        }
    }

    /// Operations under way at once of each of them, where several can be and it is known.
    pub fn queue_depth(&self) -> Option<u32> {
        match self {
            Workload::Io(io) => io.uses("queue_depth").then_some(io.queue_depth),
            Workload::Task(task) => task.queue_depth,
        }
    }

    /// What decides every random choice; `None` where there is none.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Workload::Io(io) => Some(io.seed),
            Workload::Task(task) => task.seed,
        }
    }
}

/// Records of schema 1 have no `type`: there a task stood upon the options of I/O, with parameters
/// as texts.
impl<'de> Deserialize<'de> for Workload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Record)
    }
}

/// Reads a record. Its `type` is written first, and what follows is then read as it comes, without a copy of the values.
struct Record;

impl<'de> Visitor<'de> for Record {
    type Value = Workload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a workload, which is a map of its parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Workload, A::Error> {
        let mut fields = Map::new();
        if let Some(first) = map.next_key::<String>()? {
            let value: Value = map.next_value()?;
            match (first.as_str(), value.as_str()) {
                ("type", Some("task")) => {
                    let rest = MapAccessDeserializer::new(map);
                    return TaskWorkload::deserialize(rest).map(Workload::Task);
                }
                ("type", Some("io")) => {
                    let rest = MapAccessDeserializer::new(map);
                    return match IoRecord::deserialize(rest)? {
                        IoRecord::Today(io) => Ok(Workload::Io(io)),
                        IoRecord::Any(fields) => io(fields).map_err(A::Error::custom),
                    };
                }
                _ => fields.insert(first, value),
            };
        }
        while let Some((key, value)) = map.next_entry()? {
            fields.insert(key, value);
        }
        of_any(fields).map_err(A::Error::custom)
    }
}

/// What a record of I/O may hold.
#[derive(Deserialize)]
#[expect(clippy::large_enum_variant, reason = "it lives for one match")]
#[serde(untagged)]
enum IoRecord {
    /// As it is written today: the bulk, and read without a map.
    Today(IoWorkload),
    /// An earlier one, or one with a fault, whose reason the fields give.
    Any(Map<String, Value>),
}

fn of_any(mut fields: Map<String, Value>) -> serde_json::Result<Workload> {
    let kind = fields.remove("type");
    match kind.as_ref().map(Value::as_str) {
        Some(Some("io")) => io(fields),
        Some(Some("task")) => serde_json::from_value(Value::Object(fields)).map(Workload::Task),
        Some(_) => {
            let kind = kind.unwrap_or_default();
            Err(serde_json::Error::custom(format!(
                "{kind} is no kind of workload; there are \"io\" and \"task\""
            )))
        }
        None => of_schema_1(fields),
    }
}

/// Earlier records had the operations on names among those of the engine, and their number of files
/// in every workload.
fn io(mut fields: Map<String, Value>) -> serde_json::Result<Workload> {
    let files = fields.remove("files");
    match fields.get("operation").and_then(Value::as_str) {
        Some(step @ ("create" | "stat" | "unlink")) => Ok(names(step, files.as_ref(), &fields)),
        _ => serde_json::from_value(Value::Object(fields)).map(Workload::Io),
    }
}

/// What the engine did to files by their names, as it is told of the metadata operations.
fn names(step: &str, files: Option<&Value>, fields: &Map<String, Value>) -> Workload {
    let number = |value: Option<&Value>, default| value.and_then(Value::as_u64).unwrap_or(default);
    let parameters = [
        ("files", "1000".to_owned()),
        ("files_in_all", number(files, 1000).to_string()),
        ("jobs", number(fields.get("jobs"), 1).to_string()),
        ("directories", "own".to_owned()),
        ("durability", "never".to_owned()),
        ("order", "created".to_owned()),
    ];
    let parameters = parameters.map(|(name, value)| (name.to_owned(), value));
    let task = TaskWorkload::of_texts("metadata", step, TaskFigure::Rate, parameters.into());
    Workload::Task(TaskWorkload {
        seed: fields.get("seed").and_then(Value::as_u64),
        ..task
    })
}

fn of_schema_1(mut fields: Map<String, Value>) -> serde_json::Result<Workload> {
    let task = fields.remove("task").filter(|task| !task.is_null());
    let Some(task) = task else {
        return io(fields);
    };
    let task: Task1 = serde_json::from_value(task)?;
    let seed = fields.get("seed").and_then(Value::as_u64);
    let mut new = TaskWorkload::of_texts(&task.work, &task.step, task.figure, task.parameters);
    // The tools that have no seed wrote a zero.
    new.seed = seed.filter(|seed| *seed != 0);
    Ok(Workload::Task(new))
}

/// A task of schema 1.
#[derive(Deserialize)]
struct Task1 {
    work: String,
    step: String,
    figure: TaskFigure,
    parameters: std::collections::BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operation;

    #[test]
    fn both_kinds_survive_json_and_say_what_they_are() {
        let io = Workload::from(IoWorkload {
            operation: Operation::Write,
            ..IoWorkload::default()
        });
        let texts = [("format".to_owned(), "zstd".to_owned())].into();
        let task = TaskWorkload::of_texts("archive", "unpack", TaskFigure::Time, texts);
        for (workload, kind) in [(io, "io"), (task.into(), "task")] {
            let json = serde_json::to_value(&workload).unwrap();
            assert_eq!(json["type"], kind);
            assert_eq!(json.get("cache").is_some(), kind == "io", "{json}");
            let back: Workload = serde_json::from_value(json).unwrap();
            assert_eq!(back, workload);
        }
    }

    #[test]
    fn schema_1_is_read_and_defaults_of_io_are_no_part_of_a_task() {
        let old = r#"{"operation": "read", "block_size": 8192, "task": null, "seed": 3}"#;
        let io: Workload = serde_json::from_str(old).unwrap();
        assert_eq!(io.block_size(), Some(Bytes(8192)));
        assert_eq!(io.seed(), Some(3));
        let old = r#"{"operation": "task", "block_size": 4096, "queue_depth": 1, "seed": 0, "task":
            {"work": "iozone", "step": "write", "figure": "throughput", "parameters":
             {"record": "1 MiB", "queue": "{\"copied\":true,\"records\":32}", "sync": ""}}}"#;
        let task: Workload = serde_json::from_str(old).unwrap();
        assert_eq!(task.block_size(), Some(Bytes::mib(1)));
        assert_eq!(
            (task.queue_depth(), task.seed(), task.jobs()),
            (Some(32), None, None)
        );
    }

    #[test]
    fn operations_on_names_of_earlier_records_are_metadata_operations() {
        for text in [
            r#"{"operation": "stat", "files": 50, "jobs": 2, "task": null, "seed": 3}"#,
            r#"{"type": "io", "operation": "stat", "files": 50, "jobs": 2, "seed": 3}"#,
        ] {
            let workload: Workload = serde_json::from_str(text).unwrap();
            let task = workload.task().unwrap();
            let is = (&*task.work, &*task.step, task.figure);
            assert_eq!(is, ("metadata", "stat", TaskFigure::Rate));
            assert_eq!((workload.jobs(), workload.seed()), (Some(2), Some(3)));
            assert_eq!(task.parameters["files_in_all"].to_string(), "50");
        }
        let data = r#"{"type": "io", "operation": "read", "files": 1000}"#;
        let data: Workload = serde_json::from_str(data).unwrap();
        assert_eq!(data.io().unwrap().operation, Operation::Read);
    }

    #[test]
    fn an_unknown_kind_or_field_is_refused() {
        for text in [
            r#"{"type": "dream"}"#,
            r#"{"type": 7}"#,
            r#"{"type": "io", "blocksize": 4096}"#,
            r#"{"operation": "read", "blocksize": 4096}"#,
        ] {
            assert!(serde_json::from_str::<Workload>(text).is_err(), "{text}");
        }
    }
}
