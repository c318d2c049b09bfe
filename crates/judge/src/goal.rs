//! How many runs a cell is to have, and what is missing of the precision that was asked for.

use etalon_model::{Cell, Estimate, Precision, Run, Verdict};
use etalon_stats::{
    CommonSpread, Level, MAX_RUNS, MIN_RUNS_LAB, MIN_RUNS_OF_OWN_SPREAD, Sample, StopDecision,
    StoppingRule, StoppingRuleError, median_runs_needed,
};
use etalon_units::{Nanos, Percent};

use crate::figures::Figures;

/// How many runs a cell is to have, and how precise it is to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// `None` where no precision was asked for.
    rule: Option<StoppingRule>,
    min_runs: usize,
    max_runs: usize,
    /// Runs beyond the most that may stand in for some that are left out.
    replacements: usize,
    few_runs: FewRuns,
}

/// Where fewer than six runs, too few for an interval of their median by their order, get one from.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum FewRuns {
    /// From nowhere: there is none.
    #[default]
    NoInterval,
    /// From their own spread, supposing that they are of one group; of two there is none:
    /// [`Sample::median_interval_of_few`].
    OwnSpread,
    /// From what many figures have in common: [`Sample::median_interval_with`] at this level, reported
    /// as [`Level::REPORTED`].
    CommonSpread(CommonSpread, Level),
}

/// No precision is asked for, and there may be as many runs as there is time for.
impl Default for Goal {
    fn default() -> Goal {
        Goal {
            rule: None,
            min_runs: MIN_RUNS_LAB,
            max_runs: MAX_RUNS,
            replacements: 0,
            few_runs: FewRuns::NoInterval,
        }
    }
}

/// Stands in for a precision that was not asked for where only the counts are checked.
const ANY_PRECISION: f64 = 1.0;

impl Goal {
    /// Between `min_runs` (at least 6) and `max_runs` runs; with a `precision`, no more once half the
    /// interval's width over the value is as small.
    ///
    /// # Errors
    /// When the precision is zero, or the counts contradict each other.
    pub fn new(
        precision: Option<Percent>,
        min_runs: usize,
        max_runs: usize,
    ) -> Result<Goal, StoppingRuleError> {
        let target = precision.map_or(ANY_PRECISION, Percent::fraction);
        let rule = StoppingRule::new(target, min_runs, max_runs)?;
        Ok(Goal {
            rule: precision.map(|_| rule),
            min_runs,
            max_runs,
            replacements: 0,
            few_runs: FewRuns::NoInterval,
        })
    }

    /// The fewest runs that a cell is to have.
    pub fn min_runs(&self) -> usize {
        self.min_runs
    }

    /// The same goal, where up to so many runs beyond the most stand in for those that are left out, until as many count
    /// as a cell is to have at least.
    pub fn with_replacements(self, replacements: usize) -> Goal {
        Goal {
            replacements,
            ..self
        }
    }

    /// Whether runs that are left out are made again.
    pub fn replaces_runs(&self) -> bool {
        self.replacements > 0
    }

    /// Whether a run of the cell was left out that another one is to stand in for.
    pub fn wants_replacement(&self, cell: &Cell) -> bool {
        let counted = match cell.verdict {
            Verdict::Invalid { .. } => 0,
            _ => cell.values.len(),
        };
        self.replaces_runs() && counted < self.min_runs
    }

    /// Whether a cell of which `made` runs were made may have no more.
    pub fn is_spent(&self, made: usize) -> bool {
        made >= self.max_runs.saturating_add(self.replacements)
    }

    /// The same goal, where fewer than six runs get their interval from `few_runs`.
    pub fn with_few_runs(self, few_runs: FewRuns) -> Goal {
        Goal { few_runs, ..self }
    }

    pub(crate) fn figures(&self, sample: &Sample) -> Figures {
        let of_few = match &self.few_runs {
            _ if sample.n() >= MIN_RUNS_LAB => None,
            FewRuns::NoInterval => None,
            FewRuns::OwnSpread if sample.n() < MIN_RUNS_OF_OWN_SPREAD => None,
            FewRuns::OwnSpread => Some(sample.median_interval_of_few(Level::REPORTED)),
            FewRuns::CommonSpread(spread, level) => {
                Some(sample.median_interval_with(spread, *level))
            }
        };
        match of_few {
            Some(median) => Figures::of_few(sample, &median.claimed_at(Level::REPORTED)),
            None => Figures::of(sample),
        }
    }

