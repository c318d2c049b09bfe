//! What a real work is given.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use etalon_workload::PartWitness;

/// The parameter that names another target for what is written.
pub const TARGET: &str = "target";

/// Where a real work is done, with which parameters.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Where the work makes its private directory; everything that it writes lies in there, but
    /// for what a parameter [`TARGET`] sends elsewhere.
    pub directory: &'a Path,
    /// A directory on the target that the parameter [`TARGET`] names, made for this work by whoever
    /// also removes it after a crash; `None` where the work may write below that target itself.
    pub elsewhere: Option<&'a Path>,
    /// Decides every random choice.
    pub seed: u64,
    /// Parameters by name, as typed; what is left out has its default.
    pub given: &'a [(String, String)],
    /// Set to end the work; noticed within a second.
    pub stop: &'a AtomicBool,
    /// Told of each timed step; its `syncfs(2)` belongs to it.
    pub witness: &'a dyn PartWitness,
}
