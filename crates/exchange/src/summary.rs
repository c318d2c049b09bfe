//! What one command found, as one JSON document without the single runs.

use etalon_model::{ExperimentKind, RunId, SCHEMA_VERSION, TargetRecord};
use serde::Serialize;

use crate::CellJson;

/// The document of `etalon quick --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SummaryJson<'a> {
    /// Tells this document from others: always `etalon-summary`.
    pub format: &'static str,
    /// The version of this schema.
    pub schema_version: u32,
    /// Which command made it.
    pub kind: ExperimentKind,
    /// The experiment's number in the store; `null` when it is not kept.
    pub experiment: Option<RunId>,
    /// What was measured.
    pub target: &'a TargetRecord,
    /// What was chosen and why, a sentence each.
    pub choices: &'a [String],
    /// What the noise of the first blocks promised, in a sentence.
    pub forecast: Option<String>,
    /// Decides every random choice.
    pub seed: u64,
    /// How long it took.
    pub elapsed_ns: u64,
    /// True when it was stopped; the cells then cover what had finished.
    pub interrupted: bool,
    /// What ended it before its end, in a sentence; the cells then cover what had finished.
    pub failure: Option<&'a str>,
    /// The cells, in the order of the table.
    pub cells: Vec<CellJson>,
}

impl SummaryJson<'_> {
    /// What `format` says.
    pub const FORMAT: &'static str = "etalon-summary";
    /// What `schema_version` says.
    pub const VERSION: u32 = SCHEMA_VERSION;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{cell, experiment, run};

    #[test]
    fn every_key_is_described() {
        let document = SummaryJson {
            format: SummaryJson::FORMAT,
            schema_version: SummaryJson::VERSION,
            kind: ExperimentKind::Quick,
            experiment: Some(3),
            target: &experiment().header.begun.target,
            choices: &["because".to_owned()],
            forecast: Some("so".to_owned()),
            seed: 1,
            elapsed_ns: 2,
            interrupted: false,
            failure: Some("a disk"),
            cells: vec![CellJson::of(&cell(), &[run(0)])],
        };
        let document = serde_json::to_value(document).unwrap();
        assert_eq!(document["format"], "etalon-summary");
        assert_eq!(document["cells"][0]["unit"], "op/s");
        let description = include_str!("../../../docs/schema.md");
        for key in document.as_object().unwrap().keys() {
            assert!(description.contains(&format!("`{key}`")), "{key}");
        }
    }
}
