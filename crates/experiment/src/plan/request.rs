//! A plan with everything in it resolved.

use std::path::PathBuf;
use std::time::Duration;

use etalon_factor::condition::{Factor, Level};
use etalon_model::IoWorkload;
use etalon_units::Percent;

/// What is varied.
pub struct ChosenFactor {
    /// The factor.
    pub factor: &'static dyn Factor,
    /// Its levels; the first is the baseline.
    pub levels: Vec<Box<dyn Level>>,
}

impl std::fmt::Debug for ChosenFactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChosenFactor")
            .field("factor", &self.factor.name())
            .field("levels", &self.levels)
            .finish()
    }
}

/// One workload of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedWorkload {
    /// How pages call it.
    pub name: String,
    /// What is done.
    pub workload: IoWorkload,
}

/// What [`carry_out`](super::carry_out) is asked for.
#[derive(Debug)]
pub struct PlanRequest {
    /// What is measured, at least one.
    pub targets: Vec<PathBuf>,
    /// What is done, at least one; the primary one first.
    pub workloads: Vec<NamedWorkload>,
    /// What is varied.
    pub factors: Vec<ChosenFactor>,
    /// The combinations as the numbers of levels; none for all.
    pub combinations: Option<Vec<Vec<usize>>>,
    /// How narrow the intervals shall be.
    pub precision: Option<Percent>,
    /// The most time that it may take.
    pub budget: Option<Duration>,
    /// How many blocks are measured.
    pub blocks: Option<usize>,
    /// Whether each block is shuffled.
    pub is_shuffled: bool,
    /// Decides every random choice.
    pub seed: u64,
    /// Devices that may be destroyed.
    pub destroy: Vec<String>,
    /// Commands before and after.
    pub setup: Vec<String>,
    /// Commands after.
    pub cleanup: Vec<String>,
}
