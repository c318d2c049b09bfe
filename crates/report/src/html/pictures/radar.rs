//! Times of several pages or steps around a middle, with the same as rows beside it.

use etalon_model::{Cell, Unit};
use etalon_picture::{Axis, DotRow, Radar, RadarSeries, RowsChart, Scale};

use super::super::measure::{Measure, tick};
use super::super::{HtmlReport, Subject};
use super::{HALF, NARROW, Picture, summary};
use crate::role::label;

/// Spokes of a radar that can be read.
const SPOKES: std::ops::RangeInclusive<usize> = 3..=12;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let first = timed(&report.subjects[0]);
    if !SPOKES.contains(&first.len()) {
        return Vec::new();
    }
    let subjects: Vec<Vec<&Cell>> = report.subjects.iter().map(|s| alike(s, &first)).collect();
    let most = subjects
        .iter()
        .flatten()
        .map(|cell| top(cell))
        .fold(0.0, f64::max);
    let measure = Measure::of(first[0], most);
    vec![
        radar(report, &subjects, measure, most),
        rows(report, &subjects, measure),
    ]
}

fn timed(subject: &Subject) -> Vec<&Cell> {
    let cells = subject.cells.iter();
    cells
        .filter(|cell| cell.unit == Unit::Seconds && cell.estimate().runs > 0)
        .collect()
}

/// The cells of a subject that bear the names of the first's, all or none.
fn alike<'a>(subject: &'a Subject, first: &[&Cell]) -> Vec<&'a Cell> {
    let found = first
        .iter()
        .map(|cell| subject.cells.iter().find(|c| c.name == cell.name));
    found.collect::<Option<_>>().unwrap_or_default()
}

fn top(cell: &Cell) -> f64 {
    let estimate = cell.estimate();
    estimate
        .interval
        .map_or(estimate.value, |interval| interval.high)
}

fn radar(report: &HtmlReport<'_>, subjects: &[Vec<&Cell>], measure: Measure, most: f64) -> Picture {
    let figures = |cells: &Vec<&Cell>| {
        let of = |cell: &&Cell| {
            let estimate = cell.estimate();
            let interval = estimate
                .interval
                .map(|i| (measure.scaled(i.low), measure.scaled(i.high)));
            (measure.scaled(estimate.value), interval)
        };
        cells.iter().map(of).collect::<Vec<_>>()
    };
    let named = subjects
        .iter()
        .enumerate()
        .filter(|(_, cells)| !cells.is_empty());
    let chart = Radar {
        spokes: subjects[0].iter().map(|cell| label(cell)).collect(),
        series: named
            .map(|(n, cells)| RadarSeries {
                name: report.name(n),
                figures: figures(cells),
            })
            .collect(),
        most: measure.scaled(most),
        ring: format!(
            "outer ring {} {}, middle 0",
            tick(measure.scaled(most).round()),
            measure.unit
        ),
    };
    let claim = "Times around a middle: the smaller the figure, the faster".to_owned();
    let note = format!(
        "Time of each step in {} from 0 in the middle, with its 95 % interval.",
        measure.unit
    );
    Picture {
        wide: chart.draw(HALF),
        narrow: chart.draw(NARROW),
        half: true,
        ..Picture::plain("radar", claim, note)
    }
}

fn rows(report: &HtmlReport<'_>, subjects: &[Vec<&Cell>], measure: Measure) -> Picture {
    let rows: Vec<DotRow> = (0..subjects[0].len())
        .flat_map(|step| {
            subjects
                .iter()
                .enumerate()
                .map(move |(n, cells)| (n, step, cells))
        })
        .filter_map(|(n, step, cells)| Some(row(report, n, cells.get(step)?, measure)))
        .collect();
    let title = format!("{}, from 0", measure.unit);
    let chart = RowsChart {
        axis: Axis {
            scale: Scale::from_zero(rows.iter().flat_map(|row| row.runs.iter().copied())),
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
        ..Picture::plain(
            "times",
            "The same times as rows".to_owned(),
            "Every dot is a run, the band the 95 % interval.".to_owned(),
        )
    }
}

fn row(report: &HtmlReport<'_>, n: usize, cell: &Cell, measure: Measure) -> DotRow {
    let alone = summary::row(cell, measure);
    DotRow {
        name: match report.subjects.len() > 1 {
            true => format!("{}, {}", alone.name, report.name(n)),
            false => alone.name,
        },
        colour: (n % 12) as u8,
        ..alone
    }
}
