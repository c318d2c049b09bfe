//! When enough runs were made.

use std::time::{Duration, Instant};

use etalon_judge::{Goal, judge_cells};
use etalon_model::{Cell, Run, Verdict};
use etalon_stats::{DEFAULT_LOOKS, MAX_RUNS, MIN_RUNS_LAB};
use etalon_units::Nanos;

use crate::witness::tell;
use crate::{Event, ExperimentError, Witness};

/// How long passes are added for the sake of precision.
const MAX_EXTRA: Duration = Duration::from_secs(120);

/// When a series of passes ends.
#[derive(Debug)]
pub(crate) enum Until<'a> {
    /// After so many passes.
    Times(usize),
    /// When every cell has its interval, and a precision that was asked for is reached, looked at
    /// after fixed counts; but no more passes are added once two minutes have passed.
    Decided { goal: &'a Goal, begun: Instant },
}

impl<'a> Until<'a> {
    /// So many passes where a number is asked for.
    pub(crate) fn new(asked: Option<usize>, goal: &'a Goal, begun: Instant) -> Until<'a> {
        asked.map_or(Until::Decided { goal, begun }, Until::Times)
    }

    /// Tells that a block begins, its number from 0, and before the first how many were asked for.
    pub(crate) fn tell_block(
        &self,
        block: u32,
        open: usize,
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        if let (Until::Times(blocks), 0) = (self, block) {
            tell(witness, Event::Planned { blocks: *blocks })?;
        }
        let event = Event::Block {
            number: block + 1,
            open,
            left: Nanos(u64::MAX),
        };
        tell(witness, event)
    }

    /// Whether another pass follows the `made` so far, which gave `runs`.
    pub(crate) fn goes_on(&self, made: usize, runs: &[Run]) -> bool {
        let (goal, begun) = match self {
            Until::Times(times) => return made < *times,
            Until::Decided { goal, begun } => (goal, begun),
        };
        let lacks_interval = |cell: &Cell| matches!(cell.verdict, Verdict::Undecided { .. });
        let is_looking = DEFAULT_LOOKS.contains(&made);
        let is_wide = |cell: &Cell| {
            let asked = cell.precision.is_some() && cell.verdict.is_valid();
            asked && (!is_looking || cell.misses_precision())
        };
        let is_late = made >= MAX_RUNS || begun.elapsed() > MAX_EXTRA;
        let is_open = |cell: &Cell| lacks_interval(cell) || is_wide(cell);
        made < MIN_RUNS_LAB || (!is_late && judge_cells(runs, goal).iter().any(is_open))
    }
}
