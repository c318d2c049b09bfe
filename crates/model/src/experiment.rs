//! A set of runs that answer one question, and when it was asked.

use std::fmt;
use std::str::FromStr;

use etalon_units::Nanos;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Cell, Choice, EnvironmentMark, EnvironmentRecord, Run, RunId, TargetRecord, UnknownName,
};

/// Which command made an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExperimentKind {
    /// The one-minute check of a target.
    Quick,
    /// One workload, spelled out.
    Measure,
    /// Ten times the same, to know the noise.
    Passport,
    /// A plan: one thing varied.
    Plan,
    /// Several workloads at once.
    Together,
    /// Operations on names.
    Metadata,
    /// Real work, step by step.
    Work,
    /// Copies, as dd makes them.
    Dd,
    /// Devices read as hdparm reads them.
    Hdparm,
    /// Operations on files, as iozone carries them out.
    Iozone,
    /// Trees of directories and files, as fdtree makes them.
    Fdtree,
    /// Figures that other programs measured and printed.
    Imported,
}

impl ExperimentKind {
    /// Every kind.
    pub const ALL: [ExperimentKind; 12] = [
        ExperimentKind::Quick,
        ExperimentKind::Measure,
        ExperimentKind::Passport,
        ExperimentKind::Plan,
        ExperimentKind::Together,
        ExperimentKind::Metadata,
        ExperimentKind::Work,
        ExperimentKind::Dd,
        ExperimentKind::Hdparm,
        ExperimentKind::Iozone,
        ExperimentKind::Fdtree,
        ExperimentKind::Imported,
    ];

    /// The name in records and stores.
    pub const fn name(self) -> &'static str {
        match self {
            ExperimentKind::Quick => "quick",
            ExperimentKind::Measure => "measure",
            ExperimentKind::Passport => "passport",
            ExperimentKind::Plan => "plan",
            ExperimentKind::Together => "together",
            ExperimentKind::Metadata => "metadata",
            ExperimentKind::Work => "work",
            ExperimentKind::Dd => "dd",
            ExperimentKind::Hdparm => "hdparm",
            ExperimentKind::Iozone => "iozone",
            ExperimentKind::Fdtree => "fdtree",
            ExperimentKind::Imported => "imported",
        }
    }
}

/// How far an experiment got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExperimentState {
    /// It was begun, and nothing has said yet that it ended.
    Running,
    /// All of its runs were made and judged.
    Finished,
    /// It was stopped or killed; the runs made until then are kept.
    Interrupted,
}

impl ExperimentState {
    /// Every state.
    pub const ALL: [ExperimentState; 3] = [
        ExperimentState::Running,
        ExperimentState::Finished,
        ExperimentState::Interrupted,
    ];

    /// The name in records and stores.
    pub const fn name(self) -> &'static str {
        match self {
            ExperimentState::Running => "running",
            ExperimentState::Finished => "finished",
            ExperimentState::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for ExperimentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for ExperimentState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ExperimentKind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        ExperimentKind::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| UnknownName {
                what: "kind of experiment",
                input: text.to_owned(),
                choices: ExperimentKind::ALL.map(ExperimentKind::name).join(", "),
            })
    }
}

impl FromStr for ExperimentState {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        ExperimentState::ALL
            .into_iter()
            .find(|state| state.name() == text)
            .ok_or_else(|| UnknownName {
                what: "state of an experiment",
                input: text.to_owned(),
                choices: ExperimentState::ALL.map(ExperimentState::name).join(", "),
            })
    }
}

/// What is known of an experiment before its first run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewExperiment {
    /// Which command makes it.
    pub kind: ExperimentKind,
    /// When it was begun, in nanoseconds since 1970-01-01 UTC.
    pub started_unix_ns: i64,
    /// What is measured.
    pub target: TargetRecord,
    /// The command's options as they were resolved, as free JSON.
    pub settings: serde_json::Value,
    /// Decides every random choice.
    pub seed: u64,
    /// The version of etalon that makes it.
    pub tool_version: String,
    /// The process that makes it, in a form that its maker can later test for being alive; `None`
    /// when that will never be asked.
    pub owner: Option<String>,
}

/// An experiment without its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExperimentHeader {
    /// Its number in the store that it was read from.
    pub id: RunId,
    /// The version of the records within, see [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// How far it got.
    pub state: ExperimentState,
    /// When it ended, in nanoseconds since 1970-01-01 UTC; `None` while it runs.
    pub ended_unix_ns: Option<i64>,
    /// What its sessions took together, without what lies between them; `None` where nobody told, as of one that was killed,
    /// of older versions and of figures that were imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ns: Option<Nanos>,
    /// What was chosen for the user by its end; older stores and documents lack it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// What was known before its first run.
    #[serde(flatten)]
    pub begun: NewExperiment,
}

impl ExperimentHeader {
    /// How long it took, at least what its `passes` did: a session that was killed told nothing.
    pub fn elapsed(&self, passes: Nanos) -> Nanos {
        self.elapsed_ns.map_or(passes, |told| told.max(passes))
    }
}

/// An experiment with everything that it brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Experiment {
    /// What, when, by which settings.
    #[serde(flatten)]
    pub header: ExperimentHeader,
    /// Its cells as they were judged at the end, in the order of the table; empty before the end.
    pub cells: Vec<Cell>,
    /// Its runs, in the order in which they were made.
    pub runs: Vec<Run>,
}

impl Experiment {
    /// The runs of one cell, in the order in which they were made.
    pub fn runs_of<'a>(&'a self, cell: &'a str) -> impl Iterator<Item = &'a Run> {
        self.runs.iter().filter(move |run| run.cell == cell)
    }

    /// Every environment of its runs, each once, in the order in which they came.
    pub fn environments(&self) -> Vec<&EnvironmentRecord> {
        let marks = self.runs.iter().filter_map(Run::environment);
        let mut found: Vec<&EnvironmentRecord> = Vec::new();
        for record in marks {
            if !found
                .iter()
                .any(|seen| seen.manifest.hash == record.manifest.hash)
            {
                found.push(record);
            }
        }
        found
    }

    /// What each of its runs tells of its environment, in the order in which they were made.
    pub fn environment_marks(&self) -> Vec<&EnvironmentMark> {
        let marks = self.runs.iter();
        marks
            .filter_map(|run| run.circumstances.environment.as_ref())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_states_read_back_by_their_names() {
        for kind in ExperimentKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
        for state in ExperimentState::ALL {
            assert_eq!(state.name().parse(), Ok(state));
            assert_eq!(
                serde_json::to_string(&state).unwrap(),
                format!("\"{state}\"")
            );
        }
        let error = "fast".parse::<ExperimentKind>().unwrap_err().to_string();
        assert!(error.contains("'fast'") && error.contains("quick, measure, passport"));
    }
}
