//! Times of several steps, or response times of web pages, around a middle, with the same as rows beside it.

use etalon_language::say;
use etalon_model::{Cell, Unit};
use etalon_picture::{Axis, DotRow, Radar, RadarFigure, RadarSeries, RowsChart, RunDot, Scale};
use etalon_stats::{Estimate, MIN_RUNS_LAB, Sample};

use super::super::measure::{Measure, of_time, tick};
use super::super::runs::tip;
use super::super::subject::is_drawn_by_run;
use super::super::{HtmlReport, Subject};
use super::{HALF, NARROW, Picture};
use crate::role::{figure_in, label};

/// Spokes of a radar that can be read.
const SPOKES: std::ops::RangeInclusive<usize> = 3..=12;

/// One time, in seconds.
struct Time<'a> {
    cell: &'a Cell,
    value: f64,
    interval: Option<(f64, f64)>,
    /// Those of the runs, by the numbers of these.
    runs: Vec<(u32, f64)>,
}

/// What the times are of.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Steps,
    Pages,
}

impl Kind {
    /// The times of this kind that a subject has.
    fn times(self, subject: &Subject) -> Vec<Time<'_>> {
        match self {
            Kind::Steps => {
                let cells = subject.cells.iter();
                cells.filter_map(|cell| step(subject, cell)).collect()
            }
            Kind::Pages => {
                let places = 0..subject.cells.len();
                places.filter_map(|place| page(subject, place)).collect()
            }
        }
    }

    fn claim(self) -> String {
        match self {
            Kind::Steps => say!("picture-radar-steps"),
            Kind::Pages => say!("picture-radar-pages"),
        }
    }

    fn note(self, unit: &str) -> String {
        match self {
            Kind::Steps => say!("picture-radar-steps-note", unit = unit),
            Kind::Pages => say!("picture-radar-pages-note", unit = unit),
        }
    }

    fn rows(self) -> String {
        match self {
            Kind::Steps => say!("picture-times-steps"),
            Kind::Pages => say!("picture-times-pages"),
        }
    }
}

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let kinds = [Kind::Steps, Kind::Pages];
    kinds
        .into_iter()
        .flat_map(|kind| of_kind(report, kind))
        .collect()
}

fn of_kind(report: &HtmlReport<'_>, kind: Kind) -> Vec<Picture> {
    let first = kind.times(&report.subjects[0]);
    if !SPOKES.contains(&first.len()) {
        return Vec::new();
    }
    let names: Vec<&str> = first.iter().map(|time| time.cell.name.as_str()).collect();
    let subjects = report.subjects.iter();
    let subjects: Vec<Vec<Time<'_>>> = subjects.map(|s| alike(kind.times(s), &names)).collect();
    let most = subjects.iter().flatten().map(top).fold(0.0, f64::max);
    let (divisor, unit) = of_time(most);
    let measure = Measure { divisor, unit };
    vec![
        radar(report, (kind, &subjects), measure, most),
        rows(report, (kind, &subjects), measure),
    ]
}

fn step<'a>(subject: &Subject, cell: &'a Cell) -> Option<Time<'a>> {
    let estimate = cell.estimate();
    let numbers = || subject.run_numbers(cell).into_iter();
    (cell.unit == Unit::Seconds && estimate.runs > 0).then(|| Time {
        cell,
        value: estimate.value,
        interval: estimate.interval.map(|i| (i.low, i.high)),
        runs: numbers().zip(cell.values.iter().copied()).collect(),
    })
}

/// The response time of a page, of each run that counts the median.
fn page(subject: &Subject, place: usize) -> Option<Time<'_>> {
    let cell = Some(&subject.cells[place]).filter(|cell| is_drawn_by_run(cell))?;
    let own = subject.counted(place);
    let runs: Vec<(u32, f64)> = own
        .filter_map(|run| Some((run.position + 1, run.p50?.as_secs_f64())))
        .collect();
    let sample = Sample::new(runs.iter().map(|(_, time)| *time).collect()).ok()?;
    let estimate = Estimate::of_runs(&sample);
    let interval = estimate.interval.filter(|_| estimate.n >= MIN_RUNS_LAB);
    Some(Time {
        cell,
        value: estimate.value,
        interval: interval.map(|i| (i.low, i.high)),
        runs,
    })
}

