//! The table of a comparison: as much of it as the width has room for, and always the ratio with
//! its interval.

use etalon_language::{figure as local, say};
use etalon_model::{ComparisonArm, Standing};
use etalon_units::{Bytes, Percent, visible};

use super::ComparedRow;
use super::figures::{margin, ratio, span};
use super::groups::Groups;
use crate::figures::ABSENT;
use crate::grid::{Grid, Side};
use crate::role::{figure, figure_apart, line_label};

/// How much a table of this kind says, from the widest on.
#[derive(Debug, Clone, Copy)]
struct TableExtent {
    /// Whole names and words.
    whole: bool,
    /// The half width beside each figure.
    half_widths: bool,
    /// The figures themselves.
    figures: bool,
    /// What the ratio with its interval means, in a word; the answer above has it too.
    words: bool,
}

const EXTENTS: [TableExtent; 6] = [
    extent(true, true, true),
    extent(false, true, true),
    extent(true, false, true),
    extent(false, false, true),
    TableExtent {
        words: false,
        ..extent(false, false, true)
    },
    extent(false, false, false),
];

/// Where there is less, what a ratio means says more than the figures that it is of.
const ROOM_FOR_FIGURES: usize = 70;

const fn extent(whole: bool, half_widths: bool, figures: bool) -> TableExtent {
    TableExtent {
        whole,
        half_widths,
        figures,
        words: true,
    }
}

