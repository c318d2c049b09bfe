//! Rows whose interval is so wide that their figure says little, and what is known of why.

use etalon_language::say;
use etalon_model::{Cell, Finding};
use etalon_units::Percent;

use super::findings::message;
use super::remarks::{Remark, matters, names, to_a_lesser_degree};
use crate::check_words::advice;
use crate::role::{figure, label};

/// The half width, over the value, from which on a row is marked.
pub(crate) const WIDE: f64 = 0.5;
/// Runs that rise or fall all the way, but for so large a share of their pairs, follow a trend.
const TREND: f64 = 0.85;
/// The check that knows why creating files gets slower from run to run.
const FREED_INODES: &str = "freed-inodes";

/// Whether the cell's interval is that wide.
pub(crate) fn is_wide(cell: &Cell) -> bool {
    let half = cell.estimate().relative_half_width();
    half.is_some_and(|half| half > WIDE)
}

/// The rows that are remarked on.
fn wide(cells: &[Cell]) -> Vec<&Cell> {
    let is_told = |cell: &&Cell| is_remarked(cell);
    cells.iter().filter(is_told).collect()
}

fn is_remarked(cell: &Cell) -> bool {
    is_wide(cell) && !cell.verdict.is_invalid() && !cell.misses_precision()
}

fn widest<'a>(wide: &[&'a Cell]) -> Option<&'a Cell> {
    let reach = |cell: &Cell| cell.estimate().relative_half_width().unwrap_or_default();
    let widest = wide.iter().max_by(|a, b| reach(a).total_cmp(&reach(b)));
    widest.copied()
}

/// The code of the findings that the remark tells, so that no other need tell them.
pub(crate) fn told(cells: &[Cell]) -> Option<&'static str> {
    let widest = widest(&wide(cells))?;
    known(widest).map(|_| FREED_INODES)
}

/// One remark on all such rows, with the reason of the widest.
pub(crate) fn remark(cells: &[Cell]) -> Option<Remark> {
    let wide = wide(cells);
    let widest = widest(&wide)?;
    let rows: Vec<String> = wide.iter().map(|cell| label(cell)).collect();
    let named = (wide.len() > 1).then(|| label(widest));
    let mut text = why(&rows.join(", "), named, widest);
    let mut lesser: Vec<&Cell> = Vec::new();
    if told(cells).is_some() {
        let is_known = |cell: &Cell| known(cell).is_some_and(|found| matters(found, cell));
        let is_lesser = |cell: &&Cell| is_known(cell) && !is_remarked(cell);
        lesser.extend(cells.iter().filter(is_lesser));
        text.extend(to_a_lesser_degree(&lesser, cells.len()));
    }
    Some(Remark {
        mark: "!",
        cells: names(&wide),
        lesser: names(&lesser),
        text,
    })
}

/// What the runs of the widest show of why they lie apart, and what to do; where it is one of several, it is named.
fn why(rows: &str, widest: Option<String>, cell: &Cell) -> String {
    let wide = Percent::from_fraction(WIDE);
    if let Some(cause) = known_cause(cell) {
        return match widest {
            None => say!("page-wide-known", rows = rows, wide = wide, cause = cause),
            Some(widest) => say!(
                "page-wide-known-widest",
                rows = rows,
                wide = wide,
                widest = widest,
                cause = cause
            ),
        };
    }
    let trend = trend(&cell.values);
    match trend.abs() >= TREND {
        true => in_order(rows, widest, cell, trend > 0.0),
        false => in_no_order(rows, widest, cell),
    }
}

/// Runs that follow a trend, with what makes them do so.
fn in_order(rows: &str, widest: Option<String>, cell: &Cell, rises: bool) -> String {
    let (first, last) = (cell.values.first(), cell.values.last());
    let (first, last) = (shown(cell, first), shown(cell, last));
    let wide = Percent::from_fraction(WIDE);
    let cause = cause(cell, rises);
    match (rises, widest) {
        (true, None) => say!(
            "page-wide-rose",
            rows = rows,
            wide = wide,
            first = first,
            last = last,
            cause = cause
        ),
        (false, None) => say!(
            "page-wide-fell",
            rows = rows,
            wide = wide,
            first = first,
            last = last,
            cause = cause
        ),
        (true, Some(widest)) => say!(
            "page-wide-rose-widest",
            rows = rows,
            wide = wide,
            widest = widest,
            first = first,
            last = last,
            cause = cause
        ),
        (false, Some(widest)) => say!(
            "page-wide-fell-widest",
            rows = rows,
            wide = wide,
            widest = widest,
            first = first,
            last = last,
            cause = cause
        ),
    }
}

/// Why runs get faster or slower one after the other: where times rise, the work gets slower.
fn cause(cell: &Cell, rises: bool) -> String {
    match rises != cell.unit.less_is_better() {
        true => say!("page-wide-faster"),
        false => say!("page-wide-slower"),
    }
}

/// Runs that follow no trend, with their range.
fn in_no_order(rows: &str, widest: Option<String>, cell: &Cell) -> String {
    let low = cell.values.iter().copied().reduce(f64::min);
    let high = cell.values.iter().copied().reduce(f64::max);
    let (low, high) = (shown(cell, low.as_ref()), shown(cell, high.as_ref()));
    let wide = Percent::from_fraction(WIDE);
    match widest {
        None => say!(
            "page-wide-between",
            rows = rows,
            wide = wide,
            low = low,
            high = high
        ),
        Some(widest) => say!(
            "page-wide-between-widest",
            rows = rows,
            wide = wide,
            widest = widest,
            low = low,
            high = high
        ),
    }
}

