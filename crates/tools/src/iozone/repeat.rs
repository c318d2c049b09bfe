//! How often a figure is measured, and what it is judged by then.

use etalon_judge::{FewRuns, Goal};
use etalon_stats::{
    CommonSpread, Level, MAX_RUNS, MIN_RUNS_LAB, Sample, StopDecision, StoppingRule,
    median_runs_needed,
};

use super::Repeat;
use super::options::DEFAULT_PRECISION;
use super::series::Series;

/// A figure that would need more runs than this is given up as soon as that shows: twice of what it
/// may have, since a forecast from few runs is rough.
const HOPELESS: usize = 2 * MAX_RUNS;

impl Repeat {
    /// How many passes' time there is, where it is limited.
    pub(crate) fn passes_of_time(self) -> Option<usize> {
        match self {
            Repeat::TimeOfPasses(passes) => Some(passes),
            Repeat::Runs(_) | Repeat::Precision(_) => None,
        }
    }

    /// Whether `series` is to be measured again.
    pub(crate) fn is_open(self, series: &Series, common: Option<&CommonSpread>) -> bool {
        let made = series.measured.len();
        let target = match self {
            Repeat::Runs(times) => return made < times,
            Repeat::TimeOfPasses(passes) if common.is_none() && made < passes => return true,
            Repeat::TimeOfPasses(_) => DEFAULT_PRECISION,
            Repeat::Precision(percent) => percent.fraction(),
        };
        let rule = match common {
            Some(_) => StoppingRule::of_many(target, MAX_RUNS),
            None => StoppingRule::new(target, MIN_RUNS_LAB, MAX_RUNS),
        };
        match rule {
            Ok(rule) => goes_on(series, &rule, common),
            // A precision is above zero, or the options would have been refused.
            Err(_) => made < MIN_RUNS_LAB,
        }
    }

    /// What figures with this `common` spread are judged by. What ends once its interval is narrow has
    /// it at the level that allows for many looks.
    pub(crate) fn goal(self, common: Option<CommonSpread>) -> Goal {
        let few_runs = match (self, common) {
            (_, None) => FewRuns::OwnSpread,
            (Repeat::Runs(_), Some(spread)) => FewRuns::CommonSpread(spread, Level::REPORTED),
            (_, Some(spread)) => FewRuns::CommonSpread(spread, Level::INTERNAL),
        };
        let asked = match self {
            Repeat::Precision(percent) => Goal::new(Some(percent), MIN_RUNS_LAB, MAX_RUNS).ok(),
            Repeat::Runs(_) | Repeat::TimeOfPasses(_) => None,
        };
        asked.unwrap_or_default().with_few_runs(few_runs)
    }
}

/// Whether a figure's runs are to go on that is neither narrow nor hopeless.
fn goes_on(series: &Series, rule: &StoppingRule, common: Option<&CommonSpread>) -> bool {
    series.sample().is_some_and(|sample| {
        let decision = match common {
            Some(common) => rule.decide_with(&sample, common),
            None => rule.decide(&sample),
        };
        let goes_on = matches!(decision, StopDecision::Continue { .. });
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
        Repeat::TimeOfPasses(3).is_open(&series_of(rates), None)
    }

    #[test]
    fn a_figure_alone_goes_on_until_it_is_narrow_or_hopeless() {
        assert!(is_open(&[1000, 1000]), "three passes are made anyway");
        assert!(is_open(&[1000, 1100, 900]), "a few more runs may do");
        assert!(!is_open(&[1000, 1001, 999, 1000, 1002, 998]));
        assert!(!is_open(&[1000, 10, 3000, 200, 5000, 1]));
    }
}
