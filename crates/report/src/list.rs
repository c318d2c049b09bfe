//! The experiments of a store as a table, the oldest first.

use std::fmt;

use etalon_language::{figure as say_figure, say};
use etalon_model::{ExperimentKind, ExperimentState, RunId, Unit};
use etalon_units::visible;

use crate::ascii::to_ascii;
use crate::figures::ABSENT;
use crate::grid::{Grid, Side};
use crate::page::Look;
use crate::role::{display_name, figure_of};
use crate::width::shortened_path;

/// Fewer columns than these are not left for a target; the line is longer then.
const FEWEST_OF_TARGET: usize = 12;

/// One experiment of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedRow {
    /// Its number.
    pub id: RunId,
    /// When it was begun, in words.
    pub when: String,
    /// Which command made it.
    pub kind: ExperimentKind,
    /// How far it got.
    pub state: ExperimentState,
    /// Number of runs.
    pub runs: u32,
    /// Number of cells, and of the valid ones among them.
    pub cells: (u32, u32),
    /// Its first figures that are not invalid: the cell's name, unit and value.
    pub figures: Vec<(String, Unit, f64)>,
    /// The path that was measured.
    pub target: String,
}

/// The list; `Display` gives it with a line end after it.
#[derive(Debug, Clone, Copy)]
pub struct ListPage<'a> {
    /// The experiments.
    pub rows: &'a [ListedRow],
    /// How the page is to look.
    pub look: Look,
}

impl fmt::Display for ListPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.look.speak(|| self.grid().text());
        f.write_str(&if self.look.ascii {
            to_ascii(&text)
        } else {
            text
        })
    }
}

impl ListPage<'_> {
    /// The widest table that fits; the target gets what is left.
    fn grid(&self) -> Grid {
        let whole = self.lines(usize::MAX);
        let Some(width) = self.look.width else {
            return whole;
        };
        if whole.width() <= width {
            return whole;
        }
        let target = whole.only(&[TARGET]).width();
        let left = |kept: &[usize]| width.saturating_sub(whole.only(kept).width() - target);
        let fitting = KEPT.iter().find(|kept| left(kept) >= FEWEST_OF_TARGET);
        let kept = fitting.unwrap_or(&KEPT[KEPT.len() - 1]);
        self.lines(left(kept).max(FEWEST_OF_TARGET)).only(kept)
    }

    fn lines(&self, of_target: usize) -> Grid {
        let mut lines = vec![heading()];
        lines.extend(self.rows.iter().map(|row| line(row, of_target)));
        use Side::{Left, Right};
        Grid {
            sides: vec![Right, Left, Left, Right, Right, Right, Left],
            lines,
        }
    }
}

fn heading() -> Vec<String> {
    vec![
        say!("list-id"),
        say!("list-when"),
        say!("list-kind"),
        say!("list-valid"),
        say!("list-runs"),
        say!("list-figure"),
        say!("list-target"),
    ]
}

const TARGET: usize = 6;

/// The columns that stay the narrower it gets: the figure goes last of all.
const KEPT: [&[usize]; 4] = [
    &[0, 1, 2, 3, 4, 5, TARGET],
    &[0, 1, 2, 3, 5, TARGET],
    &[0, 1, 2, 5, TARGET],
    &[0, 1, 2, 3, 4, TARGET],
];

fn line(row: &ListedRow, of_target: usize) -> Vec<String> {
    let (cells, valid) = row.cells;
    vec![
        row.id.to_string(),
        row.when.clone(),
        row.kind.to_string(),
        match row.state {
            ExperimentState::Finished => say!("list-valid-of", count = valid, all = cells),
            ExperimentState::Interrupted => say!("state-interrupted"),
            ExperimentState::Running => say!("state-running"),
        },
        row.runs.to_string(),
        row.figures
            .first()
            .map_or_else(|| ABSENT.to_owned(), listed_figure),
        shortened_path(&visible(&row.target), of_target),
    ]
}

/// A cell's name, unit and value as a line of a list has them: `seq. read 5838 MiB/s`.
pub fn listed_figure((name, unit, value): &(String, Unit, f64)) -> String {
    let name = display_name(&visible(name));
    // A list reads no workloads.
    let figure = figure_of(&name, *value, *unit);
    let name = name
        .replace("sequential", "seq.")
        .replace("random", "rand.");
    format!("{name} {}", say_figure(figure))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: RunId, target: &str) -> ListedRow {
        ListedRow {
            id,
            when: "2026-11-22 05:12".to_owned(),
            kind: ExperimentKind::Quick,
            state: ExperimentState::Finished,
            runs: 72,
            cells: (9, 8),
            figures: vec![("streaming read".to_owned(), Unit::BytesPerSecond, 2.0e9)],
            target: target.to_owned(),
        }
    }

    fn page(width: Option<usize>) -> String {
        let rows = [
            row(7, "/srv"),
            row(12, "/a/long/way/down/to/the/storage/of/all"),
        ];
        let look = Look {
            width,
            ..Look::default()
        };
        ListPage { rows: &rows, look }.to_string()
    }

    #[test]
    fn a_line_has_the_headline_figure_and_the_target() {
        let text = page(None);
        let second = text.lines().nth(1).unwrap_or_default();
        let words: Vec<&str> = second.split("  ").filter(|word| !word.is_empty()).collect();
        let expected = [
            "7",
            "2026-11-22 05:12",
            "quick",
            "8 of 9",
            "72",
            "seq. read 1907 MiB/s",
            "/srv",
        ];
        let words: Vec<&str> = words.iter().map(|word| word.trim()).collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn reads_and_writes_are_iops_and_names_are_counted_by_the_second() {
        let unit = Unit::OperationsPerSecond;
        let told = |name: &str| listed_figure(&(name.to_owned(), unit, 21_930.0));
        assert_eq!(told("randread 4 KiB"), "rand. read 4 KiB 21.9 k IOPS");
        let quick = "random read 4 KiB, depth 1";
        assert_eq!(told(quick), "rand. read 4 KiB QD1 21.9 k IOPS");
        assert_eq!(told("create files"), "create files 21.9 k/s");
    }

    #[test]
    fn narrow_terminals_get_the_end_of_a_long_path() {
        for width in [60, 80] {
            let text = page(Some(width));
            let too_wide = text.lines().find(|line| line.chars().count() > width);
            assert_eq!(too_wide, None, "{text}");
            assert!(text.contains('…') && text.contains("of/all"), "{text}");
            assert_eq!(text.contains("1907 MiB/s"), width == 80, "{text}");
        }
        assert!(!page(None).contains('…'));
        let rows = [row(12, "/a/long/way/down/to/the/storage/of/all")];
        let look = Look {
            width: Some(80),
            ascii: true,
            ..Look::default()
        };
        let text = ListPage { rows: &rows, look }.to_string();
        assert!(text.contains("...") && text.contains("of/all"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }

    #[test]
    fn the_counts_of_runs_go_before_a_long_figure() {
        let mut row = row(1, "/tmp/a/place/to/measure");
        row.kind = ExperimentKind::Metadata;
        let unit = Unit::OperationsPerSecond;
        row.figures = vec![("randread 4 KiB, depth 32".to_owned(), unit, 1.75e6)];
        let look = Look {
            width: Some(80),
            ..Look::default()
        };
        let rows = [row];
        let text = ListPage { rows: &rows, look }.to_string();
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        assert!(text.contains("rand. read 4 KiB QD32 1.75 M IOPS"), "{text}");
        assert!(!text.contains("runs"), "{text}");
    }
}
