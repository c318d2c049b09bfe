//! From the records of a run or a cell to findings and a verdict; pure functions of records.
//!
//! [`check_run`] walks the registry [`CHECKS`] over one [`Facts`] and gives its findings;
//! [`check_files`] gives those about programs that count their own bytes, [`check_cut`] that about promises
//! which a power cut has broken.
//! [`judge_cell`] gathers the runs of a cell, estimates by `etalon-stats`, and gives the [`Cell`]
//! with its verdict against a [`Goal`]. [`compare_arms`] puts cells side by side, or says why they
//! cannot be. Nothing here knows how a record was obtained or is shown.
//!
//! [`Cell`]: etalon_model::Cell

mod advice;
mod cell;
mod check;
mod checks;
mod comparison;
mod coverage;
mod disk_traffic;
mod environment;
mod figures;
mod files;
mod goal;
mod interactions;
mod lab_guest;
mod labels;
mod passport;
mod power_cut;
mod registry;
mod repeats;
mod resolution;
mod run_findings;
mod sentence;
mod series;
mod service_settings;
mod value;
mod verify;
mod waiting;

pub use cell::{Sifted, judge_cell, judge_cells, sift};
pub use check::{Check, Facts};
pub use comparison::{
    Arm, CONCURRENT, CompareError, CompareOptions, Factor, Group, RowArms, compare_arms,
    compare_rows, condition_name, condition_names, device_names, gate, is_identity, name_groups,
    names_fact, session_spread, undeclared,
};
pub use coverage::coverage;
pub use environment::{condition_differences, environment_differences, unread_facts};
pub use files::{
    Devices, FileAdvice, FileFacts, FileWork, check_files, files_at_work, files_in_memory,
};
pub use goal::{FewRuns, Goal, needs_more};
pub use interactions::{CrossedCell, CrossedFactor, interactions};
pub use lab_guest::{made_in_guest, tell_guest};
pub use labels::{Labelled, label_spread, usable_label_spread};
pub use passport::{is_same_target, passports};
pub use power_cut::{CutFacts, CutPromise, check_cut};
pub use registry::{CHECKS, check_of, check_run};
pub use resolution::{RESOLUTIONS, Resolution};
pub use series::FEWEST_POINTS;
pub use service_settings::service_differences;
pub use verify::{Mismatch, gather_again, has_own_rule, verify};

#[cfg(test)]
mod samples;
