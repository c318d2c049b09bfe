//! Rounds of the same: the noise of a passport, and steady state by SNIA's rule.

use etalon_language::{figure as local, say};
use etalon_model::{Cell, ExperimentKind};
use etalon_picture::{Annotations, Axis, Dot, Plateau, Scale, Series, XyChart};
use etalon_stats::snia_check;

use super::super::HtmlReport;
use super::super::measure::{Measure, tick};
use super::Picture;
use crate::page::is_told;
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
    let titles = (say!("axis-round"), say!("axis-of-mean"));
    let mut chart = chart(cell, measure, &titles);
    chart.y.scale = around(cell.values.iter().map(|value| measure.scaled(*value)));
    chart.annotations.plateaus = vec![Plateau {
        span: (0.5, cell.values.len() as f64 + 0.5),
        level: 100.0,
        band: (100.0 - measure.scaled(sd), 100.0 + measure.scaled(sd)),
        name: String::new(),
    }];
    let share = local(format!("{:.1} %", measure.scaled(sd)));
    // What made the cell invalid may be all that varies.
    let claim = match is_told(cell) {
        true => say!("picture-noise", row = label(cell), share = share),
        false => say!("picture-noise-bare", row = label(cell)),
    };
    let note = say!("picture-noise-note", count = cell.values.len());
    Picture::of_xy("noise", claim, note, &chart, true)
}

/// The last five rounds with the range and the slope that SNIA allows.
fn steady(cell: &Cell) -> Option<Picture> {
    let last = cell.values.last_chunk::<WINDOW>()?;
    let check = snia_check(last);
    let mean = last.iter().sum::<f64>() / WINDOW as f64;
    let measure = Measure::of(cell, mean);
    let titles = (say!("axis-round"), measure.axis_from_zero());
    let mut chart = chart(cell, measure, &titles);
    let end = cell.values.len() as f64;
    let band = (measure.scaled(mean * 0.9), measure.scaled(mean * 1.1));
    let values = cell.values.iter().map(|value| measure.scaled(*value));
    chart.y.scale = Scale::from_zero(values.chain([band.0, band.1]));
    chart.annotations.plateaus = vec![Plateau {
        span: (end - WINDOW as f64 + 0.5, end + 0.5),
        level: measure.scaled(mean),
        band,
        name: figure(cell, mean),
    }];
    let claim = match (is_told(cell), check.passes()) {
        (false, _) => say!("picture-steady-bare", row = label(cell), count = WINDOW),
        (true, true) => say!("picture-steady", row = label(cell), count = WINDOW),
        (true, false) => say!("picture-not-steady", row = label(cell), count = WINDOW),
    };
    let share = |part: f64| local(format!("{:.1} %", part * 100.0));
    let note = say!(
        "picture-steady-note",
        count = WINDOW,
        range = share(check.range),
        rise = share(check.rise),
    );
    Some(Picture::of_xy("steady-state", claim, note, &chart, true))
}

/// A chart with the titles of its axes.
fn chart<'a>(
    cell: &Cell,
    measure: Measure,
    (x_title, y_title): &'a (String, String),
) -> XyChart<'a> {
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
        tip: say!(
            "picture-round-tip",
            number = n + 1,
            figure = figure(cell, *value)
        ),
        doubtful: !cell.verdict.is_valid(),
    });
    XyChart {
        x: Axis {
            scale: x,
            title: x_title,
            format: tick,
        },
        y: Axis {
            scale: Scale::from_zero(scaled.iter().copied()),
            title: y_title,
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
        annotations: Annotations::default(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn what_is_invalid_is_drawn_and_no_claim_rests_on_it() {
        let mut cells = samples::cells();
        let invalid = cells[2].verdict.clone();
        assert!(invalid.is_invalid());
        let cell = &mut cells[0];
        cell.values = [100.0, 104.0].repeat(5);
        let name = label(cell);
        let claims = |cell: &Cell| (noise(cell).claim, steady(cell).unwrap().claim);
        let (varies, settles) = claims(cell);
        assert_eq!(varies, format!("{name} varies by 2.1 % from run to run"));
        assert_eq!(settles, format!("{name}: steady over the last 5 rounds"));
        cell.verdict = invalid;
        let (varies, settles) = claims(cell);
        assert_eq!(varies, format!("{name} from run to run"));
        assert_eq!(settles, format!("{name} over the last 5 rounds"));
    }
}
