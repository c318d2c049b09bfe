//! What the runs of an experiment say whose process ended before it had judged them.

use etalon_judge::{Goal, judge_cells};
use etalon_model::{
    Cell, CellSummary, Experiment, ExperimentHeader, ExperimentSummary, Order, Run, RunId,
};
use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB};
use etalon_store::{Outline, Store, StoreError, state_here};
use etalon_units::{Bytes, Percent};

/// With its state as it is now; where its process is gone, nobody has judged its newest runs.
pub(crate) fn as_it_is(mut experiment: Experiment) -> Experiment {
    if sees_end(&mut experiment.header) {
        experiment.cells = judged(&experiment.header, &experiment.runs);
    }
    experiment
}

/// The same of one whose runs are not read.
pub(crate) fn outline_as_it_is(store: &Store, mut outline: Outline) -> Outline {
    if sees_end(&mut outline.header) {
        outline.cells = judged_of(store, outline.header.id);
    }
    outline
}

/// The same of a line of the list, with the headlines of its cells whose figure is a number.
pub(crate) fn listed_as_it_is(
    store: &Store,
    summary: &mut ExperimentSummary,
) -> Result<Vec<CellSummary>, StoreError> {
    let state = state_here(summary.state, summary.owner.as_deref());
    if state == summary.state {
        return store.cell_summaries(summary.id);
    }
    let cells = judged_of(store, summary.id);
    let valid = cells.iter().filter(|cell| cell.verdict.is_valid());
    summary.state = state;
    summary.valid_cells = number(valid.count());
    summary.cells = number(cells.len());
    let mut headlines: Vec<CellSummary> = cells.iter().map(CellSummary::of).collect();
    headlines.retain(|cell| !cell.median.is_nan());
    Ok(headlines)
}

/// Gives an experiment its state as it is now; whether that is another than the one written down.
pub(crate) fn sees_end(header: &mut ExperimentHeader) -> bool {
    let written = header.state;
    header.state = state_here(written, header.begun.owner.as_deref());
    header.state != written
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Its cells, in the order of a table: reads before writes, streams before random places.
pub(crate) fn judged(header: &ExperimentHeader, runs: &[Run]) -> Vec<Cell> {
    let mut cells = judge_cells(runs, &goal(header));
    cells.sort_by_key(place);
    cells
}

/// The same of what the store has. What is damaged is left out here, and told by whoever shows it.
pub(crate) fn judged_of(store: &Store, experiment: RunId) -> Vec<Cell> {
    let found = store.sound_experiment(experiment);
    let judged = found.map(|found| judged(&found.records.header, &found.records.runs));
    judged.unwrap_or_default()
}

/// The precision that was asked for; how many runs there were to be changes no figure.
fn goal(header: &ExperimentHeader) -> Goal {
    let asked = header.begun.settings.get("precision").cloned();
    let precision: Option<Percent> = asked.and_then(|asked| serde_json::from_value(asked).ok());
    Goal::new(precision, MIN_RUNS_LAB, MAX_RUNS).unwrap_or_default()
}

/// Tasks have the order of their parts, which follow one another.
fn place(cell: &Cell) -> Option<(bool, bool, Bytes, u32)> {
    let io = cell.workload.io()?;
    let is_random = io.operation.order() == Order::Random;
    let depth = io.queue_depth.max(1).saturating_mul(io.jobs.max(1));
    Some((
        io.operation.writes(),
        is_random,
        io.block_size.largest(),
        depth,
    ))
}
