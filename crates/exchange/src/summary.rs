//! What one command found, as one JSON document without the single runs.

use etalon_model::{Comparison, FactorInteraction};
use schemars::JsonSchema;
use serde::Serialize;

use crate::CellJson;

/// What a measuring command prints beyond the envelope.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SummaryBody<'a> {
    /// What was chosen and why, a sentence each.
    pub choices: Vec<String>,
    /// The cells that have no row, since their runs took more time than there was.
    pub dropped: Vec<&'a str>,
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
    /// Cells side by side, of `together` and `run`; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparisons: Option<Vec<Comparison>>,
    /// Of `run`: every interaction of two factors that was tried; missing of all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactions: Option<Vec<FactorInteraction>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{cell, experiment, run};
    use crate::{DocumentFormat, Envelope};

    #[test]
    fn every_key_is_described() {
        let body = SummaryBody {
            choices: vec!["because".to_owned()],
            dropped: vec!["create files"],
            forecast: Some("so".to_owned()),
            seed: 1,
            elapsed_ns: 2,
            interrupted: false,
            failure: Some("a disk"),
            cells: vec![CellJson::of(&cell(), &[run(0)])],
            comparisons: None,
            interactions: None,
        };
        let experiment = experiment();
        let document = Envelope::new(DocumentFormat::Summary, "quick", body);
        let document = document.on(&experiment.header.begun.target).of(Some(3));
        let document = serde_json::to_value(document).unwrap();
        assert_eq!(document["format"], "etalon-summary");
        assert_eq!(document["cells"][0]["unit"], "op/s");
        let description = include_str!("../../../docs/schema.md");
        for key in document.as_object().unwrap().keys() {
            assert!(description.contains(&format!("`{key}`")), "{key}");
        }
    }
}
