//! A plot that stands: its expensive levels applied, its files where they work.

use std::collections::HashSet;
use std::path::Path;

use etalon_factor::condition::{Applied, Cost, FACTORS, Factor, FactorError, Ground};
use etalon_model::{Choice, LevelRecord};
use etalon_units::Bytes;

use super::arrange::Plot;
use super::request::PlanRequest;
use crate::measure::largest;
use crate::work_place::{WorkPlace, insist_on_directory};
use crate::{ExperimentError, Site, Witness};

/// Levels in force; the last that was applied is put back first.
#[derive(Debug, Default)]
pub(super) struct InForce(pub(super) Vec<AppliedLevel>);

/// A level in force, with the names that it has in the plan.
#[derive(Debug)]
pub(super) struct AppliedLevel {
    factor: &'static str,
    level: String,
    pub(super) applied: Box<dyn Applied>,
}

/// What the cells of a plot work on.
pub(super) struct Standing {
    /// The files, which go before the levels do.
    pub(super) files: WorkPlace,
    pub(super) factors: Ground,
    pub(super) in_force: InForce,
    /// The size of files where none was asked for.
    pub(super) file_size: Bytes,
    pub(super) choices: Vec<Choice>,
    /// How the device was brought into its state, where the plan asks for one.
    pub(super) precondition: Option<LevelRecord>,
}

impl InForce {
    /// Applies the levels of one cost, from the bottom up.
    pub(super) fn apply(
        request: &PlanRequest,
        levels: &[usize],
        cost: Cost,
        ground: &mut Ground,
    ) -> Result<InForce, ExperimentError> {
        let mut in_force = InForce::default();
        let chosen = request.factors.iter().zip(levels);
        let mut chosen: Vec<_> = chosen.filter(|(f, _)| f.factor.cost() == cost).collect();
        chosen.sort_by_key(|(chosen, _)| place_of(chosen.factor));
        for (factor, level) in chosen {
            let applied = factor.levels[*level].apply(ground)?;
            let inner = ground.within(applied.target(), applied.devices());
            in_force.0.push(AppliedLevel {
                factor: factor.factor.name(),
                level: factor.levels[*level].name(),
                applied,
            });
            *ground = inner?;
        }
        Ok(in_force)
    }

    pub(super) fn verify(&self) -> Result<(), FactorError> {
        self.0.iter().try_for_each(|level| level.applied.verify())
    }

    /// What is set of real work.
    pub(super) fn settings(&self) -> Vec<(String, String)> {
        let set = self.0.iter().filter_map(|level| level.applied.setting());
        set.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// Whether a rebuild was begun for the next run.
    pub(super) fn is_rebuilding(&self) -> bool {
        self.0.iter().any(|level| level.applied.rebuild().is_some())
    }

    /// What is known of each level, for the run that has just ended.
    pub(super) fn records(&self) -> impl Iterator<Item = LevelRecord> {
        self.0.iter().map(AppliedLevel::record)
    }

    /// Puts everything back; the first failure is told, and the rest is put back all the same.
    pub(super) fn restore(mut self) -> Result<(), FactorError> {
        let mut told = Ok(());
        while let Some(level) = self.0.pop() {
            told = told.and(level.applied.restore());
        }
        told
    }
}

impl AppliedLevel {
    fn record(&self) -> LevelRecord {
        LevelRecord {
            factor: self.factor.to_owned(),
            level: self.level.clone(),
            facts: self.applied.facts(),
            rebuild: self.applied.rebuild(),
        }
    }
}

/// Where a factor stands among all: from the bottom up, and a scheduler before the number of requests that it sets anew.
fn place_of(factor: &dyn Factor) -> Option<usize> {
    FACTORS
        .iter()
        .position(|known| known.name() == factor.name())
}

impl Drop for InForce {
    fn drop(&mut self) {
        while self.0.pop().is_some() {}
    }
}

impl Standing {
    pub(super) fn new(
        request: &PlanRequest,
        plot: &Plot,
        base: &Ground,
    ) -> Result<Standing, ExperimentError> {
        let mut factors = base.clone();
        let in_force = InForce::apply(request, &plot.levels, Cost::Expensive, &mut factors)?;
        let site = Site::look(&factors.target)?;
        let (files, file_size, choices) = files(request, &site, &factors.target)?;
        Ok(Standing {
            files,
            factors,
            in_force,
            file_size,
            choices,
            precondition: None,
        })
    }

    /// What the levels in force do right before a run, the cheap ones of that run last.
    pub(super) fn before_run(&mut self, cheap: &mut InForce) -> Result<(), FactorError> {
        let mut levels = self.in_force.0.iter_mut().chain(&mut cheap.0);
        levels.try_for_each(|level| level.applied.before_run())
    }

    /// Removes the files and puts the levels back.
    pub(super) fn end(self) -> Result<(), FactorError> {
        drop(self.files);
        self.in_force.restore()
    }
}

/// The private directory, and the size of files in it for which none was asked.
fn files(
    request: &PlanRequest,
    site: &Site,
    target: &Path,
) -> Result<(WorkPlace, Bytes, Vec<Choice>), ExperimentError> {
    let workloads = request.io();
    if request.has_work() {
        insist_on_directory(site)?;
    }
    if workloads.is_empty() {
        return Ok((WorkPlace::in_directory(site)?, Bytes::ZERO, Vec::new()));
    }
    let mut largest = largest(&workloads)?;
    let files = WorkPlace::new(site, &largest)?;
    let mut choices = Vec::from_iter(files.size(&mut largest, target, 1)?);
    for workload in &workloads {
        let mut sized = workload.clone();
        if sized.file_size > Bytes::ZERO {
            choices.extend(files.size(&mut sized, target, 1)?);
        }
    }
    Ok((files, largest.file_size, choices))
}

/// Holds a device that is written; what lies on it is told once.
pub(super) fn hold(
    site: &Site,
    destroy: &[String],
    told: &mut HashSet<u64>,
    witness: &mut dyn Witness,
) -> Result<WorkPlace, ExperimentError> {
    let held = WorkPlace::claimed(site, destroy)?;
    if told.insert(site.device) {
        held.tell(site, witness)?;
    }
    Ok(held)
}
