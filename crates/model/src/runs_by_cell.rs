//! Runs in the order of their cells, for what shows many cells.

use std::collections::HashMap;

use crate::Run;

/// Runs by the name of their cell: whoever goes through all cells looks at each run once, and not once for each cell.
#[derive(Debug, Clone, Default)]
pub struct RunsByCell<'a>(HashMap<&'a str, Vec<&'a Run>>);

impl<'a> RunsByCell<'a> {
    /// The runs of each cell, in the order in which they stand in `runs`.
    pub fn of(runs: &'a [Run]) -> RunsByCell<'a> {
        let mut by_cell: HashMap<&str, Vec<&Run>> = HashMap::new();
        for run in runs {
            by_cell.entry(&run.cell).or_default().push(run);
        }
        RunsByCell(by_cell)
    }

    /// The runs that bear the name of this cell; none of a cell without runs.
    pub fn named(&self, cell: &str) -> &[&'a Run] {
        self.0.get(cell).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Measurement;
    use etalon_units::Nanos;

    fn run(cell: &str, position: u32) -> Run {
        let nothing = Measurement::of_nothing(Nanos::default());
        Run {
            position,
            ..Run::of(cell, crate::IoWorkload::default(), nothing)
        }
    }

    #[test]
    fn each_cell_has_its_own_runs_in_their_order() {
        let runs = [run("b", 0), run("a", 1), run("b", 2)];
        let by_cell = RunsByCell::of(&runs);
        let places = |cell| by_cell.named(cell).iter().map(|run| run.position).collect();
        let (of_a, of_b, of_c): (Vec<u32>, Vec<u32>, Vec<u32>) =
            (places("a"), places("b"), places("c"));
        assert_eq!((of_a, of_b, of_c), (vec![1], vec![0, 2], vec![]));
    }
}
