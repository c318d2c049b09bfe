//! What one of several workloads does, and what it is called where it has no name.

use etalon_model::IoWorkload;
use etalon_workload::metadata::MetadataWorkload;

use crate::grid::workload_name;

/// One of several workloads.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamWorkload {
    /// I/O of the engine; a file size of zero lets this room choose.
    Io(Box<IoWorkload>),
    /// One metadata operation.
    Names(MetadataWorkload),
}

impl StreamWorkload {
    /// What it does, in a few words.
    pub(super) fn headline(&self) -> String {
        match self {
            StreamWorkload::Io(io) => workload_name(io),
            StreamWorkload::Names(names) => names.headline(),
        }
    }
}
