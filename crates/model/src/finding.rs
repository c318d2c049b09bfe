//! What a check made of the records.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::SaidPart;

/// How much a finding weighs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; the figure stands.
    Info,
    /// The figure stands, with a reservation.
    Warn,
    /// The wrong thing was measured; more repetitions cannot help.
    Invalid,
}

/// One check's outcome on a run, a cell or a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The check's stable name, for example `page-cache`.
    pub code: String,
    /// How much it weighs.
    pub severity: Severity,
    /// One sentence with its figures.
    pub message: String,
    /// What to do about it.
    pub advice: String,
    /// The figures behind the sentence.
    pub evidence: Vec<Evidence>,
    /// Which runs of a cell it holds for; `None` of a single run and of what concerns all runs together.
    #[serde(default)]
    pub affected: Option<AffectedRuns>,
    /// What the sentence is made of; empty of what an older etalon kept, and of what is said in English only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<SaidPart>,
}

impl Finding {
    /// A finding of English words alone, without evidence.
    pub fn new(code: &str, severity: Severity, message: &str, advice: &str) -> Finding {
        Finding {
            code: code.to_owned(),
            severity,
            message: message.to_owned(),
            advice: advice.to_owned(),
            evidence: Vec::new(),
            affected: None,
            said: Vec::new(),
        }
    }

    /// Whether one run of many has it. What an older etalon kept says so in its sentence alone.
    pub fn is_of_one_run(&self) -> bool {
        match self.affected {
            Some(affected) => affected.runs_affected == 1 && affected.runs > 1,
            None => self.message.contains("(in 1 of "),
        }
    }
}

/// How many runs of a cell a finding holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AffectedRuns {
    /// The runs that it holds for.
    pub runs_affected: u32,
    /// All runs of the cell, those left out of its figures too.
    pub runs: u32,
    /// Whether the runs that it holds for were left out of the figures.
    pub left_out: bool,
}

/// One figure behind a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// What the figure is; its unit ends the name.
    pub name: String,
    /// The figure.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub value: f64,
}

impl Evidence {
    /// A named figure.
    pub fn new(name: &str, value: f64) -> Evidence {
        Evidence {
            name: name.to_owned(),
            value,
        }
    }
}
