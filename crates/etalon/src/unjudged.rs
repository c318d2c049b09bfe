//! What the runs of an experiment say whose process ended before it had judged them.

use etalon_judge::{Goal, judge_cells};
use etalon_model::{Cell, Experiment, ExperimentHeader, Order, Run, RunId};
use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB};
use etalon_store::{Store, state_here};
use etalon_units::{Bytes, Percent};

/// With its state as it is now; where its process is gone, nobody has judged its newest runs.
pub(crate) fn as_it_is(mut experiment: Experiment) -> Experiment {
    let header = &mut experiment.header;
    let state = state_here(header.state, header.begun.owner.as_deref());
    if state != header.state {
        header.state = state;
        experiment.cells = judged(&experiment.header, &experiment.runs);
    }
    experiment
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
