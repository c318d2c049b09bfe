//! The course of a plan: which cells another block has, and what it takes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use etalon_judge::{Goal, judge_cells};
use etalon_model::{Cell, Run};
use etalon_stats::{DEFAULT_LOOKS, MAX_RUNS};

use super::arrange::Arrangement;
use super::complete::{MOST_USUAL, USUAL_BLOCKS, lacking_workloads};
use super::request::PlanRequest;

/// What decides how many blocks there are.
#[derive(Clone, Copy)]
pub(super) struct Course<'a> {
    pub(super) request: &'a PlanRequest,
    pub(super) arrangement: &'a Arrangement,
    pub(super) goal: &'a Goal,
}

impl Course<'_> {
    /// The cells of block number `block`, by the runs of those before it; none when it is enough. All of a workload or
    /// none, so that its levels can be compared over the same blocks; and later runs change nothing, so that a plan that is
    /// resumed takes the same course.
    pub(super) fn open_cells(&self, block: u32, runs: &[Run]) -> BTreeSet<usize> {
        let workloads = self.open_workloads(block, runs);
        let cells = self.arrangement.cells.iter().enumerate();
        let open = cells.filter(|(_, cell)| workloads.contains(&cell.workload));
        open.map(|(number, _)| number).collect()
    }

    pub(super) fn all_cells(&self) -> BTreeSet<usize> {
        (0..self.arrangement.cells.len()).collect()
    }

    /// Blocks in all, or of each workload as many as the precision needs; where neither is asked for, those of runs that were
    /// left out are made good.
    fn open_workloads(&self, block: u32, runs: &[Run]) -> BTreeSet<usize> {
        let all = || (0..self.request.workloads.len()).collect();
        let number = block as usize;
        match (self.request.blocks, self.request.precision) {
            (Some(blocks), _) if number < blocks => all(),
            (Some(_), _) => BTreeSet::new(),
            _ if number < USUAL_BLOCKS => all(),
            (None, None) if number < MOST_USUAL => {
                lacking_workloads(self.arrangement, &before(block, runs))
            }
            (None, Some(_)) if number < MAX_RUNS => self.wide_workloads(block, runs),
            _ => BTreeSet::new(),
        }
    }

    /// Workloads of which an interval was wider than asked for at the last look.
    fn wide_workloads(&self, block: u32, runs: &[Run]) -> BTreeSet<usize> {
        let looks = DEFAULT_LOOKS
            .iter()
            .filter_map(|look| u32::try_from(*look).ok());
        let look = looks.filter(|look| *look <= block).max().unwrap_or(block);
        let cells = judge_cells(&before(look, runs), self.goal);
        let is_wide = |cell: &&Cell| cell.misses_precision() && !cell.verdict.is_invalid();
        let wide = cells.iter().filter(is_wide);
        let wide = wide.filter_map(|cell| self.arrangement.cell_of(&cell.name));
        wide.map(|cell| self.arrangement.cells[cell].workload)
            .collect()
    }

    /// What runs of these cells take, by the mean of those made, where all that was made took `spent`.
    pub(super) fn time_of(
        &self,
        cells: &BTreeSet<usize>,
        runs: &[Run],
        spent: Duration,
    ) -> Duration {
        let mut known: BTreeMap<usize, (Duration, BTreeSet<u32>)> = BTreeMap::new();
        for (cell, run) in self.arrangement.passes(runs) {
            let own = known.entry(cell).or_default();
            own.0 += run.elapsed.into();
            own.1.insert(run.block);
        }
        let in_runs: Duration = known.values().map(|(took, _)| *took).sum();
        let of_cell = |cell| {
            known
                .get(cell)
                .map(|(took, blocks)| took.div_f64(blocks.len() as f64))
        };
        let mean: Duration = cells.iter().filter_map(of_cell).sum();
        // What lies between runs is in proportion to them.
        let beside = spent.as_secs_f64() / in_runs.as_secs_f64().max(f64::MIN_POSITIVE);
        mean.mul_f64(beside.clamp(1.0, 100.0))
    }
}

