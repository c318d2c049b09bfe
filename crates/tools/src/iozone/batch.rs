//! The rows of one file size, measured together: each pass goes over all of them, so that what
//! changes with time touches all alike, and their figures learn from one another how runs scatter.

use etalon_model::{Run, TaskFigure, TaskWorkload};
use etalon_stats::{CommonSpread, Sample};

use super::columns::names_of;
use super::measure::Bench;
use super::parameters::parameters;
use super::series::Series;
use super::verdict_text::name_of;
use super::{GridRow, Repeat};

/// A row of the table with the runs of its operations.
#[derive(Debug, Clone)]
pub(crate) struct RowSeries {
    pub(crate) row: GridRow,
    pub(crate) all: Vec<BatchFigure>,
}

/// All runs of one figure, and what their records are called.
#[derive(Debug, Clone)]
pub(crate) struct BatchFigure {
    pub(crate) series: Series,
    /// The cell's name.
    pub(crate) cell: String,
    pub(crate) workload: TaskWorkload,
}

impl BatchFigure {
    /// Whether it was measured at all.
    pub(crate) fn is_begun(&self) -> bool {
        !self.series.measured.is_empty()
    }
}

impl RowSeries {
    fn new(bench: &Bench<'_>, row: GridRow, workers: Option<usize>) -> RowSeries {
        let settings = bench.settings(row);
        let parameters = parameters(&settings, bench.options, workers);
        let figure = TaskFigure::Throughput;
        let all = bench
            .options
            .operations()
            .into_iter()
            .map(|op| BatchFigure {
                series: Series::new(op),
                cell: name_of(op, row, workers),
                workload: TaskWorkload::of_texts(
                    "iozone",
                    names_of(op).plain,
                    figure,
                    parameters.clone(),
                ),
            });
        RowSeries {
            row,
            all: all.collect(),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.all.iter().any(|figure| figure.series.open)
    }

    /// The place of the operation that lays the file out for all others: the first that begins with a
    /// new file, so that a later one need not be made once its series is closed.
    pub(crate) fn layer(&self) -> Option<usize> {
        let mut all = self.all.iter();
        all.position(|figure| figure.series.op.creates())
    }
}

/// Rows that were measured together.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) rows: Vec<RowSeries>,
    /// What their figures have in common; `None` where they are too few.
    pub(crate) common: Option<CommonSpread>,
    /// The runs of all, in the order in which they were made.
    pub(crate) runs: Vec<Run>,
}

impl Batch {
    pub(crate) fn new(bench: &Bench<'_>, rows: &[GridRow], workers: Option<usize>) -> Batch {
        let rows = rows.iter().map(|&row| RowSeries::new(bench, row, workers));
        Batch {
            rows: rows.collect(),
            common: None,
            runs: Vec::new(),
        }
    }

    /// Decides of each series whether it goes on; whether any does.
    pub(crate) fn decide(&mut self, repeat: Repeat) -> bool {
        let figures = || self.rows.iter().flat_map(|row| &row.all);
        let samples: Option<Vec<Sample>> = figures().map(|f| f.series.sample()).collect();
        self.common = samples.and_then(|samples| CommonSpread::of(&samples));
        let common = self.common.as_ref();
        let mut any = false;
        for figure in self.rows.iter_mut().flat_map(|row| &mut row.all) {
            let series = &mut figure.series;
            series.open = series.open && repeat.is_open(series, common);
            any |= series.open;
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_file_ops::FileOp::{self, *};
    use etalon_units::Bytes;

    fn layer(operations: &[FileOp]) -> Option<usize> {
        let figure = |&op: &FileOp| BatchFigure {
            series: Series::new(op),
            cell: String::new(),
            workload: TaskWorkload::of_texts(
                "iozone",
                "",
                TaskFigure::Throughput,
                Default::default(),
            ),
        };
        let row = GridRow {
            size: Bytes::kib(64),
            record: Bytes::kib(4),
        };
        let all = operations.iter().map(figure).collect();
        RowSeries { row, all }.layer()
    }

    #[test]
    fn one_operation_lays_the_file_out_for_the_row() {
        assert_eq!(layer(&[Write, Rewrite, Fwrite, Frewrite]), Some(0));
        assert_eq!(layer(&[RandomRead, Fwrite, Frewrite, Fread]), Some(1));
        assert_eq!(layer(&[Read, Reread]), None);
    }
}
