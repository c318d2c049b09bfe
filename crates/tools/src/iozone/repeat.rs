//! How often a figure is measured, and what its runs then say.

use etalon_stats::{
    CommonSpread, Estimate, Level, MAX_RUNS, MIN_RUNS_LAB, Sample, StopDecision, StoppingRule,
    median_runs_needed,
};

use super::Goal;
use super::options::DEFAULT_PRECISION;
use super::series::Series;

/// A figure that would need more runs than this is given up as soon as that shows: twice of what it
/// may have, since a forecast from few runs is rough.
const HOPELESS: usize = 2 * MAX_RUNS;

/// A goal, and the rules that tell when it is reached.
#[derive(Debug, Clone)]
pub(crate) enum Repeat {
    /// So many times.
    Times(usize),
    /// Until the interval is narrow, as long as there is time.
    WithinTime {
        /// How many passes' time there is; without anything in common, so many runs are made at least.
        passes: usize,
        /// For a figure that stands alone.
        alone: StoppingRule,
        /// For figures that have their spread in common.
        many: StoppingRule,
    },
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
        let rules = |target| {
            let alone = StoppingRule::new(target, MIN_RUNS_LAB, MAX_RUNS).ok()?;
            Some((alone, StoppingRule::of_many(target, MAX_RUNS).ok()?))
        };
        match goal {
            Goal::Runs(times) => Repeat::Times(times),
            Goal::TimeOfPasses(passes) => match rules(DEFAULT_PRECISION) {
                Some((alone, many)) => Repeat::WithinTime {
                    passes,
                    alone,
                    many,
                },
                None => Repeat::Times(passes),
            },
            Goal::Precision(percent) => match rules(percent.fraction()) {
                Some((alone, many)) => Repeat::UntilNarrow { alone, many },
                // A precision is above zero, or the options would have been refused.
                None => Repeat::Times(MIN_RUNS_LAB),
            },
        }
    }

    /// How many passes' time there is, where it is limited.
    pub(crate) fn passes_of_time(&self) -> Option<usize> {
        match self {
            Repeat::WithinTime { passes, .. } => Some(*passes),
            Repeat::Times(_) | Repeat::UntilNarrow { .. } => None,
        }
    }

    /// Whether `series` is to be measured again.
    pub(crate) fn is_open(&self, series: &Series, common: Option<&CommonSpread>) -> bool {
        match self {
            Repeat::Times(times) => series.measured.len() < *times,
            Repeat::WithinTime {
                passes,
                alone,
                many,
            } => match common {
                Some(common) => goes_on(series, many, |sample| many.decide_with(sample, common)),
                None => {
                    let few = series.measured.len() < *passes;
                    few || goes_on(series, alone, |sample| alone.decide(sample))
                }
            },
            Repeat::UntilNarrow { alone, many } => goes_on(series, alone, |sample| match common {
                Some(common) => many.decide_with(sample, common),
                None => alone.decide(sample),
            }),
        }
    }

    /// What the runs say together.
    pub(crate) fn estimate(&self, sample: &Sample, common: Option<&CommonSpread>) -> Estimate {
        match (self, common) {
            (Repeat::UntilNarrow { many, .. } | Repeat::WithinTime { many, .. }, Some(common)) => {
                many.estimate_with(sample, common)
            }
            (_, None) if sample.n() < MIN_RUNS_LAB => {
                sample.median_interval_of_few(Level::REPORTED)
            }
            (Repeat::Times(_), Some(common)) if sample.n() < MIN_RUNS_LAB => {
                sample.median_interval_with(common, Level::REPORTED)
            }
            (_, None) | (Repeat::Times(_), Some(_)) => Estimate::of_runs(sample),
        }
    }
}

/// Whether a figure's runs are to go on that is neither narrow nor hopeless.
fn goes_on(
    series: &Series,
    rule: &StoppingRule,
    decide: impl FnOnce(&Sample) -> StopDecision,
) -> bool {
    series.sample().is_some_and(|sample| {
        let goes_on = matches!(decide(&sample), StopDecision::Continue { .. });
        goes_on && !is_hopeless(&sample, rule.target())
    })
}

/// Whether a figure spreads too far to become narrow within the runs that it may have.
fn is_hopeless(sample: &Sample, target: f64) -> bool {
    let needed = || median_runs_needed(sample.cv()?, target, Level::INTERNAL).ok();
    sample.n() >= MIN_RUNS_LAB && needed().is_none_or(|runs| runs > HOPELESS)
}

#[cfg(test)]
mod tests {
    use super::super::tests::series_of;
    use super::*;

    /// Whether figures of these rates, in MiB a second, are measured again where there is time.
    fn is_open(rates: &[u64]) -> bool {
        Repeat::new(Goal::TimeOfPasses(3)).is_open(&series_of(rates), None)
    }

    #[test]
    fn a_figure_alone_goes_on_until_it_is_narrow_or_hopeless() {
        assert!(is_open(&[1000, 1000]), "three passes are made anyway");
        assert!(is_open(&[1000, 1100, 900]), "a few more runs may do");
        assert!(!is_open(&[1000, 1001, 999, 1000, 1002, 998]));
        assert!(!is_open(&[1000, 10, 3000, 200, 5000, 1]));
    }
}
