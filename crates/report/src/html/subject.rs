//! What a report holds of an experiment: its judged cells, a line for each run, and the course of a few.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use etalon_model::stack::Recording;
use etalon_model::{
    Cell, EnvironmentRecord, Experiment, ExperimentHeader, LatencyHistogram, RebuildRecord, Run,
    RunHeadline, SeriesPoint, TotalTime,
};
use etalon_units::Nanos;

/// Of so many cells at most, latencies and the course of runs are drawn.
pub const DETAILED: usize = 6;

/// The work whose clients wait for pages.
const WEB: &str = "web";

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
    /// How many operations each tenth of a decade has, by its number: `n` is from 10^(n/10) ns on; of few cells only.
    pub classes: BTreeMap<i32, u64>,
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
    /// The timed part, which the points cover.
    pub timed: Nanos,
    /// What of the run before that was left out of the figures; `None` of work that is no I/O, whose recording
    /// covers more than the run.
    pub left_out: Option<Nanos>,
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
    /// Its runs with the places of their cells, in the order in which they were made.
    pub(super) runs: Vec<(usize, RunHeadline)>,
    /// Those of them that are in no figure of their cell, by their places in the order of all.
    left_out: BTreeSet<u32>,
    /// What the passes of all runs took, also of those that are left out.
    time: TotalTime,
    /// Where each cell stands in the list, by its name.
    places: BTreeMap<String, usize>,
    /// The course of a few runs.
    pub series: Vec<RunSeries>,
    /// What each page took, of each run of a cell whose pages came one after another, by the cell's place.
    pub(super) pages: BTreeMap<usize, Vec<Vec<Nanos>>>,
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
            left_out: BTreeSet::new(),
            time: TotalTime::default(),
            places: BTreeMap::new(),
            series: Vec::new(),
            pages: BTreeMap::new(),
            environments: Vec::new(),
        }
    }

    /// The subject of an experiment that is whole in memory.
    pub fn of(experiment: &Experiment, when: String) -> Subject {
        let mut subject = Subject::begun(experiment.header.clone(), when);
        for cell in &experiment.cells {
            subject.add_cell(cell.clone());
        }
        subject.leave_out_of(experiment);
        for run in &experiment.runs {
            subject.add_run(RunHeadline::of(run));
            subject.add_pages(run);
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
        self.places.insert(cell.name.clone(), self.cells.len());
        self.cells.push(cell);
    }

    /// Takes a run, in the order in which they were made; one of a cell that is not there is left out.
    pub fn add_run(&mut self, run: RunHeadline) {
        self.time.add(&run);
        if let Some(&place) = self.places.get(&run.cell) {
            self.runs.push((place, run));
        }
    }

    /// Leaves those of a cell's own runs that are in no figure of it out of pictures; the table of runs marks them.
    pub fn leave_out(&mut self, cell: &Cell, own: &[&Run]) {
        let counted: BTreeSet<u32> = cell.counted(own).iter().map(|run| run.position).collect();
        let places = own.iter().map(|run| run.position);
        self.left_out
            .extend(places.filter(|place| !counted.contains(place)));
    }

    /// Whether a run is in the figures of its cell, as far as was told.
    pub fn counts(&self, position: u32) -> bool {
        !self.left_out.contains(&position)
    }

    /// The cells of which [`Subject::leave_out`] is to be told where the runs are not whole in memory: those that have more
    /// runs than count.
    pub fn wanted_counts(&self) -> Vec<Cell> {
        let mut made = vec![0; self.cells.len()];
        self.runs.iter().for_each(|(place, _)| made[*place] += 1);
        let cells = self.cells.iter().zip(made);
        let wanted = cells.filter(|(cell, made)| *made != cell.values.len());
        wanted.map(|(cell, _)| cell.clone()).collect()
    }

    /// Of which runs the course is drawn: cell and position of the run in the middle of those that count of each of
    /// the first cells.
    pub fn wanted_series(&self) -> Vec<(usize, u32)> {
        let of_cell = |cell: usize| {
            let runs: Vec<&RunHeadline> = self.counted(cell).collect();
            runs.get(runs.len() / 2).map(|run| (cell, run.position))
        };
        (0..self.cells.len().min(DETAILED))
            .filter_map(of_cell)
            .collect()
    }

    /// The runs that are in the figures of the cell at this place, in their order.
    pub(super) fn counted(&self, cell: usize) -> impl Iterator<Item = &RunHeadline> {
        let own = self.runs.iter().filter(move |(place, _)| *place == cell);
        own.map(|(_, run)| run)
            .filter(|run| self.counts(run.position))
    }

    /// The numbers that the table of all runs has for those behind the values of a cell. Where they are not kept, the values
    /// are counted.
    pub(super) fn run_numbers(&self, cell: &Cell) -> Vec<u32> {
        let place = self.places.get(&cell.name);
        let runs = place.into_iter().flat_map(|place| self.counted(*place));
        let numbers: Vec<u32> = runs.map(|run| run.position + 1).collect();
        match numbers.len() == cell.values.len() {
            true => numbers,
            false => (1..).take(cell.values.len()).collect(),
        }
    }

    /// How long it took; what lies between sessions is none of it.
    pub(super) fn elapsed(&self) -> Nanos {
        self.header.elapsed(self.time.nanos())
    }

    fn leave_out_of(&mut self, experiment: &Experiment) {
        let mut by_cell: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
        for run in &experiment.runs {
            by_cell.entry(&run.cell).or_default().push(run);
        }
        for cell in &experiment.cells {
            let own = by_cell.get(&*cell.name);
            self.leave_out(cell, own.map_or(&[], Vec::as_slice));
        }
    }

    fn add_pages(&mut self, run: &Run) {
        let service = run.measurement.service.as_ref();
        let times = service.map_or(&[][..], |service| &service.operation_times);
        if let Some(&place) = self.places.get(&run.cell)
            && self.counts(run.position)
            && !times.is_empty()
        {
            self.pages.entry(place).or_default().push(times.to_vec());
        }
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

/// Whether its response times, which stand in no cell, are drawn of each run.
pub(super) fn is_drawn_by_run(cell: &Cell) -> bool {
    let task = cell.workload.task();
    task.is_some_and(|task| task.work == WEB)
}

impl RunSeries {
    /// The course of a run of the cell at this place.
    pub fn of(run: &Run, cell: usize) -> RunSeries {
        let mut levels = run.circumstances.levels.iter();
        RunSeries {
            cell,
            position: run.position,
            points: run.measurement.series.clone(),
            timed: run.measurement.duration,
            left_out: run.workload.io().map(|io| io.warm_up),
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
            classes: match detailed {
                true => tenths(latency),
                false => BTreeMap::new(),
            },
        }
    }
}

/// Every operation in its tenth of a decade.
fn tenths(latency: &LatencyHistogram) -> BTreeMap<i32, u64> {
    let mut classes = BTreeMap::new();
    for (nanos, count) in latency.recorded() {
        // A logarithm that falls short of a round one by its last bit is of the class that begins there.
        let class = (nanos.get().max(1) as f64).log10() * 10.0 + 1e-9;
        *classes.entry(class.floor() as i32).or_default() += count;
    }
    classes
}
