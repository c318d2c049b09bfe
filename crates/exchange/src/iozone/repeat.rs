//! How often a figure is measured, and what its runs then say.

use etalon_stats::{
    CommonSpread, Estimate, Level, MAX_RUNS, MIN_RUNS_LAB, Sample, StopDecision, StoppingRule,
    runs_needed,
};

use super::Goal;
use super::measure::Series;

/// A figure that would need more runs than this is given up as soon as that shows: twice of what it
/// may have, since a forecast from few runs is rough.
const HOPELESS: usize = 2 * MAX_RUNS;

/// A goal, and the rules that tell when it is reached.
#[derive(Debug, Clone)]
pub(crate) enum Repeat {
    /// So many times.
    Times(usize),
    /// Until the interval is narrow.
    UntilNarrow {
        /// For a figure that stands alone.
        alone: StoppingRule,
        /// For figures that have their spread in common.
        many: StoppingRule,
    },
}

impl Repeat {
    pub(crate) fn new(goal: Goal) -> Repeat {
        let rules = match goal {
            Goal::Runs(times) => return Repeat::Times(times),
            Goal::Precision(percent) => (
                StoppingRule::new(percent.fraction(), MIN_RUNS_LAB, MAX_RUNS),
                StoppingRule::of_many(percent.fraction(), MAX_RUNS),
            ),
        };
        match rules {
            (Ok(alone), Ok(many)) => Repeat::UntilNarrow { alone, many },
            // A precision is above zero, or the options would have been refused.
            _ => Repeat::Times(MIN_RUNS_LAB),
        }
    }

    /// Whether `series` is to be measured again.
    pub(crate) fn is_open(&self, series: &Series, common: Option<&CommonSpread>) -> bool {
        match self {
            Repeat::Times(times) => series.measured.len() < *times,
            Repeat::UntilNarrow { alone, many } => series.sample().is_some_and(|sample| {
                let decision = match common {
                    Some(common) => many.decide_with(&sample, common),
                    None => alone.decide(&sample),
                };
                let goes_on = matches!(decision, StopDecision::Continue { .. });
                goes_on && !is_hopeless(&sample, alone.target())
            }),
        }
    }

    /// What the runs say together.
    pub(crate) fn estimate(&self, sample: &Sample, common: Option<&CommonSpread>) -> Estimate {
        match (self, common) {
            (Repeat::UntilNarrow { many, .. }, Some(common)) => many.estimate_with(sample, common),
            (Repeat::Times(_), Some(common)) => sample.headline_with(common, Level::REPORTED),
            // A median has no interval below so many runs, so the mean speaks best for few.
            (_, None) if sample.n() < MIN_RUNS_LAB => sample.mean_interval(Level::REPORTED),
            (Repeat::UntilNarrow { alone, .. }, None) => alone.estimate(sample),
            (Repeat::Times(_), None) => sample.headline(Level::REPORTED),
        }
    }
}

/// Whether a figure spreads too far to become narrow within the runs that it may have.
fn is_hopeless(sample: &Sample, target: f64) -> bool {
    let needed = || runs_needed(sample.cv()?, target, Level::INTERNAL).ok();
    sample.n() >= MIN_RUNS_LAB && needed().is_none_or(|runs| runs > HOPELESS)
}
