//! Real work as a workload of a plan.

use std::fmt;
use std::sync::Arc;

use etalon_engine::Control;
use etalon_model::{Aftermath, EnvironmentRecord, IoWorkload, LevelRecord, Run};
use etalon_work::RealWork;

use crate::run::{BegunPass, Observed, Observer};
use crate::task::{TaskSteps, elsewhere};
use crate::work_place::WorkPlace;
use crate::{ExperimentError, Site};

/// What one workload of a plan does.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a plan has a handful of them")]
pub enum PlannedTask {
    /// Reads and writes.
    Io(IoWorkload),
    /// A real work, each step of which has a row of its own.
    Work(PlannedWork),
}

/// A real work with what is set of it.
#[derive(Clone)]
pub struct PlannedWork {
    /// The work.
    pub work: &'static dyn RealWork,
    /// Its parameters by name, as typed; what is left out has its default or is varied.
    pub given: Vec<(String, String)>,
    /// The steps that are kept; all where none is named.
    pub steps: Vec<String>,
}

impl fmt::Debug for PlannedWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlannedWork")
            .field("work", &self.work.name())
            .field("given", &self.given)
            .field("steps", &self.steps)
            .finish()
    }
}

impl PartialEq for PlannedWork {
    fn eq(&self, other: &PlannedWork) -> bool {
        let own = (self.work.name(), &self.given, &self.steps);
        own == (other.work.name(), &other.given, &other.steps)
    }
}

impl PlannedTask {
    /// The reads and writes, where it is such.
    pub fn io(&self) -> Option<&IoWorkload> {
        match self {
            PlannedTask::Io(io) => Some(io),
            PlannedTask::Work(_) => None,
        }
    }

    /// The real work, where it is one.
    pub fn work(&self) -> Option<&PlannedWork> {
        match self {
            PlannedTask::Io(_) => None,
            PlannedTask::Work(work) => Some(work),
        }
    }
}

/// A pass over a real work that is about to be made.
pub(super) struct WorkPass<'a> {
    pub(super) planned: &'a PlannedWork,
    /// What the levels set.
    pub(super) settings: Vec<(String, String)>,
    pub(super) seed: u64,
    pub(super) control: &'a Control,
    /// What runs before it left to be written.
    pub(super) aftermath: Option<Aftermath>,
    /// In which the first run of its cell was made.
    pub(super) first: Option<&'a Arc<EnvironmentRecord>>,
}

impl WorkPass<'_> {
    /// Makes it in the private directory of a place.
    pub(super) fn make(
        &self,
        site: &Site,
        place: &WorkPlace,
        begun: BegunPass,
        levels: &dyn Fn() -> Vec<LevelRecord>,
    ) -> Result<Observed, ExperimentError> {
        let given = self.planned.given.iter().chain(&self.settings);
        let given: Vec<(String, String)> = given.cloned().collect();
        let elsewhere = elsewhere(self.planned.work, &given)?;
        let mut steps = TaskSteps {
            work: self.planned.work,
            given: &given,
            seed: self.seed,
            place: place.path().to_owned(),
            elsewhere: elsewhere.as_ref().map(|scratch| scratch.held_path()),
            control: self.control,
            records: Vec::new(),
        };
        let observer = Observer::new([site], true);
        observer.keep_aftermath(self.aftermath);
        observer.hold_against(self.first);
        let mut observed = observer.observe_under(&mut steps, begun, None, levels)?;
        self.choose(&mut observed)?;
        Ok(observed)
    }

    /// Keeps the steps that were asked for, without the words of the levels, so that those of two levels have one name.
    fn choose(&self, observed: &mut Observed) -> Result<(), ExperimentError> {
        let found: Vec<String> = observed.runs.iter().map(|run| run.cell.clone()).collect();
        for run in &mut observed.runs {
            for (_, value) in &self.settings {
                let bare = run.cell.strip_suffix(&format!(", {value}"));
                run.cell = bare.unwrap_or(&run.cell).to_owned();
            }
        }
        let is_wanted = |run: &Run| {
            let steps = &self.planned.steps;
            steps.is_empty() || steps.contains(&run.cell)
        };
        observed.runs.retain(is_wanted);
        match observed.runs.is_empty() && observed.failure.is_none() && !self.control.stopped() {
            false => Ok(()),
            true => Err(ExperimentError::NoSuchStep {
                steps: self.planned.steps.join(", "),
                found: found.join("; "),
            }),
        }
    }
}
