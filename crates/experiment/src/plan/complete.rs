//! Blocks that count: levels are compared over those in which each of them has a run that was not left out.

use std::collections::{BTreeMap, BTreeSet};

use etalon_model::Run;
use etalon_stats::MIN_RUNS_LAB;

use super::arrange::Arrangement;

/// Blocks where neither their number nor a precision is asked for: two more than an interval needs,
/// for runs that are left out.
pub const USUAL_BLOCKS: usize = 8;

/// Most blocks where no number is asked for and runs were left out: half as many again.
pub(super) const MOST_USUAL: usize = USUAL_BLOCKS * 3 / 2;

/// What became of a cell's runs.
#[derive(Default)]
struct CellBlocks {
    made: usize,
    left_out: usize,
    clean: BTreeSet<u32>,
}

/// The workloads that runs left out have left without the fewest blocks that an interval takes, where another block may
/// make that good. Of a cell whose runs are left out by half the cause lies in what is measured, and more runs have it too:
/// it is no reason for more, and nothing can be held against it if it is the first.
pub(super) fn lacking_workloads(arrangement: &Arrangement, runs: &[Run]) -> BTreeSet<usize> {
    let found = by_cell(arrangement, runs);
    let workloads = arrangement.cells.iter().map(|cell| cell.workload);
    let mut workloads: BTreeSet<usize> = workloads.collect();
    workloads.retain(|of| {
        let cells = arrangement.cells.iter().enumerate();
        let own = cells.filter(|(_, cell)| cell.workload == *of);
        let own: Option<Vec<&CellBlocks>> = own.map(|(at, _)| found.get(&at)).collect();
        own.is_some_and(|own| is_lacking(&own))
    });
    workloads
}

fn is_lacking(cells: &[&CellBlocks]) -> bool {
    let is_hopeful = |cell: &CellBlocks| cell.left_out * 2 < cell.made;
    if !cells.first().is_some_and(|first| is_hopeful(first)) {
        return false;
    }
    let hopeful = cells.iter().filter(|cell| is_hopeful(cell));
    let are_compared = hopeful.clone().count() > 1 || cells.len() == 1;
    let clean = hopeful.map(|cell| cell.clean.clone());
    let complete = clean.reduce(|all, own| &all & &own);
    let complete = complete.map_or(0, |blocks| blocks.len());
    are_compared && complete < MIN_RUNS_LAB
}

fn by_cell(arrangement: &Arrangement, runs: &[Run]) -> BTreeMap<usize, CellBlocks> {
    let mut found: BTreeMap<usize, CellBlocks> = BTreeMap::new();
    let mut spoilt: BTreeSet<(usize, u32)> = BTreeSet::new();
    for run in runs.iter().filter(|run| !run.is_cut()) {
        let Some(cell) = arrangement.cell_of(&run.cell) else {
            continue;
        };
        let own = found.entry(cell).or_default();
        own.made += 1;
        own.clean.insert(run.block);
        if run.is_invalid() {
            own.left_out += 1;
            spoilt.insert((cell, run.block));
        }
    }
    // A real work has a run for each of its steps.
    for (cell, block) in spoilt {
        found.entry(cell).or_default().clean.remove(&block);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::arrange;
    use crate::plan::tests::request;
    use etalon_model::{Finding, IoWorkload, Measurement, Severity};
    use etalon_units::Nanos;

    /// So many blocks of two levels, of which these runs are left out: block and cell.
    fn lacks(blocks: u32, left_out: &[(u32, usize)]) -> bool {
        lacks_of("[0, 2]", blocks, left_out)
    }

    fn lacks_of(levels: &str, blocks: u32, left_out: &[(u32, usize)]) -> bool {
        let plan = format!(
            "question = \"Which?\"\n[[factor]]\nname = \"nomerges\"\nlevels = {levels}\n[[workload]]\nop = \"read\"\n"
        );
        let arrangement = arrange(&request(&plan));
        let names: Vec<&str> = arrangement.cells.iter().map(|c| c.name.as_str()).collect();
        let all = (0..blocks).flat_map(|block| (0..names.len()).map(move |cell| (block, cell)));
        let run = |(block, cell): (u32, usize)| {
            let nothing = Measurement::of_nothing(Nanos::secs(1));
            let mut run = Run {
                block,
                ..Run::of(names[cell], IoWorkload::default(), nothing)
            };
            if left_out.contains(&(block, cell)) {
                run.findings = vec![Finding::new("foreign-io", Severity::Invalid, "", "")];
            }
            run
        };
        !lacking_workloads(&arrangement, &all.map(run).collect::<Vec<_>>()).is_empty()
    }

    #[test]
    fn six_blocks_of_which_both_levels_have_a_run_suffice() {
        assert!(!lacks(8, &[]));
        assert!(!lacks(8, &[(0, 0), (3, 1)]));
        assert!(!lacks(8, &[(3, 0), (3, 1), (5, 1)]));
        assert!(lacks(8, &[(0, 0), (3, 1), (5, 1)]));
    }

    #[test]
    fn what_spoils_half_of_a_cell_is_not_mended_by_another_block() {
        let of_one = |blocks: u32| (0..blocks).map(|block| (block, 0)).collect::<Vec<_>>();
        assert!(lacks(8, &of_one(3)));
        assert!(!lacks(8, &of_one(4)));
    }

    #[test]
    fn a_level_beyond_help_does_not_keep_the_others_from_it() {
        let spoilt = |hopeless: usize, lacking: usize| {
            let all = (0..8).map(|block| (block, hopeless));
            all.chain((0..3).map(|block| (block, lacking)))
                .collect::<Vec<_>>()
        };
        let lacks = |left_out: &[(u32, usize)]| lacks_of("[0, 1, 2]", 8, left_out);
        assert!(lacks(&spoilt(1, 2)));
        // Nothing is compared with an invalid baseline.
        assert!(!lacks(&spoilt(0, 2)));
    }
}
