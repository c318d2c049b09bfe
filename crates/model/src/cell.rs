//! The runs of one workload, gathered and judged.

use etalon_units::Nanos;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Finding, LatencyHistogram, Unit, Verdict, Workload};

/// An interval that covers the true value with the probability `level`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// Lower end.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub low: f64,
    /// Upper end.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub high: f64,
    /// Confidence level, for example 0.95.
    pub level: f64,
}

/// A figure that never stands alone: value, interval and count together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The estimate.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// Its interval; `None` when there are too few runs for one.
    pub interval: Option<Interval>,
    /// Number of runs behind it.
    pub runs: u32,
}

impl Estimate {
    /// Half the interval's width over the value; `None` without an interval or for a value of zero.
    pub fn relative_half_width(&self) -> Option<f64> {
        let interval = self.interval?;
        (self.value != 0.0).then(|| (interval.high - interval.low) / 2.0 / self.value.abs())
    }

    /// How far the farther end of the interval lies from the value, over the value: the interval of a median reaches
    /// further to the side of the few slow runs. `None` as for the half width.
    pub fn relative_reach(&self) -> Option<f64> {
        let interval = self.interval?;
        let farther = (interval.high - self.value).max(self.value - interval.low);
        (self.value != 0.0).then(|| farther / self.value.abs())
    }
}

/// Which statistic speaks for a cell: the median. The mean spoke for many cells of experiments that were
/// made before; they keep what was said of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Headline {
    /// The mean, with Student's t interval; in older experiments only.
    Mean,
    /// The median, with its interpolated order-statistic interval.
    Median,
}

/// A longer session than this is not proposed: the storage varies too much.
pub const LONGEST_PROPOSED: Nanos = Nanos::secs(3600);

/// What became of a precision that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Precision {
    /// The relative half width that was asked for, as a share: 0.05 is 5 %.
    pub asked: f64,
    /// Whether the interval is as narrow.
    pub reached: bool,
    /// Where it was not reached, the time that would be needed beyond what was spent, in
    /// nanoseconds; `None` when it cannot be told.
    pub needed_ns: Option<Nanos>,
}

/// One workload on one target under one set of conditions, with what its runs say together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// The cell's name within its experiment.
    pub name: String,
    /// What was done.
    pub workload: Workload,
    /// The unit of the figures.
    pub unit: Unit,
    /// Median over the runs.
    pub median: Estimate,
    /// Mean over the runs.
    pub mean: Estimate,
    /// Which of the two the verdict and the printed interval belong to.
    pub headline: Headline,
    /// The figure of every run that counts, in the order in which they ran.
    pub values: Vec<f64>,
    /// The latencies of these runs.
    pub latency: LatencyHistogram,
    /// Median over these runs of the share of bytes that the devices served; `None` without devices.
    pub device_share: Option<f64>,
    /// What the checks made of it, each finding once.
    pub findings: Vec<Finding>,
    /// Whether the figure is true.
    pub verdict: Verdict,
    /// What became of the precision that was asked for; `None` where none was.
    #[serde(default)]
    pub precision: Option<Precision>,
}

impl Cell {
    /// Whether one of several runs counted nothing, as one at a low rate may: nothing has a ratio to zero.
    pub fn has_a_zero(&self) -> bool {
        self.values.len() > 1 && self.values.iter().any(|value| *value <= 0.0)
    }

    /// Whether a precision was asked for that the interval does not reach.
    pub fn misses_precision(&self) -> bool {
        self.precision.is_some_and(|precision| !precision.reached)
    }

    /// The estimate that speaks for the cell; its interval always contains the median.
    pub fn estimate(&self) -> &Estimate {
        match self.headline {
            Headline::Mean => &self.mean,
            Headline::Median => &self.median,
        }
    }
}
