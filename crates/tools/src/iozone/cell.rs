//! One figure: what its runs say together and how far it can be trusted.

use etalon_file_ops::FileOp;
use etalon_judge::{Goal, Sifted, sift};
use etalon_model::{self as model, Ended, Run};
use etalon_stats::Level;
use etalon_units::Bytes;

use super::batch::BatchFigure;
use super::series::Measured;
use super::{GridRow, Unit};

/// One operation at one size, over all its runs.
#[derive(Debug, Clone)]
pub struct Cell {
    /// What was done.
    pub op: FileOp,
    /// At which sizes.
    pub row: GridRow,
    /// By how many workers; `None` for one file without a group.
    pub workers: Option<usize>,
    /// Its figure in bytes per second, the findings, and how far it can be trusted.
    pub judged: model::Cell,
    /// Whether its interval comes from the spread that many figures have in common.
    pub uses_common_spread: bool,
    /// What the workers of a group came to.
    pub(crate) group: GroupRates,
    /// The run in the middle: half of the others were not faster.
    pub(crate) middle: Option<Measured>,
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

impl Cell {
    /// Judges the `runs` of a figure; `None` when there are none. Of a series that did not end well all
    /// runs count.
    pub(crate) fn judge(
        figure: BatchFigure,
        (row, workers): (GridRow, Option<usize>),
        runs: &[&Run],
        goal: &Goal,
    ) -> Option<Cell> {
        let BatchFigure { series, cell, .. } = figure;
        let cut = series.cut();
        let sifted = match cut {
            None => sift(runs),
            Some(_) => Sifted::ended_early(runs),
        }?;
        let counts = |run: &Run| sifted.kept.iter().any(|kept| std::ptr::eq(*kept, run));
        let measured = series.measured.into_iter().zip(runs);
        let counted = measured.filter(|(_, run)| counts(run));
        let mut by_rate: Vec<Measured> = counted.map(|(measured, _)| measured).collect();
        by_rate.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
        let middle = by_rate.len().saturating_sub(1) / 2;
        Some(Cell {
            op: series.op,
            row,
            workers,
            judged: sifted.judge(&cell, goal)?,
            uses_common_spread: false,
            group: GroupRates::of(&by_rate),
            middle: by_rate.into_iter().nth(middle),
            cut,
        })
    }

    /// The figure for the table.
    pub(crate) fn figure(&self, unit: Unit) -> f64 {
        unit.of(self.judged.estimate().value, self.record())
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

    /// `1058013 kB/sec ±2.1 % (95 %, n=3)`, the figure as in the table, or why there is no interval.
    pub(crate) fn estimate_text(&self, unit: Unit) -> String {
        let estimate = self.judged.estimate();
        let figure = format!("{:.0} {}", self.figure(unit), unit.rate_name());
        let (level, runs) = (Level::REPORTED, estimate.runs);
        match estimate.relative_half_width() {
            Some(half) => format!("{figure} ±{:.1} % ({level}, n={runs})", half * 100.0),
            None => format!("{figure} (no interval, n={runs})"),
        }
    }
}
