//! What a report holds of an experiment: its judged cells, a line for each run, and the course of a few.

use std::collections::BTreeMap;
use std::sync::Arc;

use etalon_model::stack::Recording;
use etalon_model::{
    Cell, EnvironmentRecord, Experiment, ExperimentHeader, LatencyHistogram, RebuildRecord, Run,
    SeriesPoint,
};
use etalon_units::Nanos;

/// Of so many cells at most, latencies and the course of runs are drawn.
pub const DETAILED: usize = 6;

/// The latencies of a cell, as its pictures need them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LatencyGist {
    /// Number of operations.
    pub count: u64,
    /// Percentiles that the count allows.
    pub p50: Option<Nanos>,
    /// The 99th.
    pub p99: Option<Nanos>,
    /// The 99.9th.
    pub p999: Option<Nanos>,
    /// Shares of the operations and the latency that so many do not exceed; of few cells only.
    pub curve: Vec<(f64, f64)>,
}

/// One run, as a line of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct RunGist {
    /// Its cell, by its place in the list of cells.
    pub cell: usize,
    /// Its block.
    pub block: u32,
    /// Its place in the order of all.
    pub position: u32,
    /// When it started, in nanoseconds since 1970-01-01 UTC.
    pub started_unix_ns: i64,
    /// The timed part.
    pub duration: Nanos,
    /// Operations per second; zero where another program did not tell them.
    pub operations_per_s: f64,
    /// Bytes per second; zero likewise.
    pub bytes_per_s: f64,
    /// Median latency.
    pub p50: Option<Nanos>,
    /// 99th percentile.
    pub p99: Option<Nanos>,
    /// Longest latency.
    pub max: Option<Nanos>,
}

/// The course of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSeries {
    /// Its cell, by its place in the list of cells.
    pub cell: usize,
    /// Its place in the order of all.
    pub position: u32,
    /// A point each 100 ms.
    pub points: Vec<SeriesPoint>,
    /// What the monitor saw.
    pub recording: Option<Recording>,
    /// The rebuild of an array that it was to be beside.
    pub rebuild: Option<RebuildRecord>,
}

/// One experiment.
#[derive(Debug, Clone)]
pub struct Subject {
    header: ExperimentHeader,
    /// When it was begun, as people of the place write it.
    pub when: String,
    /// Its cells; what pictures need of their histograms is in `latencies`.
    pub cells: Vec<Cell>,
    /// The latencies of each cell.
    pub latencies: Vec<LatencyGist>,
    /// Its runs, in the order in which they were made.
    pub runs: Vec<RunGist>,
    /// The course of a few runs.
    pub series: Vec<RunSeries>,
    /// The environments of its runs, in the order in which they came.
    pub environments: Vec<Arc<EnvironmentRecord>>,
}

impl Subject {
    /// One without anything that was measured yet.
    pub fn begun(header: ExperimentHeader, when: String) -> Subject {
        Subject {
            header,
            when,
            cells: Vec::new(),
            latencies: Vec::new(),
            runs: Vec::new(),
            series: Vec::new(),
            environments: Vec::new(),
        }
    }

    /// The subject of an experiment that is whole in memory.
    pub fn of(experiment: &Experiment, when: String) -> Subject {
        let mut subject = Subject::begun(experiment.header.clone(), when);
        for cell in &experiment.cells {
            subject.add_cell(cell.clone());
        }
        let places = subject.places();
        let nowhere = subject.cells.len();
        for run in &experiment.runs {
            let place = places.get(&run.cell).copied().unwrap_or(nowhere);
            subject.add_run(RunGist::of(run, place));
            subject.add_environment(run);
        }
        for (cell, position) in subject.wanted_series() {
            let mut runs = experiment.runs.iter();
            if let Some(run) = runs.find(|run| run.position == position) {
                subject.series.push(RunSeries::of(run, cell));
            }
        }
        subject
    }

