//! Reads and writes by the engine as something that can be measured.

use std::path::PathBuf;

use etalon_engine::{Control, EngineError, Plan, PlanError, Prepared, TargetPlace, prepare, run};
use etalon_model::{IoWorkload, Measurement};

use crate::PartWitness;
use crate::measurable::{EndedPart, Measurable, PartReport, Pass, PassReport};

/// Why reads and writes could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PlainError {
    /// The workload does not go with the place.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// It could not be made ready, or failed to begin.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// One workload of the engine at one place.
pub struct PlainIo<'a> {
    cell: String,
    workload: IoWorkload,
    place: TargetPlace,
    control: &'a Control,
    ready: Option<Prepared>,
    measured: Option<Measurement>,
}

impl<'a> PlainIo<'a> {
    /// `workload` with the seed of its next run, as a run of `cell`.
    pub fn new(
        cell: &str,
        workload: IoWorkload,
        place: TargetPlace,
        control: &'a Control,
    ) -> PlainIo<'a> {
        PlainIo {
            cell: cell.to_owned(),
            workload,
            place,
            control,
            ready: None,
            measured: None,
        }
    }

    /// What is laid out, for whoever carries it out together with others.
    pub fn into_prepared(self) -> Option<Prepared> {
        self.ready
    }

    /// What is laid out, once it is ready.
    pub fn prepared(&self) -> Option<&Prepared> {
        self.ready.as_ref()
    }
}

impl Measurable for PlainIo<'_> {
    type Error = PlainError;

    fn get_ready(&mut self, _pass: Pass) -> Result<(), PlainError> {
        let plan = Plan::resolve(&self.workload, &self.place)?;
        self.ready = Some(prepare(&plan, self.control)?);
        Ok(())
    }

    fn files(&self, _target: usize) -> Vec<PathBuf> {
        let plan = self.ready.as_ref().map(Prepared::plan);
        plan.map_or_else(Vec::new, |plan| plan.files().to_vec())
    }

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), PlainError> {
        let Some(ready) = &self.ready else {
            return Ok(());
        };
        witness.begins(&self.cell);
        let measured = run(ready, self.control);
        witness.ended(&self.cell);
        self.measured = Some(measured?);
        Ok(())
    }

    fn report(&mut self, _ended: &[EndedPart]) -> PassReport {
        let done = self.ready.as_ref().zip(self.measured.take());
        let parts = done.map(|(ready, measured)| {
            PartReport::alone(&self.cell, ready.plan().workload().clone().into(), measured)
        });
        PassReport {
            parts: parts.into_iter().collect(),
            ..PassReport::default()
        }
    }
}