/// The runs of blocks before that one.
fn before(block: u32, runs: &[Run]) -> Vec<Run> {
    let earlier = runs.iter().filter(|run| run.block < block);
    earlier.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::goal_of;
    use crate::plan::tests::request;
    use crate::plan::{NamedWorkload, PlannedTask, arrange};
    use etalon_model::{Finding, IoWorkload, Measurement, OpTotals, Severity};
    use etalon_units::{Bytes, Nanos, Percent};

    const PLAN: &str = "question = \"Which?\"\n[[factor]]\nname = \"nomerges\"\nlevels = [0, 2]\n\
                        [[workload]]\nop = \"read\"\n";

    /// Two workloads, cells 0 and 1 of `calm` and 2 and 3 of `wild`.
    fn two(precision: Option<Percent>) -> PlanRequest {
        let named = |name: &str| NamedWorkload {
            name: name.to_owned(),
            task: PlannedTask::Io(IoWorkload::default()),
        };
        PlanRequest {
            workloads: vec![named("calm"), named("wild")],
            precision,
            blocks: None,
            ..request(PLAN)
        }
    }

    fn with_course<T>(request: &PlanRequest, told: impl FnOnce(Course) -> T) -> T {
        let goal = goal_of(request.precision, request.blocks).unwrap();
        let arrangement = arrange(request);
        told(Course {
            request,
            arrangement: &arrangement,
            goal: &goal,
        })
    }

    /// Runs of so many blocks: those of `wild` scatter by a factor of two.
    fn runs(course: &Course, blocks: u32, cells: &[usize]) -> Vec<Run> {
        let all = (0..blocks).flat_map(|block| cells.iter().map(move |cell| (block, *cell)));
        let run = |(block, cell): (u32, usize)| {
            let cell = &course.arrangement.cells[cell];
            let rises = u64::from(block * 7 % 10) * cell.workload as u64;
            let mut measured = Measurement::of_nothing(Nanos::secs(1));
            measured.reads = OpTotals {
                operations: 1000 + 100 * rises + u64::from(block % 3),
                bytes: Bytes::mib(1),
                ..OpTotals::default()
            };
            Run {
                block,
                elapsed: Nanos::secs(2),
                ..Run::of(&cell.name, IoWorkload::default(), measured)
            }
        };
        all.map(run).collect()
    }

    fn open(course: &Course, block: u32, runs: &[Run]) -> Vec<usize> {
        course.open_cells(block, runs).into_iter().collect()
    }

    #[test]
    fn behind_a_look_only_workloads_go_on_that_are_still_wide() {
        let request = two(Some(Percent::from_fraction(0.05)));
        with_course(&request, |course| {
            let mut made = runs(&course, 8, &[0, 1, 2, 3]);
            assert_eq!(open(&course, 7, &made), [0, 1, 2, 3]);
            assert_eq!(open(&course, 8, &made), [2, 3]);
            // What came later changes no block that was begun.
            made = runs(&course, 30, &[2, 3]).into_iter().chain(made).collect();
            assert_eq!(open(&course, 8, &made), [2, 3]);
            assert_eq!(open(&course, 7, &made), [0, 1, 2, 3]);
            assert_eq!(open(&course, 29, &made), [2, 3]);
            assert!(open(&course, 30, &made).is_empty());
        });
    }

    #[test]
    fn what_is_narrow_at_once_has_the_usual_blocks() {
        let request = two(Some(Percent::from_fraction(0.9)));
        with_course(&request, |course| {
            let made = runs(&course, 8, &[0, 1, 2, 3]);
            assert_eq!(open(&course, 7, &made), [0, 1, 2, 3]);
            assert!(open(&course, 8, &made).is_empty());
        });
    }

    #[test]
    fn runs_left_out_are_made_good_where_they_were() {
        with_course(&two(None), |course| {
            let mut made = runs(&course, 8, &[0, 1, 2, 3]);
            assert!(open(&course, 8, &made).is_empty());
            let first = &course.arrangement.cells[0].name;
            let spoilt = |run: &&mut Run| run.cell == *first && run.block < 3;
            for run in made.iter_mut().filter(spoilt) {
                run.findings = vec![Finding::new("foreign-io", Severity::Invalid, "", "")];
            }
            assert_eq!(open(&course, 8, &made), [0, 1]);
            assert!(open(&course, 12, &made).is_empty());
        });
    }

    #[test]
    fn the_time_of_a_block_is_that_of_its_cells_and_of_what_lies_between() {
        with_course(&two(None), |course| {
            let made = runs(&course, 8, &[0, 1, 2, 3]);
            let spent = Duration::from_secs(8 * 4 * 3);
            let of = |cells: &[usize], runs: &[Run]| {
                let cells = cells.iter().copied().collect();
                course.time_of(&cells, runs, spent).as_secs_f64().round()
            };
            assert_eq!(of(&[0, 1, 2, 3], &made), 12.0);
            assert_eq!(of(&[2], &made), 3.0);
            assert_eq!(of(&[], &made), 0.0);
            assert_eq!(of(&[0], &[]), 0.0);
        });
    }

    /// A real work has a run for each of its steps, each with a position of its own and the time of the whole pass.
    #[test]
    fn a_pass_counts_once_however_many_steps_it_has() {
        with_course(&two(None), |course| {
            let made = runs(&course, 8, &[0, 1, 2, 3]);
            let pass = Duration::from_secs(2);
            assert_eq!(course.arrangement.time_taken(&made), pass * 32);
            let mut steps: Vec<Run> = made.iter().flat_map(|run| vec![run.clone(); 6]).collect();
            for (position, run) in (0..).zip(&mut steps) {
                run.position = position;
            }
            assert_eq!(course.arrangement.time_taken(&steps), pass * 32);
            let cells = course.all_cells();
            assert_eq!(course.time_of(&cells, &steps, pass * 32), pass * 4);
            // One that was cut short, and made again in its block.
            let mut cut = steps[0].clone();
            cut.elapsed = Nanos::secs(1);
            steps.push(cut);
            let all = pass * 32 + Duration::from_secs(1);
            assert_eq!(course.arrangement.time_taken(&steps), all);
        });
    }
}
