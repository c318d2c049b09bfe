//! Rounds of the same: the noise of a passport, and steady state by SNIA's rule.

use etalon_model::{Cell, ExperimentKind};
use etalon_picture::{Axis, Dot, Plateau, Scale, Series, XyChart};
use etalon_stats::snia_check;

use super::super::HtmlReport;
use super::super::measure::{Measure, tick};
use super::Picture;
use crate::role::{figure, label};

/// Rounds in the window of SNIA's rule.
const WINDOW: usize = 5;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let subject = &report.subjects[0];
    let kind = subject.header().begun.kind;
    let cells = subject
        .cells
        .iter()
        .filter(|cell| cell.values.len() >= WINDOW);
    match kind {
        ExperimentKind::Passport => cells.take(6).map(noise).collect(),
        ExperimentKind::Measure => cells.take(4).filter_map(steady).collect(),
        _ => Vec::new(),
    }
}

/// Every round against the mean of all, in per cent.
fn noise(cell: &Cell) -> Picture {
    let mean = cell.values.iter().sum::<f64>() / cell.values.len() as f64;
    let spread = cell.values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    let sd = (spread / (cell.values.len() - 1) as f64).sqrt();
    let measure = Measure {
        divisor: mean / 100.0,
        unit: "% of the mean",
    };
    let mut chart = chart(cell, measure, "% of the mean, not from 0");
    chart.y.scale = around(cell.values.iter().map(|value| measure.scaled(*value)));
    chart.plateaus = vec![Plateau {
        span: (0.5, cell.values.len() as f64 + 0.5),
        level: 100.0,
        band: (100.0 - measure.scaled(sd), 100.0 + measure.scaled(sd)),
        name: String::new(),
    }];
    let claim = format!(
        "{} varies by {:.1} % from run to run",
        label(cell),
        measure.scaled(sd)
    );
    let note = format!(
        "Each dot is one of {} runs; the band is one standard deviation. The axis does not begin at 0.",
        cell.values.len()
    );
    Picture::of_xy("noise", claim, note, &chart, true)
}

/// The last five rounds with the range and the slope that SNIA allows.
fn steady(cell: &Cell) -> Option<Picture> {
    let last = cell.values.last_chunk::<WINDOW>()?;
    let check = snia_check(last);
    let mean = last.iter().sum::<f64>() / WINDOW as f64;
    let measure = Measure::of(cell, mean);
    let title = format!("{}, from 0", measure.unit);
    let mut chart = chart(cell, measure, &title);
    let end = cell.values.len() as f64;
    chart.plateaus = vec![Plateau {
        span: (end - WINDOW as f64 + 0.5, end + 0.5),
        level: measure.scaled(mean),
        band: (measure.scaled(mean * 0.9), measure.scaled(mean * 1.1)),
        name: figure(cell, mean),
    }];
    let state = if check.passes() {
        "steady"
    } else {
        "not steady"
    };
    let claim = format!("{}: {state} over the last {WINDOW} rounds", label(cell));
    let note = format!(
        "SNIA's rule for the window of {WINDOW} rounds: range {:.1} % of the mean (20 % allowed, the band), rise of the fitted line {:.1} % (10 % allowed).",
        check.range * 100.0,
        check.rise * 100.0
    );
    Some(Picture::of_xy("steady-state", claim, note, &chart, true))
}

fn chart<'a>(cell: &Cell, measure: Measure, title: &'a str) -> XyChart<'a> {
    let scaled: Vec<f64> = cell
        .values
        .iter()
        .map(|value| measure.scaled(*value))
        .collect();
    let mut x = Scale::from_zero([scaled.len() as f64]);
    (x.low, x.high) = (0.5, scaled.len() as f64 + 0.5);
    let dots = cell.values.iter().enumerate().map(|(n, value)| Dot {
        x: n as f64 + 1.0,
        y: measure.scaled(*value),
        tip: format!("round {}: {}", n + 1, figure(cell, *value)),
        doubtful: !cell.verdict.is_valid(),
    });
    XyChart {
        x: Axis {
            scale: x,
            title: "round",
            format: tick,
        },
        y: Axis {
            scale: Scale::from_zero(scaled.iter().copied()),
            title,
            format: tick,
        },
        series: vec![Series {
            line: scaled
                .iter()
                .enumerate()
                .map(|(n, y)| (n as f64 + 1.0, *y))
                .collect(),
            dots: dots.collect(),
            thin: true,
            ..Series::default()
        }],
        zones: Vec::new(),
        cuts: Vec::new(),
        plateaus: Vec::new(),
    }
}

/// As far to both sides of 100 % as the values reach.
fn around(values: impl Iterator<Item = f64>) -> Scale {
    let reach = values
        .map(|value| (value - 100.0).abs())
        .fold(1.0, f64::max)
        * 1.2;
    let mut scale = Scale::from_zero([100.0]);
    (scale.low, scale.high) = (100.0 - reach, 100.0 + reach);
    scale
}
