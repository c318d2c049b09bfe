//! What a real work is given.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::PartWitness;

/// Where a real work is done, with which parameters.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Where the work makes its private directory; everything that it writes lies in there, but
    /// for what a parameter `target` sends elsewhere.
    pub directory: &'a Path,
    /// Decides every random choice.
    pub seed: u64,
    /// Parameters by name, as typed; what is left out has its default.
    pub given: &'a [(String, String)],
    /// Set to end the work; noticed within a second.
    pub stop: &'a AtomicBool,
    /// Told of each timed step; its `syncfs(2)` belongs to it.
    pub witness: &'a dyn PartWitness,
}
