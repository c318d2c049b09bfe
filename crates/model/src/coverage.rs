//! Which checks were done on a run or a cell.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of one check: silence of a check means that nothing was found only where it was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckCoverage {
    /// The check's code.
    pub code: &'static str,
    /// Whether it was done.
    pub state: CheckState,
    /// Why it could not be done, or what it asks of a run that this one has not; `null` where it
    /// was done.
    pub reason: Option<Cow<'static, str>>,
}

/// Whether a check was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckState {
    /// It had all that it looks at; what it found stands among the findings.
    Done,
    /// What it looks at was not there.
    NotPossible,
    /// It asks of something that this kind of run does not have.
    DoesNotApply,
}
