//! The workloads of a plan's text, with the place of each of their options.

use super::place::TextPlace;
use super::task::PlannedWork;

/// A workload as it stands in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextWorkload {
    /// Where it begins.
    pub place: TextPlace,
    /// How pages call it, where it is named.
    pub name: Option<String>,
    /// Its options; those of `measure`, where it is no real work.
    pub options: Vec<PlacedOption>,
    /// The real work, where it is one.
    pub work: Option<PlannedWork>,
}

/// An option of a workload.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedOption {
    /// Where it stands.
    pub place: TextPlace,
    /// Its long name, with `-`.
    pub name: String,
    /// Its value as it would be typed; none for one that is only switched on.
    pub value: Option<String>,
}
