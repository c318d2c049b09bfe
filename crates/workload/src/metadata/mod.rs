//! Operations on names: directories and files are made, looked at, renamed, linked and removed by
//! several jobs, each operation in a phase of its own with its rate and its latencies.
//!
//! [`MetadataWorkload`] says what is done; [`prepare`] lays out what it needs below a directory, and
//! [`PreparedNames::run`] does it and returns a [`MetadataRecord`] with one [`PhaseRecord`] per
//! [`MetadataOperation`]; [`run`] does both. [`Names`] is the same as something
//! [`Measurable`](crate::Measurable), of which [`report()`] makes figures. All jobs begin a phase
//! together. An operation that the filesystem does not have (extended attributes, hard links) is
//! told as such and the run goes on.
//!
//! A tree has `breadth` directories in each directory over `depth` levels, and `files` files in
//! every directory, its root too. With [`Directories::Own`] each job has a tree of its own; with
//! [`Directories::Shared`] all jobs work in one tree, each on every n-th directory and file.

mod alone;
mod carry;
mod directory_tree;
mod error;
mod job;
mod measurable;
mod operation;
mod prepared;
mod record;
mod report;
mod run;
mod settings;
mod shared;

pub use error::{MetadataError, SettingsError};
pub use measurable::Names;
pub use operation::{MetadataOperation, UnknownMetadataOperation};
pub use prepared::{PreparedNames, prepare};
pub use record::{JobShare, MetadataEnd, MetadataRecord, PhaseOutcome, PhaseRecord};
pub use report::report;
pub(crate) use report::{measurement_of_one, workload_of};
pub use run::run;
pub use settings::{Directories, Durability, FileOrder, MetadataWorkload};

#[cfg(test)]
mod tests;
