//! A row in the manner of a laboratory notebook: mean, spread, percentages with their base, letters,
//! the ratio of the groups, and every run.

use etalon_language::{figure as local, say};
use etalon_model::{Chance, Comparison, ComparisonArm, Headline};
use etalon_units::{Percent, visible};

use super::ComparedRow;
use super::figures::{ratio, span};
use crate::figures::{ABSENT, ends};
use crate::grid::{Grid, Side};
use crate::role::{figure, figure_apart, label};
use crate::wrap::Wrap;

/// The table of one row, and its runs.
pub(crate) fn of(row: &ComparedRow<'_>, width: usize) -> String {
    let c = row.comparison;
    let grid = grid(row);
    let shown = match grid.width() <= width {
        true => grid,
        // Without the standard deviation, since the CV says the same.
        false => grid.only(&[0, 1, 2, 4, 5, 6, 7]).fitted(width),
    };
    let wrap = Wrap(Some(width));
    let base = &c.arms[c.baseline].label;
    let title = say!("details-title", row = label(row.cell), base = base);
    let mut text = wrap.broken(&title, "  ") + &shown.text();
    for arm in &c.arms {
        let runs = arm.values.iter().map(|value| figure(row.cell, *value));
        let runs = runs.collect::<Vec<_>>().join(", ");
        let interval = interval(row, arm);
        let said = say!(
            "details-arm",
            arm = arm.label,
            interval = interval,
            runs = runs
        );
        text.push_str(&wrap.broken(&said, "  "));
    }
    text
}

/// The result's interval, as on the page of the cell.
fn interval(row: &ComparedRow<'_>, arm: &ComparisonArm) -> String {
    let Some(interval) = &arm.estimate().interval else {
        return say!("no-interval");
    };
    let ends = ends(interval, |value| figure_apart(row.cell, value));
    match arm.headline {
        Headline::Mean => say!("details-interval-mean", ends = ends),
        Headline::Median => say!("details-interval-median", ends = ends),
    }
}

/// What the letters and the words mean.
pub(crate) fn legend() -> Vec<String> {
    vec![
        say!("details-legend-spread"),
        say!("details-legend-letters"),
        say!("details-legend-equal"),
        say!("details-legend-chance", rows = Chance::MOST_ROWS + 1),
    ]
}

fn grid(row: &ComparedRow<'_>) -> Grid {
    let c = row.comparison;
    let headings = vec![
        String::new(),
        say!("column-result"),
        say!("column-mean"),
        "SD".to_owned(),
        "CV".to_owned(),
        say!("details-of-all"),
        say!("details-of-base"),
        String::new(),
    ];
    let mut lines = vec![headings];
    lines.extend(c.arms.iter().map(|arm| line(row, arm)));
    lines.extend(c.arms.iter().filter_map(|arm| of_two(c, arm)));
    use Side::{Left, Right};
    Grid {
        sides: vec![Left, Right, Right, Right, Right, Right, Right, Left],
        lines,
    }
}

fn line(row: &ComparedRow<'_>, arm: &ComparisonArm) -> Vec<String> {
    let percent = |share: f64| local(Percent::from_fraction(share));
    let absent = || ABSENT.to_owned();
    let half = arm.estimate().relative_half_width();
    let half = half.map_or_else(|| "?".to_owned(), percent);
    vec![
        visible(&arm.label).into_owned(),
        format!("{} ±{half:>4}", figure(row.cell, arm.estimate().value)),
        figure(row.cell, arm.mean.value),
        arm.sd.map_or_else(absent, |sd| figure(row.cell, sd)),
        arm.cv.map_or_else(absent, percent),
        of_others(arm, arm.of_group),
        of_others(
            arm,
            arm.of_baseline.as_ref().map_or(1.0, |ratio| ratio.value),
        ),
        mark(arm),
    ]
}

fn of_others(arm: &ComparisonArm, share: f64) -> String {
    match arm.left_out {
        Some(_) => ABSENT.to_owned(),
        None => local(Percent::from_fraction(share)),
    }
}

/// `X` for the one that beats all others, else the letters of those it is not separated from.
fn mark(arm: &ComparisonArm) -> String {
    match arm.is_best {
        true => "X".to_owned(),
        false => arm.letters.clone(),
    }
}

/// `xfs / btrfs  1.51  1.40-1.64`.
fn of_two(c: &Comparison, arm: &ComparisonArm) -> Option<Vec<String>> {
    let of = arm.of_baseline.as_ref()?;
    let base = &c.arms[c.baseline].label;
    let interval = of.interval.as_ref().map_or_else(|| ABSENT.to_owned(), span);
    let mut line = vec![
        visible(&format!("{} / {base}", arm.label)).into_owned(),
        format!("{} ({interval})", ratio(of.value)),
    ];
    line.resize(8, String::new());
    Some(line)
}