/// The times that bear the names of the first's, in their order, all or none.
fn alike<'a>(mut times: Vec<Time<'a>>, names: &[&str]) -> Vec<Time<'a>> {
    let mut take = |name: &&str| {
        let at = times.iter().position(|time| time.cell.name == **name)?;
        Some(times.swap_remove(at))
    };
    let found: Option<Vec<Time<'a>>> = names.iter().map(&mut take).collect();
    found.unwrap_or_default()
}

fn top(time: &Time<'_>) -> f64 {
    time.interval.map_or(time.value, |(_, high)| high)
}

fn radar(
    report: &HtmlReport<'_>,
    (kind, subjects): (Kind, &[Vec<Time<'_>>]),
    measure: Measure,
    most: f64,
) -> Picture {
    let figures = |times: &Vec<Time<'_>>| {
        let of = |time: &Time<'_>| {
            let interval = time.interval;
            RadarFigure {
                value: measure.scaled(time.value),
                interval: interval.map(|(low, high)| (measure.scaled(low), measure.scaled(high))),
                doubtful: !time.cell.verdict.is_valid(),
            }
        };
        times.iter().map(of).collect::<Vec<_>>()
    };
    let drawn = subjects
        .iter()
        .enumerate()
        .filter(|(_, times)| !times.is_empty());
    let chart = Radar {
        spokes: subjects[0].iter().map(|time| label(time.cell)).collect(),
        series: drawn
            .map(|(n, times)| RadarSeries {
                name: report.name(n),
                figures: figures(times),
            })
            .collect(),
        most: measure.scaled(most),
        ring: say!(
            "picture-ring",
            most = tick((measure.scaled(most) * 10.0).round() / 10.0),
            unit = measure.unit,
        ),
    };
    Picture {
        wide: chart.draw(HALF),
        narrow: chart.draw(NARROW),
        half: true,
        ..Picture::plain("radar", kind.claim(), kind.note(measure.unit))
    }
}

fn rows(
    report: &HtmlReport<'_>,
    (kind, subjects): (Kind, &[Vec<Time<'_>>]),
    measure: Measure,
) -> Picture {
    let rows: Vec<DotRow> = (0..subjects[0].len())
        .flat_map(|step| {
            subjects
                .iter()
                .enumerate()
                .map(move |(n, times)| (n, step, times))
        })
        .filter_map(|(n, step, times)| Some(row(report, n, times.get(step)?, measure)))
        .collect();
    let title = measure.axis_from_zero();
    let places = rows.iter().flat_map(|row| {
        let high = row.interval.map(|(_, high)| high);
        row.runs.iter().map(|run| run.value).chain(high)
    });
    let chart = RowsChart {
        axis: Axis {
            scale: Scale::from_zero(places.collect::<Vec<_>>()),
            title: &title,
            format: tick,
        },
        rows,
        equal: None,
        base: None,
    };
    Picture {
        wide: chart.draw(HALF),
        narrow: chart.draw(NARROW),
        half: true,
        ..Picture::plain("times", say!("picture-times"), kind.rows())
    }
}

fn row(report: &HtmlReport<'_>, n: usize, time: &Time<'_>, measure: Measure) -> DotRow {
    let interval = time.interval;
    let figure = |value| figure_in(value, Unit::Seconds, false).to_string();
    let runs = time.runs.iter().map(|(number, value)| RunDot {
        value: measure.scaled(*value),
        tip: tip(*number, figure(*value)),
    });
    DotRow {
        name: match report.subjects.len() > 1 {
            true => format!("{}, {}", label(time.cell), report.name(n)),
            false => label(time.cell),
        },
        value: measure.scaled(time.value),
        interval: interval.map(|(low, high)| (measure.scaled(low), measure.scaled(high))),
        runs: runs.collect(),
        text: figure(time.value),
        doubtful: !time.cell.verdict.is_valid(),
        colour: (n % 12) as u8,
    }
}
