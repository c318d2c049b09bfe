//! What every JSON document begins with.

use etalon_model::{RunId, SCHEMA_VERSION, TargetRecord};
use schemars::JsonSchema;
use serde::Serialize;

use crate::ExportError;

/// One JSON document: what it is, of which experiment and target, and what it holds beside that.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Envelope<'a, T> {
    /// Tells this document from others.
    pub format: DocumentFormat,
    /// The version of its schema.
    pub schema_version: u32,
    /// The command that made it, or the experiment in it.
    pub kind: &'a str,
    /// The experiment's number in the store; `null` where there is none, or it is not kept.
    pub experiment: Option<RunId>,
    /// What was measured or looked at; `null` where it is no single target.
    pub target: Option<&'a TargetRecord>,
    /// The keys of its own.
    #[serde(flatten)]
    pub body: T,
}

/// The kinds of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum DocumentFormat {
    /// The cells that a command measured.
    #[serde(rename = "etalon-summary")]
    Summary,
    /// What a tool with lines of its own measured.
    #[serde(rename = "etalon-tool")]
    Tool,
    /// A whole experiment with its runs.
    #[serde(rename = "etalon-experiment")]
    Experiment,
    /// The machine and storage stack of an experiment.
    #[serde(rename = "etalon-environment")]
    Environment,
    /// The experiments of a store.
    #[serde(rename = "etalon-list")]
    List,
    /// What was changed in a store.
    #[serde(rename = "etalon-changed")]
    Changed,
    /// Cells side by side.
    #[serde(rename = "etalon-comparison")]
    Comparison,
    /// How a target varies.
    #[serde(rename = "etalon-passport")]
    Passport,
    /// What lies beneath a target.
    #[serde(rename = "etalon-stack")]
    Stack,
    /// What disks and machine did.
    #[serde(rename = "etalon-samples")]
    Samples,
    /// The checks that there are.
    #[serde(rename = "etalon-checks")]
    Checks,
    /// The real works that there are.
    #[serde(rename = "etalon-works")]
    Works,
    /// What is wrong with a published measurement.
    #[serde(rename = "etalon-review")]
    Review,
    /// Whether a file's figures follow from its runs.
    #[serde(rename = "etalon-verified")]
    Verified,
    /// The plans that come with etalon.
    #[serde(rename = "etalon-presets")]
    Presets,
    /// Modelled disks, what was simulated with them, and what guests need.
    #[serde(rename = "etalon-lab")]
    Lab,
    /// What a killed run had left behind.
    #[serde(rename = "etalon-restored")]
    Restored,
}

impl<'a, T: Serialize> Envelope<'a, T> {
    /// A document of no experiment and no target.
    pub fn new(format: DocumentFormat, kind: &'a str, body: T) -> Envelope<'a, T> {
        Envelope {
            format,
            schema_version: SCHEMA_VERSION,
            kind,
            experiment: None,
            target: None,
            body,
        }
    }

    /// The same of this target.
    pub fn on(self, target: &'a TargetRecord) -> Envelope<'a, T> {
        Envelope {
            target: Some(target),
            ..self
        }
    }

    /// The same of the experiment with this number.
    pub fn of(self, experiment: Option<RunId>) -> Envelope<'a, T> {
        Envelope { experiment, ..self }
    }

    /// Its text, indented, with a line end.
    ///
    /// # Errors
    /// [`ExportError::Json`] for a body that is no object.
    pub fn to_text(&self) -> Result<String, ExportError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_begins_with_what_it_is() {
        let target = TargetRecord::default();
        let body = serde_json::json!({"body": []});
        let text = Envelope::new(DocumentFormat::Checks, "checks", body)
            .on(&target)
            .of(Some(7))
            .to_text()
            .unwrap();
        let keys = [
            "format",
            "schema_version",
            "kind",
            "experiment",
            "target",
            "body",
        ];
        let places: Vec<_> = keys.map(|key| text.find(&format!("\"{key}\""))).into();
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
            "{text}"
        );
        assert!(text.contains("\"etalon-checks\""));
    }
}