fn shown(cell: &Cell, value: Option<&f64>) -> String {
    value.map(|value| figure(cell, *value)).unwrap_or_default()
}

fn known(cell: &Cell) -> Option<&Finding> {
    cell.findings.iter().find(|f| f.code == FREED_INODES)
}

/// What a finding says of why runs lie apart, and what to do.
fn known_cause(cell: &Cell) -> Option<String> {
    let known = known(cell)?;
    Some(format!("{} {}", message(known), advice(known)))
}

/// The share of the pairs of runs that rise less that of those that fall, from -1 to 1: Kendall's tau
/// against the order in which they were made (Mann, Econometrica 13, 1945).
fn trend(values: &[f64]) -> f64 {
    let pairs = values.iter().enumerate().flat_map(|(at, first)| {
        values[at + 1..]
            .iter()
            .map(move |later| match later.total_cmp(first) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Less => -1.0,
                std::cmp::Ordering::Equal => 0.0,
            })
    });
    let (count, sum) = pairs.fold((0.0, 0.0), |(n, sum), sign: f64| (n + 1.0, sum + sign));
    if count > 0.0 { sum / count } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use etalon_language::Language;
    use etalon_model::{Severity, Unit};

    use crate::page::remarks::remarks_beside;

    fn cell(values: &[f64], half: f64) -> Cell {
        let mut cell = samples::cells().remove(0);
        cell.name = "create files".to_owned();
        cell.values = values.to_vec();
        cell.precision = None;
        for estimate in [&mut cell.mean, &mut cell.median] {
            estimate.value = 1000.0;
            let interval = estimate.interval.as_mut().unwrap();
            (interval.low, interval.high) = (1000.0 * (1.0 - half), 1000.0 * (1.0 + half));
        }
        cell
    }

    #[test]
    fn a_cause_that_a_check_knows_stands_in_the_place_of_a_guess() {
        let mut created = cell(&[38_900.0, 3624.0, 9000.0, 5000.0, 20_000.0, 4000.0], 0.8);
        created.findings = vec![Finding::new(
            "freed-inodes",
            Severity::Warn,
            "ext4 passes over freed inodes.",
            "Measure with a journal.",
        )];
        let text = remark(&[created]).unwrap().text;
        assert_eq!(
            text,
            "create files: wider than ± 50 %: ext4 passes over freed inodes. Measure with a journal."
        );
    }

    #[test]
    fn a_cause_that_narrower_rows_have_too_is_told_once() {
        let mut cells = [0.8, 0.3].map(|half| cell(&[900.0, 1100.0], half));
        cells[1].name = "create files with fsync".to_owned();
        for cell in &mut cells {
            cell.findings = vec![Finding::new(
                "freed-inodes",
                Severity::Warn,
                "ext4 passes over freed inodes.",
                "Measure with a journal.",
            )];
        }
        let wide = remark(&cells).unwrap();
        let text = "create files: wider than ± 50 %: ext4 passes over freed inodes. Measure with a journal. \
            To a lesser degree it holds for create files with fsync too.";
        assert_eq!(
            (wide.text.as_str(), &wide.lesser[..]),
            (text, &["create files with fsync".to_owned()][..])
        );
        let others = remarks_beside(told(&cells), &samples::target(), &cells);
        assert_eq!(others, []);
    }

    #[test]
    fn a_row_wider_than_half_its_value_is_marked_and_says_why() {
        let said = |values: &[f64], half| remark(&[cell(values, half)]).map(|r| r.text);
        let fell = [5000.0, 4000.0, 3000.0, 2500.0, 2000.0, 1000.0];
        assert_eq!(said(&fell, 0.49), None);
        let text = said(&fell, 12.59).unwrap();
        assert!(
            text.starts_with("create files: wider than ± 50 %: fell from "),
            "{text}"
        );
        let rising: Vec<f64> = fell.iter().rev().copied().collect();
        assert!(said(&rising, 0.6).unwrap().contains("rose from"));
        let mixed = [1000.0, 5000.0, 1200.0, 4800.0, 900.0, 5100.0];
        assert!(said(&mixed, 0.6).unwrap().contains("lay between"));
        let all = remark(&[cell(&fell, 0.6), cell(&mixed, 0.7)]).unwrap();
        assert_eq!(all.cells.len(), 2);
    }

    #[test]
    fn times_that_rise_are_work_that_gets_slower() {
        let slower = [0.026, 0.1, 0.2, 0.3, 0.4, 0.549];
        let faster: Vec<f64> = slower.iter().rev().copied().collect();
        let causes = [
            (Language::English, "A cache fills up", "Something warms up"),
            (
                Language::French,
                "Un cache se remplit",
                "Quelque chose se préchauffe",
            ),
            (Language::Dutch, "Een cache loopt vol", "Er warmt iets op"),
        ];
        for (language, fills, warms) in causes {
            let said = |values: &[f64], unit: Unit| {
                let mut cells = [cell(values, 0.6), cell(&[1.0, 1.0], 0.55)];
                for cell in &mut cells {
                    cell.unit = unit;
                }
                let alone = language.speak(|| remark(&cells[..1]).unwrap().text);
                let widest = language.speak(|| remark(&cells).unwrap().text);
                [alone, widest]
            };
            let all_say = |said: [String; 2], cause: &str| {
                for text in said {
                    assert!(text.contains(cause), "{text}");
                }
            };
            all_say(said(&slower, Unit::Seconds), fills);
            all_say(said(&faster, Unit::Seconds), warms);
            all_say(said(&slower, Unit::OperationsPerSecond), warms);
            all_say(said(&faster, Unit::OperationsPerSecond), fills);
        }
    }
}
