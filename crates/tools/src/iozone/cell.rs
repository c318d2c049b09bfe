//! One figure: what its runs say together and how far it can be trusted.

use etalon_file_ops::FileOp;
use etalon_model::{Ended, Finding, Severity, Verdict};
use etalon_stats::{CommonSpread, Estimate, MIN_RUNS_LAB};
use etalon_units::{ByteRate, Bytes, Nanos};

use super::repeat::Repeat;
use super::series::{Measured, Series};
use super::{Row, Unit};

/// One operation at one size, over all its runs.
#[derive(Debug, Clone)]
pub struct Cell {
    /// What was done.
    pub op: FileOp,
    /// At which sizes.
    pub row: Row,
    /// By how many workers; `None` for one file without a group.
    pub workers: Option<usize>,
    /// The estimate of the rate in bytes per second; `None` when nothing was moved.
    pub estimate: Option<Estimate>,
    /// Whether its interval leans on what many figures have in common.
    pub leans: bool,
    /// What the workers of a group came to.
    pub(crate) group: GroupRates,
    /// The run in the middle: half of the others were not faster.
    pub(crate) middle: Option<Measured>,
    /// What the checks made of it.
    pub findings: Vec<Finding>,
    /// How far it can be trusted.
    pub verdict: Verdict,
    /// Whether its interval is wider than was asked for.
    pub misses_precision: bool,
    /// How the last run ended, where it did not end well.
    pub cut: Option<Ended>,
}

/// Rates of a group in bytes per second, of the run in the middle; of an even number of runs the mean of the two in the
/// middle, as the figure is. So the workers add up to the figure, and none of several statistics stands beside another.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct GroupRates {
    /// All bytes over the time from the common start to the last end.
    pub(crate) parent: f64,
    /// Of each worker.
    pub(crate) workers: Vec<f64>,
}

impl GroupRates {
    /// Of runs by their rate.
    fn of(by_rate: &[Measured]) -> GroupRates {
        let (lower, upper) = (by_rate.len().saturating_sub(1) / 2, by_rate.len() / 2);
        let (Some(lower), Some(upper)) = (by_rate.get(lower), by_rate.get(upper)) else {
            return GroupRates::default();
        };
        let both = lower.worker_rates().into_iter().zip(upper.worker_rates());
        GroupRates {
            parent: f64::midpoint(lower.parent_rate(), upper.parent_rate()),
            workers: both.map(|(a, b)| f64::midpoint(a, b)).collect(),
        }
    }

    /// The slowest worker.
    pub(crate) fn least(&self) -> f64 {
        self.workers.iter().copied().reduce(f64::min).unwrap_or(0.0)
    }

    /// The fastest worker.
    pub(crate) fn most(&self) -> f64 {
        self.workers.iter().copied().reduce(f64::max).unwrap_or(0.0)
    }
}

/// What a series is judged by.
pub(crate) struct CellGoal<'a> {
    /// The relative half width that was asked for, if any was.
    pub(crate) precision: Option<f64>,
    pub(crate) repeat: &'a Repeat,
    /// What the figures measured with it have in common.
    pub(crate) common: Option<&'a CommonSpread>,
}

impl Cell {
    /// Judges a series as every cell is judged: valid with an interval and without a grave finding.
    pub(crate) fn judge(
        series: Series,
        row: Row,
        workers: Option<usize>,
        goal: &CellGoal<'_>,
        findings: Vec<Finding>,
    ) -> Cell {
        let cut = series.cut();
        let sample = series.sample();
        let estimate = sample
            .as_ref()
            .map(|sample| goal.repeat.estimate(sample, goal.common));
        let verdict = verdict(&cut, &findings, estimate.as_ref(), &series);
        let half = estimate.as_ref().and_then(Estimate::relative_half_width);
        let is_wide = |asked| half.is_none_or(|half| half > asked);
        let mut by_rate = series.measured;
        by_rate.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
        let group = GroupRates::of(&by_rate);
        let middle = by_rate.len().saturating_sub(1) / 2;
        let middle = by_rate.into_iter().nth(middle);
        Cell {
            op: series.op,
            row,
            workers,
            estimate,
            leans: goal.common.is_some(),
            group,
            middle,
            findings,
            verdict,
            misses_precision: goal.precision.is_some_and(is_wide),
            cut,
        }
    }

    /// The figure for the table.
    pub(crate) fn figure(&self, unit: Unit) -> f64 {
        self.estimate
            .map_or(0.0, |estimate| unit.of(estimate.value, self.record()))
    }

    /// Bytes of a record: where a list says each, those of the run in the middle on average.
    pub(crate) fn record(&self) -> f64 {
        if self.row.record > Bytes::ZERO {
            return self.row.record.as_f64();
        }
        let passes = || self.middle.iter().flat_map(|run| &run.passes);
        let bytes: u64 = passes().map(|pass| pass.bytes.get()).sum();
        let records: u64 = passes().map(|pass| pass.operations).sum();
        bytes.max(1) as f64 / records.max(1) as f64
    }

    /// Processor time over the time of the clock, in percent.
    pub(crate) fn cpu_percent(&self) -> f64 {
        let Some(middle) = &self.middle else {
            return 0.0;
        };
        let wall = middle.elapsed.as_secs_f64();
        if wall > 0.0 {
            middle.cpu().as_secs_f64() / wall * 100.0
        } else {
            0.0
        }
    }

    /// `1.01 GiB/s ±2.1 % (95 %, n=3)`, or why there is no interval.
    pub(crate) fn estimate_text(&self) -> String {
        let Some(estimate) = &self.estimate else {
            return "no figure".to_owned();
        };
        let (rate, runs) = (ByteRate(estimate.value), estimate.n);
        match estimate.relative_half_width() {
            Some(half) => format!(
                "{rate} ±{:.1} % ({}, n={runs})",
                half * 100.0,
                estimate.level
            ),
            None => format!("{rate} (no interval, n={runs})"),
        }
    }
}

fn verdict(
    cut: &Option<Ended>,
    findings: &[Finding],
    estimate: Option<&Estimate>,
    series: &Series,
) -> Verdict {
    let grave = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Invalid);
    let reasons: Vec<String> = grave.map(|finding| finding.code.clone()).collect();
    if !reasons.is_empty() {
        return Verdict::Invalid { reasons };
    }
    if cut.is_none() && estimate.is_some_and(|estimate| estimate.interval.is_some()) {
        return Verdict::Valid;
    }
    let made = series.measured.len();
    let needed = (made > 0).then(|| {
        let more = MIN_RUNS_LAB.saturating_sub(made).max(1) as u64;
        let spent: u64 = series.measured.iter().map(|m| m.elapsed.0).sum();
        Nanos(spent / made as u64 * more)
    });
    Verdict::Undecided { needed }
}
