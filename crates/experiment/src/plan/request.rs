//! A plan with everything in it resolved.

use std::path::PathBuf;
use std::time::Duration;

use etalon_factor::condition::{Factor, Level, makes_the_target};
use etalon_model::IoWorkload;
use etalon_units::{Nanos, Percent};

use super::task::PlannedTask;
use crate::{Site, work_place};

/// Most rounds that may be asked for: the limit of the specification.
pub(super) const MOST_ROUNDS: u64 = 25;
/// Most sequential fills that may be asked for; the specification has two.
pub(super) const MOST_FILLS: u64 = 10;

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
    pub task: PlannedTask,
}

/// What is done to a device that the plan writes, once before its first run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Precondition {
    /// Whether all of it is discarded first (blkdiscard(8)), which is the nearest to a purge that a kernel offers.
    pub purge: bool,
    /// How often it is filled with sequential writes of 128 KiB, 0 to 10.
    pub fills: u32,
    /// The most rounds of the plan's own workloads until the first of them is steady, 0 to 25; at least 5 where there are
    /// any.
    pub rounds: u32,
}

impl Precondition {
    /// Whether anything is done.
    pub fn is_any(&self) -> bool {
        *self != Precondition::default()
    }

    /// As records call it.
    pub fn name(&self) -> String {
        let purge = self.purge.then(|| "purge".to_owned());
        let fills = (self.fills > 0).then(|| format!("{} x filled", self.fills));
        let rounds = (self.rounds > 0).then(|| format!("at most {} rounds", self.rounds));
        let parts: Vec<String> = [purge, fills, rounds].into_iter().flatten().collect();
        parts.join(", ")
    }
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
    /// The state that a written device is brought into before its first run.
    pub precondition: Precondition,
    /// Devices that may be destroyed.
    pub destroy: Vec<String>,
    /// Whether the manual step that the plan waits for is done already.
    pub manual_step_is_done: bool,
    /// The block that is all that is measured, from 0, with the levels that can be in force now; none for all blocks. What
    /// has to boot for each level makes a plan in such parts.
    pub only_block: Option<u32>,
    /// The word by which the laboratory says what this machine is in such a plan; none in a guest, whose kernel's command line
    /// has it.
    pub part: Option<String>,
    /// Commands before and after.
    pub setup: Vec<String>,
    /// Commands after.
    pub cleanup: Vec<String>,
    /// What the sessions took that made the runs which stand.
    pub earlier_took: Nanos,
}

impl PlanRequest {
    /// Whether a factor makes or chooses what is measured.
    pub(crate) fn makes_the_target(&self) -> bool {
        let mut factors = self.factors.iter();
        factors.any(|chosen| makes_the_target(chosen.factor))
    }

    /// Whether runs write to the block device that `site` is, and not to something that a factor makes.
    pub(crate) fn writes_target(&self, site: &Site) -> bool {
        !self.makes_the_target() && work_place::writes_device(site, &self.io())
    }

    /// The reads and writes among its workloads.
    pub(crate) fn io(&self) -> Vec<IoWorkload> {
        let io = self.workloads.iter().filter_map(|named| named.task.io());
        io.cloned().collect()
    }

    /// Whether there is real work among them, which takes a directory.
    pub(crate) fn has_work(&self) -> bool {
        self.workloads
            .iter()
            .any(|named| named.task.work().is_some())
    }
}
