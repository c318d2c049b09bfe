//! A whole experiment as one JSON document.

use std::io::Write;

use etalon_model::{EnvironmentRecord, Experiment, ExperimentHeader, Run, RunId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{CellJson, DocumentFormat, ExportError, told};

/// An experiment with its judged cells and the full record of every run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExperimentJson<'a> {
    /// Tells this document from others.
    pub format: DocumentFormat,
    /// The experiment's number, as every document has it.
    pub experiment: RunId,
    /// What, when, by which settings; its keys stand beside `format`.
    #[serde(flatten)]
    pub header: &'a ExperimentHeader,
    /// The cells, in the order of the table.
    pub cells: Vec<CellJson>,
    /// The machines and storage stacks that its runs were made on, each once; a run's
    /// `circumstances.environment.hash` names its own.
    pub environments: Vec<&'a EnvironmentRecord>,
    /// The runs, in the order in which they were made; of one that another program made, what its text told.
    #[serde(serialize_with = "told::runs")]
    pub runs: &'a [Run],
}

impl<'a> ExperimentJson<'a> {
    /// The document for `experiment`.
    pub fn of(experiment: &'a Experiment) -> ExperimentJson<'a> {
        let runs = &experiment.runs;
        ExperimentJson {
            format: DocumentFormat::Experiment,
            experiment: experiment.header.id,
            header: &experiment.header,
            cells: experiment
                .cells
                .iter()
                .map(|cell| CellJson::of(cell, runs))
                .collect(),
            environments: experiment.environments(),
            runs,
        }
    }
}

/// Writes `experiment` as one JSON document, indented, with a line end after it.
///
/// # Errors
/// [`ExportError::Json`] or [`ExportError::Flush`] when `out` takes no more.
pub fn to_json(experiment: &Experiment, mut out: impl Write) -> Result<(), ExportError> {
    // One way to write for all documents: each other one would be the code of every record once more.
    let text = serde_json::to_string_pretty(&ExperimentJson::of(experiment))?;
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;
    use etalon_model::SCHEMA_VERSION;
    use serde_json::Value;

    fn document() -> Value {
        let mut out = Vec::new();
        to_json(&experiment(), &mut out).unwrap();
        assert!(out.ends_with(b"}\n"));
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn header_cells_and_runs_stand_in_one_document() {
        let document = document();
        assert_eq!(document["format"], "etalon-experiment");
        assert_eq!(document["schema_version"], SCHEMA_VERSION);
        assert_eq!(document["id"], 7);
        assert_eq!(document["kind"], "measure");
        assert_eq!(document["state"], "finished");
        assert_eq!(document["target"]["path"], "/srv/data");
        assert_eq!(document["cells"][0]["median"], 550.0);
        let runs: Vec<Run> = serde_json::from_value(document["runs"].clone()).unwrap();
        let original = experiment().runs;
        assert_eq!(runs.len(), original.len());
        for (run, original) in runs.iter().zip(&original) {
            assert_eq!(run.measurement, original.measurement);
            assert_eq!(run.workload, original.workload);
        }
    }

    fn keys(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| {
                found.push(key.clone());
                // Facts are named by what they are of; the stack is that of `etalon stack --json`.
                if !matches!(key.as_str(), "facts" | "stack") {
                    keys(value, found);
                }
            }),
            Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_key_is_described() {
        let description = include_str!("../../../docs/schema.md");
        let mut found = Vec::new();
        keys(&document(), &mut found);
        assert!(found.len() > 100);
        let is_named = |key: &String| {
            let named = [format!("`{key}`"), format!("\"{key}\"")];
            named.iter().any(|name| description.contains(name))
        };
        found.retain(|key| !is_named(key));
        assert!(found.is_empty(), "docs/schema.md lacks {found:?}");
    }
}
