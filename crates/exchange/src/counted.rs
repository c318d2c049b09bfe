//! Which runs of an experiment its figures are of.

use std::collections::{BTreeMap, BTreeSet};

use etalon_model::{Cell, CountedRuns, Experiment, Run};

/// The runs that stand in the figures of their cells.
pub(crate) struct Counted(BTreeSet<*const Run>);

impl Counted {
    /// Those of an experiment; of a cell that has not been judged yet, those that would count.
    pub(crate) fn of(experiment: &Experiment) -> Counted {
        let cells = experiment.cells.iter();
        let cells: BTreeMap<&str, &Cell> = cells.map(|cell| (&*cell.name, cell)).collect();
        let mut by_cell: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
        for run in &experiment.runs {
            by_cell.entry(&run.cell).or_default().push(run);
        }
        let counted = by_cell.iter().flat_map(|(name, own)| {
            let judged = cells.get(name).map(|cell| cell.counted(own));
            judged.unwrap_or_else(|| CountedRuns::of(own).runs)
        });
        Counted(counted.map(std::ptr::from_ref).collect())
    }

    /// Whether a run, one of the experiment's own records, is among them.
    pub(crate) fn has(&self, run: &Run) -> bool {
        self.0.contains(&std::ptr::from_ref(run))
    }
}
