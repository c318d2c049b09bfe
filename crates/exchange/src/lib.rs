//! Experiments in formats that other programs read.
//!
//! [`CellJson`] is the object that stands for one cell wherever etalon prints JSON; [`to_json`]
//! writes a whole experiment as one document, which [`from_json`] reads back, and [`to_csv`] its runs as one table, a run a row.
//! `docs/schema.md` describes every key and column. Callers hand in the records of `etalon-model`;
//! nothing here knows where they came from.

mod bodies;
mod bundle;
mod counted;
mod csv_table;
mod document;
mod envelope;
mod error;
mod fio;
mod fio_files;
mod fio_options;
mod formula;
mod grid;
mod identities;
mod json;
mod lab;
mod markdown;
mod metrics;
mod published;
mod read;
mod restated;
mod schema;
mod summary;
mod told;
mod workbook;

pub use bodies::{
    Change, ChangedBody, ChangedExperiment, ChecksBody, ComparisonBody, EnvironmentBody, InUseBody,
    ListBody, ListedCheck, ListedExperiment, ListedParameter, ListedPreset, ListedWork,
    MismatchBody, PassportBody, PresetsBody, RestoredBody, ReviewBody, SamplesBody, StackBody,
    ToolBody, VerifiedBody, WorksBody,
};
pub use bundle::{BundleError, from_bundle, to_bundle};
pub use csv_table::{RunRow, to_csv};
pub use document::{ExperimentJson, to_json};
pub use envelope::{DocumentFormat, Envelope};
pub use error::ExportError;
pub use fio::to_fio_json;
pub use fio_files::{FioFile, to_fio_files};
pub use identities::{Hiding, without_identities};
pub use json::{CellJson, LatencyJson};
pub use lab::{
    BrokenPromise, DiskModel, LabBody, LabKernel, LabList, LabNeed, ModelFigure, PowerCuts,
    ServedDisk, SimulatedLayout, SimulatedRebuild, SimulatedRebuildPoint, Simulation,
};
pub use markdown::{PageWords, to_markdown};
pub use metrics::to_metrics;
pub use published::{MOST_FIGURES, PublishedError, read_published};
pub use read::{ImportError, from_json};
pub use restated::restated;
pub use schema::{json_schema, plan_schema};
pub use summary::{LatencyStepBody, LatencyTargetBody, SummaryBody};
pub use workbook::to_workbook;

#[cfg(test)]
mod samples;

#[cfg(test)]
mod golden;
