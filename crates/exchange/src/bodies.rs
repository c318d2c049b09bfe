//! What documents hold beside their envelope.

use etalon_model::stack::{CounterDelta, Sample, StackTree};
use etalon_model::{
    Comparison, EnvironmentDifference, EnvironmentRecord, Gate, LabelSpread, Passport,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::CellJson;

/// Of a tool with lines of its own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ToolBody<T> {
    /// The judged cells.
    pub cells: Vec<CellJson>,
    /// What the tool has to say of each copy or reading; `null` where it has nothing beyond cells.
    pub tool: Option<T>,
}

/// Of `passport`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PassportBody<'a> {
    /// One passport a workload.
    pub passports: &'a [Passport],
    /// The workloads that have fewer than ten runs, since these took more time than there was.
    pub dropped: Vec<&'a str>,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// What ended it before its end, in a sentence; `null` where nothing did.
    pub failure: Option<&'a str>,
    /// The facts of machine and storage stack that are others than they were at the passport of `since_last`.
    pub differences_since_last: &'a [EnvironmentDifference],
    /// The last passport of the same path, where that was of another disk, filesystem or machine and none is of this
    /// target; `null` otherwise.
    pub last_of_another: Option<i64>,
}

/// Of `show --environment` and `show --stack`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EnvironmentBody<'a> {
    /// Machine and storage stack, each once.
    pub environments: Vec<&'a EnvironmentRecord>,
}

/// Of `compare`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ComparisonBody<'a> {
    /// What the gate of `--fail-if-slower` says; `null` where none was asked for.
    pub gate: Option<&'a Gate>,
    /// The cells that all arms have.
    pub comparisons: &'a [Comparison],
    /// The arms as they were named on the command line.
    pub arms: &'a [String],
    /// What each arm is called by what differs, as in the labels of `comparisons`.
    pub names: &'a [String],
    /// What tells the arms apart, for example `filesystem`; `null` where nothing does.
    pub factor: Option<&'a str>,
    /// The facts of machine and storage stack in which they differ.
    pub environment_differences: &'a [EnvironmentDifference],
    /// Arms without a kept environment.
    pub environment_unknown: &'a [String],
    /// Those of `environment_differences` that are neither what the arms are called by nor declared with
    /// `--by`.
    pub environment_undeclared: &'a [EnvironmentDifference],
    /// With `--by label`: how far labels lie apart beside how far runs do, a workload each; `null` without.
    pub label_spread: Option<&'a [LabelSpread]>,
}

/// Of `review`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReviewBody {
    /// The file that was read; `-` is standard input.
    pub source: String,
    /// What it holds, and what is wrong with it.
    #[serde(flatten)]
    pub review: etalon_review::Review,
}

/// Of `list`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListBody {
    /// Every experiment, the oldest first.
    pub experiments: Vec<ListedExperiment>,
}

/// One experiment of a store.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListedExperiment {
    /// What it is.
    #[serde(flatten)]
    pub summary: etalon_model::ExperimentSummary,
    /// What was said of it; empty for nothing.
    pub note: String,
    /// Its tags, sorted.
    pub tags: Vec<String>,
    /// The cells' figures, in the order of the table.
    pub figures: Vec<etalon_model::CellSummary>,
}

/// Of `rm`, `note`, `tag` and `merge`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChangedBody {
    /// What was changed in the store.
    pub changed: Vec<ChangedExperiment>,
}

/// One change of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedExperiment {
    /// The experiment's number in this store.
    pub id: i64,
    /// Its number in the store that it comes from; `null` where it comes from none.
    pub from: Option<i64>,
    /// What was measured.
    pub target_path: String,
    /// What was done.
    pub change: Change,
}

/// What was done with an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It is gone.
    Removed,
    /// Its note was set or taken away.
    Noted,
    /// It has a tag.
    Tagged,
    /// It has the tag no longer.
    Untagged,
    /// It was copied from another store.
    Merged,
    /// It was in this store before.
    AlreadyThere,
}

/// Of `stack`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StackBody<'a> {
    /// The storage stack, from the mount down to the disks.
    pub stack: &'a StackTree,
}

/// Of `watch`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SamplesBody {
    /// What disks and machine did, sample by sample.
    pub samples: Vec<Sample>,
    /// What every layer did over all of them.
    pub counters: CounterDelta,
}

/// Of `checks`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChecksBody {
    /// Every check.
    pub checks: Vec<ListedCheck>,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListedCheck {
    /// The stable name of its findings.
    pub code: &'static str,
    /// What a finding of it means.
    pub about: &'static str,
    /// What to do about it.
    pub advice: &'static str,
}

/// Of `work list`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WorksBody {
    /// Every real work.
    pub works: Vec<ListedWork>,
}

/// One real work.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListedWork {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: Vec<ListedParameter>,
}

/// One parameter of a real work.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListedParameter {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Its value where none is given; `null` for none.
    pub default: Option<&'static str>,
}

/// Of `verify`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct VerifiedBody {
    /// The file that was read.
    pub source: String,
    /// Its cells.
    pub cells: u64,
    /// Its runs, which everything was computed from again.
    pub runs: u64,
    /// Whether every interval was computed too; false where those of few runs use the spread of other cells, as with `iozone`.
    pub with_intervals: bool,
    /// What does not follow from the runs; empty where all does.
    pub mismatches: Vec<MismatchBody>,
}

/// A figure that does not follow from the runs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MismatchBody {
    /// The cell.
    pub cell: String,
    /// What of it, for example `median`.
    pub figure: &'static str,
    /// What the file says.
    pub stated: String,
    /// What its runs give.
    pub computed: String,
}

/// Of `presets`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PresetsBody {
    /// Every preset, or the one that was named.
    pub presets: Vec<ListedPreset>,
}

/// One preset.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListedPreset {
    /// Its name.
    pub name: &'static str,
    /// What it asks.
    pub question: String,
    /// How long it takes on an SSD, in words.
    pub time: &'static str,
    /// How much room it takes, in words.
    pub space: &'static str,
    /// Whose rights it needs.
    pub rights: &'static str,
    /// What can happen.
    pub risk: &'static str,
    /// The plan, in TOML.
    pub plan: &'static str,
}

/// Of `restore`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RestoredBody {
    /// Paths that were removed.
    pub removed: Vec<String>,
    /// Where servers worked that were ended, such as a database's or a guest of the laboratory.
    #[serde(default)]
    pub ended: Vec<String>,
    /// Settings of the machine that have their former values again.
    #[serde(default)]
    pub put_back: Vec<String>,
    /// What was changed or made until the machine was started anew, which undid it.
    #[serde(default)]
    pub undone_by_reboot: Vec<String>,
    /// What a living process needs.
    pub in_use: Vec<InUseBody>,
    /// What could not be put back, and why.
    pub left: Vec<String>,
}

/// Something that a living process needs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InUseBody {
    /// Where it is.
    pub path: String,
    /// The process.
    pub owner: String,
}
