//! A figure that another program measured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Unit;

/// A figure that another program measured and printed. etalon has its text and nothing else: neither what lay beneath
/// nor what the machine did meanwhile is known, and no check can look at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedFigure {
    /// The program that measured: `fio`.
    pub program: String,
    /// The figure, in its unit.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
    /// Its line in the text, from 1.
    pub line: u64,
    /// As it was printed.
    pub quoted: String,
    /// The command that the text shows for it; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The disk or file that the text names for it; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Whether the text tells the block in which the run was made, as etalon's own table does. Otherwise the block of the run
    /// is its number among those of its cell, and runs of two cells with the same number have nothing in common.
    #[serde(default, skip_serializing_if = "is_false")]
    pub tells_block: bool,
}

fn is_false(tells_block: &bool) -> bool {
    !tells_block
}
