//! Two conditions side by side: a line from each result to its counterpart.

use etalon_language::say;
use etalon_model::ComparisonArm;
use etalon_picture::{Annotations, Axis, Dot, Scale, Series, XyChart};

use super::super::HtmlReport;
use super::super::measure::tick;
use super::{Picture, more_than};
use crate::comparison::ComparedRow;
use crate::role::{figure, label};

/// More lines than these are not told apart.
const MOST: usize = 12;
/// A longer title does not stand below an axis on a phone.
const LONGEST_TITLE: usize = 44;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let rows: Vec<&ComparedRow<'_>> = report
        .rows
        .iter()
        .filter(|row| row.comparison.arms.len() == 2)
        .collect();
    if rows.is_empty() || report.names.len() != 2 {
        return Vec::new();
    }
    let series: Vec<Series> = rows.iter().take(MOST).map(|row| pair(row)).collect();
    let all: Vec<f64> = series
        .iter()
        .flat_map(|s| s.dots.iter().map(|dot| dot.y))
        .collect();
    let title = say!("picture-pairs-axis", base = report.names[0]);
    let mut x = Scale::from_zero([1.0]);
    (x.low, x.high) = (-0.4, 1.4);
    let (before, after) = (&report.names[0], &report.names[1]);
    let claim = say!("picture-pairs", before = before, after = after);
    // The ends of the axis are names, of which long ones stand in the caption alone.
    let is_short = claim.chars().count() <= LONGEST_TITLE;
    let chart = XyChart {
        x: Axis {
            scale: x,
            title: if is_short { &claim } else { "" },
            format: |_| String::new(),
        },
        y: Axis {
            scale: Scale::log(all.iter().copied().chain([80.0, 125.0])),
            title: &title,
            format: tick,
        },
        series,
        annotations: Annotations::default(),
    };
    let note = say!("picture-pairs-note", before = before);
    let mut pictures = vec![Picture::of_xy("pairs", claim.clone(), note, &chart, true)];
    more_than(&mut pictures, rows.len().saturating_sub(MOST));
    pictures
}

fn pair(row: &ComparedRow<'_>) -> Series {
    let arms = &row.comparison.arms;
    let base = arms[0].mean.value;
    let share = |value: f64| value / base * 100.0;
    let dots = |(n, arm): (usize, &ComparisonArm)| {
        let tips: Vec<Dot> = arm
            .values
            .iter()
            .map(|value| Dot {
                x: n as f64,
                y: share(*value),
                tip: figure(row.cell, *value),
                doubtful: false,
            })
            .collect();
        tips
    };
    Series {
        name: label(row.cell),
        line: arms
            .iter()
            .enumerate()
            .map(|(n, arm)| (n as f64, share(arm.mean.value)))
            .collect(),
        dots: arms.iter().enumerate().flat_map(dots).collect(),
        ..Series::default()
    }
}