    /// What became of the precision; `None` where none was asked for.
    pub(crate) fn precision(
        &self,
        estimate: &Estimate,
        sample: &Sample,
        runs: &[&Run],
    ) -> Option<Precision> {
        let asked = self.rule.as_ref()?.target();
        let reached = estimate
            .relative_half_width()
            .is_some_and(|half| half <= asked);
        let missing = || missing_for(asked, sample);
        Some(Precision {
            asked,
            reached,
            needed_ns: match reached {
                true => None,
                false => missing().map(|missing| time_of(missing, runs)),
            },
        })
    }
}

/// Whether a cell of which `made` runs were made is to have another one. Where no precision was asked
/// for, it may have as many as there is time for. With one, it is enough once the interval is narrow,
/// or once the figure is invalid after so many runs that no single disturbance has spoiled it.
pub fn needs_more(cell: &Cell, made: usize, goal: &Goal) -> bool {
    let is_narrow = |rule: &StoppingRule| {
        let sample = Sample::new(cell.values.clone());
        sample.is_ok_and(|sample| matches!(rule.decide(&sample), StopDecision::Stop(_)))
    };
    let open = match (&goal.rule, &cell.verdict) {
        (None, _) | (_, Verdict::Undecided { .. }) => true,
        (Some(_), Verdict::Invalid { .. }) => made < goal.min_runs,
        (Some(rule), Verdict::Valid) => !is_narrow(rule),
    };
    let is_full = made >= goal.max_runs && !goal.wants_replacement(cell);
    open && !is_full && !goal.is_spent(made)
}

/// Runs beyond those in `sample` that would narrow the interval to the relative half width `asked`;
/// `None` when no number would do.
fn missing_for(asked: f64, sample: &Sample) -> Option<usize> {
    let needed = median_runs_needed(sample.cv()?, asked, Level::INTERNAL).ok()?;
    // A forecast that has been met already was too low: at least one run is missing.
    let missing = needed.max(MIN_RUNS_LAB).saturating_sub(sample.n());
    Some(missing.max(1))
}

/// What so many more runs would take, in whole seconds, from the mean of those that were made.
pub(crate) fn time_of(missing: usize, runs: &[&Run]) -> Nanos {
    let total: u64 = runs.iter().map(|run| run.elapsed.get()).sum();
    let each = total as f64 / runs.len().max(1) as f64;
    Nanos::from_secs_f64((missing as f64 * each / 1e9).ceil())
}

#[cfg(test)]
mod tests {
    use etalon_model::{Finding, Severity};

    use super::*;
    use crate::cell::judge_cell;
    use crate::samples::read_run;

    #[test]
    fn a_run_that_is_left_out_is_made_again_where_so_many_are_to_count() {
        let goal = Goal::new(None, 10, 10).unwrap().with_replacements(4);
        let needs = |made: usize, left_out: usize| {
            let mut runs = vec![read_run(); made];
            for run in &mut runs[..left_out] {
                run.findings = vec![Finding::new(
                    "foreign-io",
                    Severity::Invalid,
                    "Others worked.",
                    "Stop them.",
                )];
            }
            let runs: Vec<&Run> = runs.iter().collect();
            needs_more(&judge_cell("a cell", &runs, &goal).unwrap(), made, &goal)
        };
        assert!(needs(9, 0) && !needs(10, 0));
        assert!(needs(10, 1) && !needs(11, 1));
        assert!(needs(13, 4) && !needs(14, 5));
        // More that are invalid than are not say nothing yet.
        assert!(needs(10, 6));
        let strict = Goal::new(None, 10, 10).unwrap();
        let cell = judge_cell("a cell", &[&read_run()], &strict).unwrap();
        assert!(needs_more(&cell, 9, &strict) && !needs_more(&cell, 10, &strict));
    }
}
