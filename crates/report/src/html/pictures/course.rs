//! How the rate moved within a run: warm-up, levels and the changes between them.

use etalon_language::say;
use etalon_model::{Cell, Unit};
use etalon_picture::{Annotations, Axis, Cut, MarkedSpan, Plateau, Scale, Series, XyChart};
use etalon_stats::{Level, Sample, WarmUp};

use super::super::measure::{Measure, tick};
use super::super::{HtmlReport, RunSeries};
use super::Picture;
use crate::role::{figure, label};

/// Fewer slices have no course.
const FEWEST: usize = 20;
/// More points than these are not seen.
const MOST_POINTS: usize = 300;
/// Slices of a series in a second.
const PER_SECOND: f64 = 10.0;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let subject = &report.subjects[0];
    let drawn = subject
        .series
        .iter()
        .filter(|series| series.points.len() >= FEWEST);
    drawn
        .take(4)
        .filter_map(|series| {
            let cell = subject.cells.get(series.cell)?;
            Some(picture(cell, series))
        })
        .collect()
}

fn picture(cell: &Cell, series: &RunSeries) -> Picture {
    let rates = rates(cell, series);
    let most = rates.iter().copied().fold(0.0, f64::max);
    let measure = Measure::of(cell, most);
    let scaled: Vec<f64> = rates.iter().map(|rate| measure.scaled(*rate)).collect();
    let title = measure.axis_from_zero();
    let end = scaled.len() as f64 / PER_SECOND;
    let mut x = Scale::from_zero([end]);
    x.high = end;
    let (spans, plateaus) = (warm_up(&scaled), plateaus(cell, measure, &scaled));
    let cuts = plateaus.windows(2).map(|pair| Cut {
        at: pair[1].span.0,
        name: say!("picture-level-changes"),
    });
    let claim = claim(cell, &plateaus);
    let chart = XyChart {
        x: Axis {
            scale: x,
            title: &say!("axis-run-seconds"),
            format: tick,
        },
        y: Axis {
            scale: reaching(&scaled, &plateaus),
            title: &title,
            format: tick,
        },
        series: vec![line(&scaled)],
        annotations: Annotations {
            cuts: cuts.collect(),
            spans,
            plateaus: if plateaus.len() > 1 {
                plateaus
            } else {
                Vec::new()
            },
        },
    };
    let note = say!(
        "picture-course-note",
        unit = measure.name(),
        number = series.position + 1,
        count = cell.estimate().runs,
    );
    Picture::of_xy("course", claim, note, &chart, false)
}

/// As far as the rates and the bands of their levels, which may end above the highest rate.
fn reaching(rates: &[f64], plateaus: &[Plateau]) -> Scale {
    let bands = plateaus
        .iter()
        .flat_map(|level| [level.band.0, level.band.1]);
    Scale::from_zero(rates.iter().copied().chain(bands))
}

fn claim(cell: &Cell, plateaus: &[Plateau]) -> String {
    match plateaus {
        [] | [_] => say!("picture-course-one", row = label(cell)),
        several => say!("picture-course", row = label(cell), count = several.len()),
    }
}

/// The rate of each whole slice; the last is cut off by the end of the run.
fn rates(cell: &Cell, series: &RunSeries) -> Vec<f64> {
    let whole = &series.points[..series.points.len() - 1];
    let count = |bytes: bool| {
        let of = move |point: &etalon_model::SeriesPoint| match bytes {
            true => point.bytes.as_f64(),
            false => point.operations as f64,
        };
        whole.iter().map(|point| of(point) * PER_SECOND).collect()
    };
    count(cell.unit == Unit::BytesPerSecond)
}

/// The line, its points gathered where there are more than can be seen, with their extremes as a band.
fn line(rates: &[f64]) -> Series {
    let each = rates.len().div_ceil(MOST_POINTS).max(1);
    let groups: Vec<(f64, &[f64])> = rates
        .chunks(each)
        .enumerate()
        .map(|(n, group)| ((n * each) as f64 / PER_SECOND, group))
        .collect();
    let mean = |group: &[f64]| group.iter().sum::<f64>() / group.len() as f64;
    let band = groups.iter().map(|(at, group)| {
        let low = group.iter().copied().fold(f64::INFINITY, f64::min);
        (*at, low, group.iter().copied().fold(0.0, f64::max))
    });
    Series {
        line: groups
            .iter()
            .map(|(at, group)| (*at, mean(group)))
            .collect(),
        band: if each > 1 { band.collect() } else { Vec::new() },
        ..Series::default()
    }
}

/// The beginning of a run and the changes of its level, in seconds of its timed part: for what else is drawn
/// over its time.
pub(super) fn marks(cell: &Cell, series: &RunSeries) -> (Vec<MarkedSpan>, Vec<Cut>) {
    if series.points.len() < FEWEST {
        return (Vec::new(), Vec::new());
    }
    let rates = rates(cell, series);
    let cuts = switches(&rates).into_iter().map(|slice| Cut {
        at: slice as f64 / PER_SECOND,
        name: say!("picture-level-changes"),
    });
    (warm_up(&rates), cuts.collect())
}

/// The slices at which another level begins.
fn switches(rates: &[f64]) -> Vec<usize> {
    let sample = Sample::new(rates.to_vec()).ok();
    let regimes = sample.and_then(|sample| sample.regimes(Level::REPORTED));
    regimes.map_or_else(Vec::new, |regimes| regimes.switches)
}

fn warm_up(rates: &[f64]) -> Vec<MarkedSpan> {
    let sample = Sample::new(rates.to_vec());
    match sample.map(|sample| sample.warm_up()) {
        Ok(WarmUp::Cut(slices)) if slices > 0 => vec![MarkedSpan {
            from: 0.0,
            to: slices as f64 / PER_SECOND,
            name: say!("picture-warm-up"),
        }],
        _ => Vec::new(),
    }
}

/// The levels that the run had, each with its interval.
fn plateaus(cell: &Cell, measure: Measure, rates: &[f64]) -> Vec<Plateau> {
    let switches = switches(rates);
    if switches.is_empty() {
        return Vec::new();
    }
    let mut edges = vec![0];
    edges.extend(switches);
    edges.push(rates.len());
    let spans = edges.windows(2).filter(|edge| edge[1] > edge[0]);
    spans
        .map(|edge| plateau(cell, measure, rates, (edge[0], edge[1])))
        .collect()
}

fn plateau(cell: &Cell, measure: Measure, rates: &[f64], span: (usize, usize)) -> Plateau {
    let own = &rates[span.0..span.1];
    let level = own.iter().sum::<f64>() / own.len() as f64;
    let interval = Sample::new(own.to_vec()).ok();
    let interval = interval.and_then(|sample| sample.within_run(Level::REPORTED).estimate.interval);
    // No rate is below zero.
    let band = interval.map_or((level, level), |i| (i.low.max(0.0), i.high));
    Plateau {
        span: (span.0 as f64 / PER_SECOND, span.1 as f64 / PER_SECOND),
        level,
        band,
        name: figure(cell, level * measure.divisor),
    }
}
