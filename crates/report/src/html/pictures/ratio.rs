//! Each condition against the first, with intervals.

use etalon_language::{figure as local, say};
use etalon_model::ComparisonArm;
use etalon_picture::{Axis, DotRow, RowsChart, Scale};

use super::super::HtmlReport;
use super::super::compare::{ends, speed};
use super::super::measure::tick;
use super::{Picture, more_than};
use crate::comparison::{ComparedRow, ratio_text};
use crate::role::label;

/// A picture of more rows is folded away.
const MOST_ROWS: usize = 40;
/// More rows are for the table: with names of three lines each these are as high as a PNG file may be.
const MOST_DRAWN: usize = 150;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let mut rows: Vec<DotRow> = report
        .rows
        .iter()
        .flat_map(|row| rows(report, row))
        .collect();
    let Some(first) = report.rows.first().filter(|_| !rows.is_empty()) else {
        return Vec::new();
    };
    let all = rows.len();
    rows.truncate(MOST_DRAWN);
    let margin = first.comparison.margin;
    let base = &report.names[0];
    let title = say!("picture-ratio-axis", base = base);
    let ends = rows.iter().flat_map(|row| {
        let (low, high) = row.interval.unwrap_or((row.value, row.value));
        [low, high]
    });
    let chart = RowsChart {
        axis: Axis {
            scale: Scale::log(ends.chain([1.0 - margin, 1.0 + margin, 0.9, 1.1])),
            title: &title,
            format: tick,
        },
        rows,
        equal: Some((1.0 - margin, 1.0 + margin)),
        base: Some(1.0),
    };
    let claim = super::super::compare::answer(report).into_iter().next();
    let equal = local(format!("{:.0} %", margin * 100.0));
    let note = say!("picture-ratio-note", base = base, margin = equal);
    let count = chart.rows.len();
    let fold = (count > MOST_ROWS).then(|| say!("picture-ratio-fold", count = count, all = all));
    let mut pictures = vec![Picture {
        fold,
        ..Picture::of_rows("ratio", claim.unwrap_or_default(), note, &chart)
    }];
    more_than(&mut pictures, all - count);
    pictures
}

fn rows(report: &HtmlReport<'_>, row: &ComparedRow<'_>) -> Vec<DotRow> {
    let arms = row.comparison.arms.iter().zip(report.names).enumerate();
    let one = |(n, (arm, name)): (usize, (&ComparisonArm, &String))| {
        let (value, interval) = speed(arm, row.comparison.unit)?;
        let said = match interval {
            Some(interval) => format!("{} ({})", ratio_text(value), ends(interval)),
            None => say!("picture-ratio-no-interval", ratio = ratio_text(value)),
        };
        Some(DotRow {
            name: match report.names.len() {
                2 => label(row.cell),
                _ => format!("{}: {name}", label(row.cell)),
            },
            value,
            interval,
            runs: Vec::new(),
            text: said,
            doubtful: interval.is_none(),
            colour: (n % 12) as u8,
        })
    };
    arms.filter_map(one).collect()
}
