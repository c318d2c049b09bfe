//! Climbs the ladder on a real target.

use std::sync::atomic::{AtomicBool, Ordering};

use etalon_engine::{EngineError, Plan};
use etalon_model::{Arrival, IoWorkload, Run};
use etalon_stats::MIN_RUNS_LAB;
use etalon_workload::measurable::Pass;

use super::LatencyTarget;
use super::answer::percentile;
use super::ladder::{Search, depths, rates};
use crate::grid::{Grid, workload_name};
use crate::run::{BegunPass, Schedule, Session as _, Step, Until, repeat};
use crate::{ExperimentError, Witness};

/// How often what was measured may say that the single runs had chosen wrongly.
const ROUNDS: usize = 4;
/// In flight at least while the highest rate is looked for, and at every rate: what comes by a clock waits in
/// no queue of the generator's.
const IN_FLIGHT: u32 = 32;

/// Measures the highest step at which the target is met, and the one above it.
pub(crate) fn climb(
    grid: &mut Grid<'_>,
    (target, wanted): (LatencyTarget, Option<usize>),
    stop: &AtomicBool,
    witness: &mut dyn Witness,
    runs: &mut Vec<Run>,
) -> Result<(), ExperimentError> {
    grid.cells = ladder(grid, stop, witness)?;
    let mut search = Search::over(grid.cells.len());
    let mut tried = 0;
    while let Some(step) = search.next() {
        tried += 1;
        let run = single(grid, (step, tried), stop, witness)?;
        let latency = target.of(&run);
        search.tried(step, latency.is_some_and(|latency| latency <= target.limit));
    }
    let mut found = search.found();
    let wanted = wanted.unwrap_or(MIN_RUNS_LAB);
    for round in 1..=ROUNDS {
        grid.rows = around(found, grid, runs);
        grid.until = Until::Times(round * wanted);
        let schedule = Schedule::Shuffled(grid.cells[0].1.seed);
        repeat(grid, schedule, stop, witness, runs)?;
        let next = settled(found, grid, target, runs);
        if next == found || stop.load(Ordering::Relaxed) {
            break;
        }
        found = next;
    }
    Ok(())
}

/// The steps: rates where operations come by a clock, else queue depths, as far as the target takes them.
fn ladder(
    grid: &mut Grid<'_>,
    stop: &AtomicBool,
    witness: &mut dyn Witness,
) -> Result<Vec<(String, IoWorkload)>, ExperimentError> {
    let base = grid.cells[0].1.clone();
    let steps = match base.arrival {
        Arrival::Closed => depths(&base),
        _ => {
            let deep = IoWorkload {
                queue_depth: base.queue_depth.max(IN_FLIGHT),
                ..base.clone()
            };
            let closed = IoWorkload {
                arrival: Arrival::Closed,
                ..deep.clone()
            };
            grid.cells = vec![(workload_name(&closed), closed)];
            let most = single(grid, (0, 0), stop, witness)?;
            rates(&deep, most.measurement.operations_per_second())
        }
    };
    let taken = steps
        .into_iter()
        .take_while(|one| Plan::resolve(one, &grid.work_place.place).is_ok());
    let mut named: Vec<(String, IoWorkload)> = taken.map(|one| (name(&one), one)).collect();
    named.dedup_by(|a, b| a.0 == b.0);
    match named.is_empty() {
        true => Err(Plan::resolve(&base, &grid.work_place.place)
            .map(drop)
            .err()
            .map_or(ExperimentError::NoWorkload, |error| {
                ExperimentError::Plan(error).shown()
            })),
        false => Ok(named),
    }
}

fn name(workload: &IoWorkload) -> String {
    match workload.arrival.rate() {
        Some(rate) => format!("{}, {rate}/s", workload_name(workload)),
        None => workload_name(workload),
    }
}

/// A run that chooses, and is not kept: `number` of them were made before it.
fn single(
    grid: &mut Grid<'_>,
    (group, number): (usize, u32),
    stop: &AtomicBool,
    witness: &mut dyn Witness,
) -> Result<Run, ExperimentError> {
    // Runs that are kept count from 0, and none works on the places of another.
    let begun = BegunPass::now(Pass {
        block: 0,
        position: u32::MAX - 1 - number,
    });
    let mut runs = grid.pass(
        Step {
            group,
            step: 0,
            begun,
        },
        witness,
    )?;
    match stop.load(Ordering::Relaxed) {
        true => Err(EngineError::Stopped.into()),
        false => runs.pop().ok_or(ExperimentError::NoWorkload),
    }
}

/// The step that is found and the one above it, those that have no runs yet.
fn around(found: Option<usize>, grid: &Grid<'_>, runs: &[Run]) -> Vec<usize> {
    let first = found.unwrap_or(0);
    let above = found.map_or(0, |found| found + 1);
    let rows = first..=above.min(grid.cells.len() - 1);
    let is_new = |row: &usize| !runs.iter().any(|run| run.cell == grid.cells[*row].0);
    rows.filter(is_new).collect()
}

/// The step that the measured cells say: one lower or higher than `found` where they contradict it.
fn settled(
    found: Option<usize>,
    grid: &Grid<'_>,
    target: LatencyTarget,
    runs: &[Run],
) -> Option<usize> {
    let holds = |row: usize| {
        let (name, _) = grid.cells.get(row)?;
        let own: Vec<&Run> = runs.iter().filter(|run| run.cell == *name).collect();
        percentile(&own, target)?.is_met
    };
    match found {
        Some(at) if holds(at) == Some(false) => at.checked_sub(1),
        Some(at) if holds(at + 1) == Some(true) => Some(at + 1),
        None if holds(0) == Some(true) => Some(0),
        other => other,
    }
}
