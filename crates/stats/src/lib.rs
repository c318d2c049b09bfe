//! How sure a measurement is: intervals, stopping rules, steadiness, comparisons and rankings.
//!
//! The main types are [`Sample`] (finite values in the order they were measured, checked once at
//! the door), [`Level`] (a confidence level), [`Estimate`] (a value that carries its interval and
//! its count, so that no number can be printed alone), [`StoppingRule`] (when to stop repeating),
//! [`Comparison`] (the verdict on two arms) and [`Ranking`] (on many). Every method is a pure
//! function of its arguments; nothing here knows what was measured or in which unit.
//!
//! A caller makes a [`Sample`] of the windows of one run and asks where warm-up ends
//! ([`Sample::warm_up`]), whether it settled ([`Sample::steady_state`]) and whether its level
//! shifted ([`Sample::level_shift`], [`Sample::regimes`]); then a [`Sample`] of one value per run,
//! for an [`Estimate`] at a [`Level`], and gives it to a [`StoppingRule`] to learn whether to go
//! on; last, [`compare_paired`] and [`rank`] put arms side by side. Each module states its method
//! in words, its formula and the paper it comes from.
//!
//! ```
//! use etalon_stats::{Estimate, Sample};
//!
//! let runs = Sample::new(vec![812.0, 805.0, 820.0, 808.0, 815.0, 811.0, 809.0])?;
//! let estimate = Estimate::of_runs(&runs);
//! assert_eq!(estimate.n, 7);
//! assert!(estimate.interval.is_some_and(|interval| interval.contains(810.0)));
//! # Ok::<(), etalon_stats::SampleError>(())
//! ```

mod bimodality;
mod common_spread;
mod comparison;
mod components;
mod dependence;
mod distributions;
mod estimate;
mod fourier;
mod holm;
mod interaction;
mod letters;
mod level;
mod line;
mod mean;
mod median;
mod passport;
mod planning;
mod prediction;
mod proportion;
mod ranking;
mod ratio;
mod regimes;
mod run_counts;
mod sample;
mod shift;
mod steady;
mod stopping;
mod summary;
mod trend;
mod warmup;
mod within_run;

pub use bimodality::Bimodality;
pub use common_spread::{CommonSpread, MIN_FIGURES};
pub use comparison::{Comparison, ComparisonVerdict, Margin, MarginError, compare, compare_paired};
pub use components::{Components, ComponentsError, components};
pub use estimate::{Estimate, Interval, Statistic};
pub use holm::{holm, screen};
pub use interaction::{Interaction, interaction};
pub use level::{Level, LevelError};
pub use median::{RankPair, median_ranks};
pub use passport::{NoisePassport, PASSPORT_RUNS, PassportChange, PassportError};
pub use planning::{
    PLANNED_POWER, PlanningError, median_runs_needed, paired_runs_to_detect, runs_needed,
    runs_to_detect, smallest_detectable,
};
pub use prediction::{PredictionBound, upper_prediction_bound};
pub use proportion::proportion_upper_bound;
pub use ranking::{Better, PairTest, Ranking, RankingError, rank};
pub use ratio::{Design, Ratio, RatioError, paired_ratio, ratio, ratio_by};
pub use regimes::{Regime, Regimes};
pub use run_counts::{MAX_RUNS, MIN_RUNS_LAB, MIN_RUNS_OF_MANY, MIN_RUNS_OF_OWN_SPREAD};
pub use sample::{MAX_MAGNITUDE, Sample, SampleError};
pub use shift::{LevelShift, SHIFT_CRITICAL, SHIFT_MIN_EFFECTIVE_N};
pub use steady::{
    DRIFT_MARGIN, DRIFT_PARTS, DriftCheck, SNIA_RANGE, SNIA_RISE, SNIA_ROUNDS, SniaCheck,
    Steadiness, SteadyState, snia_check,
};
pub use stopping::{DEFAULT_LOOKS, StopDecision, StoppingRule, StoppingRuleError, look_schedule};
pub use summary::Summary;
pub use trend::{SessionTrend, TrendError, session_trend};
pub use warmup::WarmUp;
pub use within_run::{MIN_EFFECTIVE_N, WithinRun};
