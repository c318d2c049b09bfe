//! What an arm was measured on.

use etalon_model::{EnvironmentRecord, TargetRecord};

/// One arm with what it was measured on.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// What the user called it.
    pub typed: &'a str,
    /// What was measured.
    pub target: &'a TargetRecord,
    /// The machine and storage stack; `None` where none is kept.
    pub environment: Option<&'a EnvironmentRecord>,
    /// The version of etalon that measured it.
    pub tool_version: &'a str,
}
