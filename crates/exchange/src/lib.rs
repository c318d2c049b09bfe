//! Experiments in formats that other programs read.
//!
//! [`CellJson`] is the object that stands for one cell wherever etalon prints JSON; [`to_json`]
//! writes a whole experiment as one document, which [`from_json`] reads back, and [`to_csv`] its runs as one table, a run a row.
//! `docs/schema.md` describes every key and column. Callers hand in the records of `etalon-model`;
//! nothing here knows where they came from.

mod bodies;
mod csv_table;
mod document;
mod envelope;
mod error;
mod formula;
mod json;
mod read;
mod schema;
mod summary;

pub use bodies::{
    Change, ChangedBody, ChangedExperiment, ChecksBody, ComparisonBody, EnvironmentBody, InUseBody,
    ListBody, ListedCheck, ListedExperiment, ListedFigure, ListedParameter, ListedWork,
    PassportBody, RestoredBody, SamplesBody, StackBody, ToolBody, WorksBody,
};
pub use csv_table::{RunRow, to_csv};
pub use document::{ExperimentJson, to_json};
pub use envelope::{DocumentFormat, Envelope};
pub use error::ExportError;
pub use json::{CellJson, LatencyJson};
pub use read::{ImportError, from_json};
pub use schema::json_schema;
pub use summary::SummaryBody;

#[cfg(test)]
mod samples;