/// A line for each row that was compared; nothing where none was.
pub(crate) fn table(rows: &[ComparedRow<'_>], groups: &Groups, width: usize) -> String {
    let compared = rows.iter().filter(|row| !row.comparison.arms.is_empty());
    let compared: Vec<&ComparedRow<'_>> = compared.collect();
    if compared.is_empty() {
        return String::new();
    }
    let extents = EXTENTS
        .iter()
        .filter(|extent| extent.words || width >= ROOM_FOR_FIGURES);
    let mut grids = extents.map(|extent| match groups.count() {
        2 => pairs(&compared, groups, *extent),
        _ => many(&compared, groups, *extent),
    });
    let fits = |grid: &Grid| grid.width() <= width;
    let mut shortened = grids.clone().map(|grid| grid.fitted(width));
    let least = shortened.clone().next_back();
    // Names are shortened only where not even the least stands beside them whole.
    let fitting = grids.find(fits).or_else(|| shortened.find(fits));
    fitting
        .or(least)
        .map(|grid| grid.text())
        .unwrap_or_default()
}

/// Both figures beside each other.
fn pairs(rows: &[&ComparedRow<'_>], groups: &Groups, extent: TableExtent) -> Grid {
    let (base, other) = (groups.baseline, 1 - groups.baseline);
    let heading = [
        String::new(),
        String::new(),
        visible(&groups.heading_of(base)).into_owned(),
        visible(&groups.heading_of(other)).into_owned(),
        ratio_heading(rows),
        "95 %".to_owned(),
        word_heading(extent),
    ];
    let mut lines = vec![heading.to_vec()];
    for (row, name) in rows.iter().zip(names(rows, extent)) {
        let arms = &row.comparison.arms;
        let (unit, figures) = shared_unit(row, [&arms[base], &arms[other]], extent);
        let [of_base, of_other] = figures;
        let [ratio, interval] = of_baseline(&arms[other]);
        let word = word(&arms[other], row, extent);
        lines.push(vec![name, unit, of_base, of_other, ratio, interval, word]);
    }
    use Side::{Left, Right};
    let grid = Grid {
        sides: vec![Left, Left, Right, Right, Right, Right, Left],
        lines,
    };
    match (extent.figures, extent.words) {
        (true, true) => grid,
        (true, false) => grid.only(&[0, 1, 2, 3, 4, 5]),
        (false, _) => grid.only(&[0, 4, 5, 6]),
    }
}

/// A line for each arm of each row.
fn many(rows: &[&ComparedRow<'_>], groups: &Groups, extent: TableExtent) -> Grid {
    let mut heading = vec![String::new(), String::new(), say!("column-result")];
    heading.extend([ratio_heading(rows), "95 %".to_owned(), word_heading(extent)]);
    let mut lines = vec![heading];
    for (row, name) in rows.iter().zip(names(rows, extent)) {
        for (arm, compared) in row.comparison.arms.iter().enumerate() {
            let first = if arm == 0 {
                name.clone()
            } else {
                String::new()
            };
            let group = visible(&groups.heading_of(arm)).into_owned();
            let [ratio, interval] = of_baseline(compared);
            let result = result(row, compared, extent);
            let word = word(compared, row, extent);
            lines.push(vec![first, group, result, ratio, interval, word]);
        }
    }
    use Side::{Left, Right};
    let grid = Grid {
        sides: vec![Left, Left, Right, Right, Right, Left],
        lines,
    };
    match (extent.figures, extent.words) {
        (true, true) => grid,
        (true, false) => grid.only(&[0, 1, 2, 3, 4]),
        (false, _) => grid.only(&[0, 1, 3, 4, 5]),
    }
}

/// The quotient of two figures as they are printed may miss the ratio by as much.
const ROUNDING: f64 = 0.02;

/// Ratios are of geometric means, whose interval is proven; figures are medians. Where the runs are skewed the two part.
fn is_of_means(rows: &[&ComparedRow<'_>]) -> bool {
    rows.iter().any(|row| {
        let arms = &row.comparison.arms;
        let base = arms[row.comparison.baseline].estimate().value;
        let parts = |arm: &ComparisonArm| {
            let of_figures = arm.estimate().value / base;
            arm.of_baseline
                .is_some_and(|of| (of.value / of_figures - 1.0).abs() > ROUNDING)
        };
        arms.iter().any(parts)
    })
}

fn ratio_heading(rows: &[&ComparedRow<'_>]) -> String {
    match is_of_means(rows) {
        true => say!("compare-mean-ratio"),
        false => say!("compare-ratio"),
    }
}

/// What the heading of the ratios means, where it is not that of the figures beside it.
pub(crate) fn note(rows: &[ComparedRow<'_>]) -> Option<String> {
    let compared = rows.iter().filter(|row| !row.comparison.arms.is_empty());
    is_of_means(&compared.collect::<Vec<_>>()).then(|| say!("compare-of-means"))
}

fn word_heading(extent: TableExtent) -> String {
    match extent.whole {
        true => String::new(),
        false => say!("compare-difference"),
    }
}

/// The block size that tables leave out first.
const USUAL_BLOCK: Bytes = Bytes::kib(4);

/// What the row is called without the usual block size, where all its blocks have it.
fn without_block(row: &ComparedRow<'_>, name: &str) -> String {
    match row.cell.workload.block_size() {
        Some(USUAL_BLOCK) => name.replacen(&format!(" {USUAL_BLOCK}"), "", 1),
        _ => name.to_owned(),
    }
}

/// What the rows are called; without the block size where none of them needs it to be told apart.
fn names(rows: &[&ComparedRow<'_>], extent: TableExtent) -> Vec<String> {
    let whole: Vec<String> = rows.iter().map(|row| line_label(row.cell)).collect();
    if extent.whole {
        return whole;
    }
    let short = rows.iter().zip(&whole);
    let short: Vec<String> = short.map(|(row, name)| without_block(row, name)).collect();
    let mut distinct = short.clone();
    distinct.sort();
    distinct.dedup();
    match distinct.len() == short.len() {
        true => short,
        false => whole,
    }
}

/// Two figures with the unit that they share, or each with its own.
fn shared_unit(
    row: &ComparedRow<'_>,
    arms: [&ComparisonArm; 2],
    extent: TableExtent,
) -> (String, [String; 2]) {
    let figures = arms.map(|arm| figure_apart(row.cell, arm.estimate().value));
    let [half, other_half] = arms.map(|arm| half_width(arm, extent));
    let (unit, [text, other]) = match figures[0].shares_unit(&figures[1]) {
        true => (
            figures[0].scaled_unit(),
            figures.map(|figure| figure.number),
        ),
        false => (String::new(), figures.map(|figure| figure.to_string())),
    };
    (unit, [text + &half, other + &other_half])
}

fn result(row: &ComparedRow<'_>, arm: &ComparisonArm, extent: TableExtent) -> String {
    match arm.left_out {
        Some(_) => ABSENT.to_owned(),
        None => figure(row.cell, arm.estimate().value) + &half_width(arm, extent),
    }
}

fn half_width(arm: &ComparisonArm, extent: TableExtent) -> String {
    let half = arm.estimate().relative_half_width();
    let text = half.map_or_else(
        || "?".to_owned(),
        |half| local(Percent::from_fraction(half)),
    );
    match extent.half_widths {
        true => format!(" ±{text:>4}"),
        false => String::new(),
    }
}

fn of_baseline(arm: &ComparisonArm) -> [String; 2] {
    match &arm.of_baseline {
        None if arm.left_out.is_some() => [ABSENT.to_owned(), String::new()],
        None => [ratio(1.0), String::new()],
        Some(of) => [
            ratio(of.value),
            of.interval.as_ref().map_or_else(|| ABSENT.to_owned(), span),
        ],
    }
}

fn word(arm: &ComparisonArm, row: &ComparedRow<'_>, extent: TableExtent) -> String {
    let margin = margin(row.comparison.margin);
    match (arm.standing, extent.whole) {
        (None, _) if arm.left_out.is_some() => say!("compare-is-left-out"),
        (None, _) => String::new(),
        (Some(Standing::Faster), _) => say!("report-faster"),
        (Some(Standing::Slower), _) => say!("report-slower"),
        (Some(Standing::NotShown), _) if arm.has_too_few_runs() => say!("compare-too-few"),
        (Some(Standing::NotShown), true) => say!("report-no-difference"),
        (Some(Standing::NotShown), false) => say!("compare-none-shown"),
        (Some(Standing::Equal), true) => say!("compare-equal-within", margin = margin),
        (Some(Standing::Equal), false) => say!("compare-within", margin = margin),
    }
}
