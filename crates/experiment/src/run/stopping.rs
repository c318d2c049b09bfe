//! When enough runs were made.

use std::time::{Duration, Instant};

use etalon_judge::{Goal, judge_cells};
use etalon_model::{Cell, Run, Verdict};
use etalon_stats::{DEFAULT_LOOKS, MAX_RUNS, MIN_RUNS_LAB};

/// How long passes are added for the sake of precision.
const MAX_EXTRA: Duration = Duration::from_secs(120);

/// When a series of passes ends.
#[derive(Debug)]
pub(crate) enum Until<'a> {
    /// After so many passes.
    Times(usize),
    /// When no cell is undecided, looked at after fixed counts; but no more passes are added once two
    /// minutes have passed.
    Decided { goal: &'a Goal, begun: Instant },
}

impl<'a> Until<'a> {
    /// So many passes where a number is asked for.
    pub(crate) fn new(asked: Option<usize>, goal: &'a Goal, begun: Instant) -> Until<'a> {
        asked.map_or(Until::Decided { goal, begun }, Until::Times)
    }

    /// Whether another pass follows the `made` so far, which gave `runs`.
    pub(crate) fn goes_on(&self, made: usize, runs: &[Run]) -> bool {
        let (goal, begun) = match self {
            Until::Times(times) => return made < *times,
            Until::Decided { goal, begun } => (goal, begun),
        };
        let is_undecided = |cell: &Cell| matches!(cell.verdict, Verdict::Undecided { .. });
        let is_late = made >= MAX_RUNS || begun.elapsed() > MAX_EXTRA;
        let is_open = || judge_cells(runs, goal).iter().any(is_undecided);
        made < MIN_RUNS_LAB || (!is_late && (!DEFAULT_LOOKS.contains(&made) || is_open()))
    }
}
