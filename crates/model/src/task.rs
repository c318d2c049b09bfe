//! Work that is no I/O of the engine: an operation on names, or a step of real work.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One part of a task, which is carried out whole and measured part by part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// `metadata`, the name of a real work, or that of a tool with a command line of its own.
    pub work: String,
    /// The operation on names, the step of the work, or the test of the tool.
    pub step: String,
    /// What is counted.
    pub figure: TaskFigure,
    /// Every parameter of the task with its value, defaults too.
    pub parameters: BTreeMap<String, String>,
}

/// What is counted of a part of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskFigure {
    /// Operations per second.
    Rate,
    /// Bytes per second: of each job over its own time, added up.
    Throughput,
    /// Seconds until everything was durable; fewer are better.
    Time,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Operation, Workload};

    #[test]
    fn a_task_survives_json_and_a_workload_of_before_has_none() {
        let task = Task {
            work: "archive".to_owned(),
            step: "unpack".to_owned(),
            figure: TaskFigure::Time,
            parameters: BTreeMap::from([("format".to_owned(), "zstd".to_owned())]),
        };
        let workload = Workload {
            operation: Operation::Task,
            task: Some(task),
            ..Workload::default()
        };
        let json = serde_json::to_string(&workload).unwrap();
        assert!(json.contains(r#""figure":"time""#), "{json}");
        assert_eq!(serde_json::from_str::<Workload>(&json).unwrap(), workload);
        let old: Workload = serde_json::from_str(r#"{"operation": "read"}"#).unwrap();
        assert_eq!(old.task, None);
    }
}
