//! Input made from a seed: which files of which sizes, and what they hold.

mod distribution;
mod fill;
mod plan;
mod text;
mod write;

pub use distribution::Distribution;
pub use plan::{InputEntry, InputPlan};

pub(super) use fill::NEEDLE;
pub(super) use write::{stream, write_tree};

#[cfg(test)]
use write::sample;

#[cfg(test)]
mod tests;