    /// What was known before the first run.
    pub fn header(&self) -> &ExperimentHeader {
        &self.header
    }

    /// Takes a cell, in the order of the table.
    pub fn add_cell(&mut self, cell: Cell) {
        let detailed = self.cells.len() < DETAILED;
        self.latencies
            .push(LatencyGist::of(&cell.latency, detailed));
        self.cells.push(cell);
    }

    /// Takes a run, in the order in which they were made; one of a cell that is not there is left out.
    pub fn add_run(&mut self, run: RunGist) {
        if run.cell < self.cells.len() {
            self.runs.push(run);
        }
    }

    /// Where each cell stands in the list, by its name.
    pub fn places(&self) -> BTreeMap<String, usize> {
        let cells = self.cells.iter().enumerate();
        cells
            .map(|(place, cell)| (cell.name.clone(), place))
            .collect()
    }

    /// Of which runs the course is drawn: cell and position of the run in the middle of each of the
    /// first cells.
    pub fn wanted_series(&self) -> Vec<(usize, u32)> {
        let of_cell = |cell: usize| {
            let runs: Vec<&RunGist> = self.runs.iter().filter(|run| run.cell == cell).collect();
            runs.get(runs.len() / 2).map(|run| (cell, run.position))
        };
        (0..self.cells.len().min(DETAILED))
            .filter_map(of_cell)
            .collect()
    }

    /// How long it took; zero while it runs.
    pub(super) fn elapsed(&self) -> Nanos {
        let begun = self.header.begun.started_unix_ns;
        let ended = self.header.ended_unix_ns.unwrap_or(begun);
        Nanos(ended.saturating_sub(begun).unsigned_abs())
    }

    fn add_environment(&mut self, run: &Run) {
        let mark = run.circumstances.environment.as_ref();
        if let Some(record) = mark.and_then(|mark| mark.record.clone())
            && !self
                .environments
                .iter()
                .any(|seen| seen.manifest.hash == record.manifest.hash)
        {
            self.environments.push(record);
        }
    }
}

impl RunGist {
    /// The line of a run of the cell at this place.
    pub fn of(run: &Run, cell: usize) -> RunGist {
        let measurement = &run.measurement;
        let latency = measurement.latency();
        RunGist {
            cell,
            block: run.block,
            position: run.position,
            started_unix_ns: run.started_unix_ns,
            duration: measurement.duration,
            operations_per_s: run.operations_per_second().unwrap_or(0.0),
            bytes_per_s: run.bytes_per_second().unwrap_or(0.0),
            p50: latency.tail_quantile(0.5),
            p99: latency.tail_quantile(0.99),
            max: latency.max(),
        }
    }
}

impl RunSeries {
    /// The course of a run of the cell at this place.
    pub fn of(run: &Run, cell: usize) -> RunSeries {
        let mut levels = run.circumstances.levels.iter();
        RunSeries {
            cell,
            position: run.position,
            points: run.measurement.series.clone(),
            recording: run.circumstances.recording.clone(),
            rebuild: levels.find_map(|level| level.rebuild.clone()),
        }
    }
}

impl LatencyGist {
    /// The latencies, with their curve where it is wanted.
    pub fn of(latency: &LatencyHistogram, detailed: bool) -> LatencyGist {
        let shares = (0..60).map(|n| 1.0 - 10f64.powf(-f64::from(n) / 12.0));
        let at = |share: f64| Some((share, latency.quantile(share)?.get() as f64));
        // Fewer than ten operations beyond a place are accidents.
        let told = |share: &f64| latency.count() as f64 * (1.0 - share) >= 10.0;
        LatencyGist {
            count: latency.count(),
            p50: latency.tail_quantile(0.5),
            p99: latency.tail_quantile(0.99),
            p999: latency.tail_quantile(0.999),
            curve: match detailed {
                true => shares.filter(told).filter_map(at).collect(),
                false => Vec::new(),
            },
        }
    }
}
