//! How sure a measurement is: intervals, stopping rules, steadiness, comparisons and rankings.
//!
//! The main types are [`Sample`] (finite values in the order they were measured, checked once at
//! the door), [`Level`] (a confidence level), [`Estimate`] (a value that carries its interval and
//! its count, so that no number can be printed alone) and [`StoppingRule`] (when to stop
//! repeating). Every method is a pure function of its arguments; nothing here knows what was
//! measured or in which unit.
//!
//! A caller makes a [`Sample`], asks it for an [`Estimate`] at a [`Level`], and gives it to a
//! [`StoppingRule`] to learn whether to go on. Each module states its method in words, its
//! formula and the paper it comes from.

mod bimodality;
mod distributions;
mod estimate;
mod level;
mod line;
mod mean;
mod median;
mod percentile;
mod planning;
mod sample;
mod stopping;
mod summary;
mod trend;

pub use bimodality::Bimodality;
pub use estimate::{Estimate, Interval, Statistic};
pub use level::{Level, LevelError};
pub use median::median_ranks;
pub use percentile::{
    MIN_EXCEEDANCES, PercentileError, PercentileRank, RankPair, exceedances, min_n_two_sided,
    min_n_upper_bound, percentile_ranks,
};
pub use planning::{
    PLANNED_POWER, PlanningError, paired_runs_to_detect, runs_needed, runs_to_detect,
    smallest_detectable,
};
pub use sample::{MAX_MAGNITUDE, Sample, SampleError};
pub use stopping::{
    DEFAULT_LOOKS, MAX_RUNS, MIN_RUNS_LAB, MIN_RUNS_PUBLICATION, StopDecision, StoppingRule,
    StoppingRuleError, look_schedule,
};
pub use summary::Summary;
pub use trend::{SessionTrend, TrendError, session_trend};
