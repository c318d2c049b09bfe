//! Percentiles by choice, with operations and bytes per second side by side.

use std::fmt;

use etalon_language::{figure as local, localized, say};
use etalon_model::{Cell, Run, TargetRecord, Unit};
use etalon_units::{ByteRate, OpRate};

use crate::figures::{ABSENT, interval_of, verdict_word};
use crate::grid::{Grid, Side};
use crate::page::{Look, USUAL_WIDTH};
use crate::role::{figure_apart, is_metadata, line_label};
use crate::to_ascii;
use crate::wrap::paragraph;

/// Latency percentiles of each cell. `Display` gives the page; it ends with a newline.
#[derive(Debug, Clone, Copy)]
pub struct PercentilesPage<'a> {
    /// What was measured.
    pub target: &'a TargetRecord,
    /// The judged cells.
    pub cells: &'a [Cell],
    /// Their runs.
    pub runs: &'a [Run],
    /// Which percentiles, in percent: 99.9 is the latency that one operation of a thousand exceeds.
    pub percentiles: &'a [f64],
    /// Whether bytes are counted in MB (10^6) instead of MiB (2^20).
    pub si: bool,
    /// Width and characters.
    pub look: Look,
}

impl fmt::Display for PercentilesPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.look.speak(|| self.text());
        match self.look.ascii {
            true => f.write_str(&to_ascii(&text)),
            false => f.write_str(&text),
        }
    }
}

impl PercentilesPage<'_> {
    fn text(&self) -> String {
        let heading = say!(
            "page-place",
            path = self.target.path,
            storage = self.target.beneath
        );
        let mut text = paragraph(&heading, self.look.width) + "\n";
        text.push_str(&self.in_blocks(&self.rates()));
        text.push('\n');
        text.push_str(&self.in_blocks(&self.latencies()));
        text
    }

    fn rates(&self) -> Grid {
        let bytes = if self.si { "MB/s" } else { "MiB/s" };
        let heading = vec![
            String::new(),
            self.operations().to_owned(),
            bytes.to_owned(),
            say!("column-interval"),
            say!("column-runs"),
            say!("column-verdict"),
        ];
        self.grid(heading, |cell| {
            let (operations, bytes) = both_rates(cell, self.runs);
            let absent = || ABSENT.to_owned();
            let shown = |rate: ByteRate| {
                localized(match self.si {
                    true => rate.decimal(),
                    false => rate.figure(),
                })
            };
            let interval = interval_of(cell, |value| match cell.unit {
                Unit::BytesPerSecond => shown(ByteRate(value)),
                _ => figure_apart(cell, value),
            });
            vec![
                operations.map_or_else(absent, |rate| operations_of(cell, rate)),
                bytes.map_or_else(absent, |rate| shown(rate).to_string()),
                interval,
                cell.estimate().runs.to_string(),
                verdict_word(&cell.verdict),
            ]
        })
    }

    /// What the column of operations is called: operations on names are no I/O.
    fn operations(&self) -> &'static str {
        match self.cells.iter().all(is_metadata) {
            true => "/s",
            false => "IOPS",
        }
    }

    /// A percentile stands only where enough operations lie beyond it.
    fn latencies(&self) -> Grid {
        let names = self.percentiles.iter().map(|p| format!("p{p}"));
        let heading = std::iter::once(say!("column-latency")).chain(names);
        self.grid(heading.collect(), |cell| {
            let shares = self.percentiles.iter();
            let tails = shares.map(|p| cell.latency.tail_quantile(p / 100.0));
            let shown = tails.map(|t| t.map_or_else(|| ABSENT.to_owned(), local));
            shown.collect()
        })
    }

    fn grid(&self, heading: Vec<String>, show: impl Fn(&Cell) -> Vec<String>) -> Grid {
        let mut sides = vec![Side::Right; heading.len()];
        sides[0] = Side::Left;
        let line = |cell| {
            std::iter::once(line_label(cell))
                .chain(show(cell))
                .collect()
        };
        let lines = self.cells.iter().map(line);
        Grid {
            sides,
            lines: std::iter::once(heading).chain(lines).collect(),
        }
    }

    /// As many columns side by side as fit; the rest below, each block with the names.
    fn in_blocks(&self, grid: &Grid) -> String {
        let width = self.look.width.unwrap_or(USUAL_WIDTH);
        let is_too_wide = |column| grid.only(&[0, column]).width() > width;
        let grid = match (1..grid.sides.len()).any(is_too_wide) {
            true => &grid.with_names_in(width / 2),
            false => grid,
        };
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for column in 1..grid.sides.len() {
            let joined = blocks.last().map(|block| [&block[..], &[column]].concat());
            match joined.filter(|columns| grid.only(columns).width() <= width) {
                Some(columns) => {
                    blocks.pop();
                    blocks.push(columns);
                }
                None => blocks.push(vec![0, column]),
            }
        }
        let texts: Vec<String> = blocks.iter().map(|block| grid.only(block).text()).collect();
        texts.join("\n")
    }
}

/// Operations of a task are no requests to a disk.
fn operations_of(cell: &Cell, rate: OpRate) -> String {
    match is_metadata(cell) {
        true => local(rate.figure("/s")),
        false => local(rate.iops()),
    }
}

/// The cell's figure as operations and as bytes per second, by the mean size of an operation; none
/// where it is a time or nothing was moved.
fn both_rates(cell: &Cell, runs: &[Run]) -> (Option<OpRate>, Option<ByteRate>) {
    let own: Vec<&Run> = runs.iter().filter(|run| run.cell == cell.name).collect();
    let sums = cell
        .counted(&own)
        .iter()
        .fold((0.0, 0.0), |(bytes, operations), run| {
            let m = &run.measurement;
            (
                bytes + m.bytes_per_second(),
                operations + m.operations_per_second(),
            )
        });
    let size = Some(sums.0 / sums.1).filter(|size| size.is_finite() && *size > 0.0);
    let value = cell.estimate().value;
    match cell.unit {
        Unit::OperationsPerSecond => (Some(OpRate(value)), size.map(|s| ByteRate(value * s))),
        Unit::BytesPerSecond => (size.map(|s| OpRate(value / s)), Some(ByteRate(value))),
        Unit::Seconds => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use etalon_model::{TaskFigure, TaskWorkload};
    use etalon_units::Bytes;

    /// A run of each cell with operations of 4 KiB.
    fn runs(cells: &[Cell]) -> Vec<Run> {
        let run = |cell: &Cell| {
            let (_, mut run) = samples::step();
            run.cell = cell.name.clone();
            run.measurement.reads.operations = 10;
            run.measurement.reads.bytes = Bytes::kib(40);
            run.measurement.bytes_with_warm_up = Bytes::kib(40);
            run
        };
        cells.iter().map(run).collect()
    }

    fn page(percentiles: &[f64], si: bool, width: usize) -> String {
        let (target, cells) = (samples::target(), samples::cells());
        let runs = runs(&cells);
        let page = PercentilesPage {
            target: &target,
            cells: &cells,
            runs: &runs,
            percentiles,
            si,
            look: Look {
                width: Some(width),
                ..Look::default()
            },
        };
        page.to_string()
    }

    #[test]
    fn chosen_percentiles_stand_where_enough_lies_beyond_them() {
        let page = page(&[50.0, 90.0, 99.9, 99.99], false, 120);
        let heading = page
            .lines()
            .find(|line| line.starts_with("latency"))
            .unwrap();
        let names: Vec<&str> = heading.split_whitespace().skip(1).collect();
        assert_eq!(names, ["p50", "p90", "p99.9", "p99.99"]);
        // Of 20000 operations two lie beyond the last.
        let read = page
            .lines()
            .rfind(|line| line.starts_with("random read"))
            .unwrap();
        assert!(
            read.ends_with(ABSENT) && read.matches("75.0 µs").count() == 3,
            "{page}"
        );
    }

    #[test]
    fn both_rates_stand_side_by_side_in_the_units_that_were_asked_for() {
        let binary = page(&[50.0], false, 120);
        assert!(
            binary.contains("13.2 k IOPS") && binary.contains("51.6 MiB/s"),
            "{binary}"
        );
        let decimal = page(&[50.0], true, 120);
        assert!(
            decimal.contains("54.1 MB/s") && decimal.contains("400 MB/s"),
            "{decimal}"
        );
        assert!(!decimal.contains("iB/s"), "an interval too: {decimal}");
        let rates = decimal.split("latency").next().unwrap();
        assert!(
            rates.contains("MB/s") && rates.contains("runs"),
            "{decimal}"
        );
    }

    #[test]
    fn operations_on_names_are_not_called_iops() {
        let (target, mut cells) = (samples::target(), samples::cells());
        cells.truncate(1);
        let create = TaskWorkload::of_texts("metadata", "create", TaskFigure::Rate, [].into());
        cells[0].workload = create.into();
        cells[0].unit = Unit::OperationsPerSecond;
        let page = PercentilesPage {
            target: &target,
            cells: &cells,
            runs: &[],
            percentiles: &[50.0],
            si: false,
            look: Look::default(),
        };
        let page = page.to_string();
        assert!(page.contains("/s") && !page.contains("IOPS"), "{page}");
    }

    #[test]
    fn a_name_makes_no_line() {
        let (target, mut cells) = (samples::target(), samples::cells());
        cells[0].name = "a\n0 IOPS".to_owned();
        let page = PercentilesPage {
            target: &target,
            cells: &cells,
            runs: &[],
            percentiles: &[50.0],
            si: false,
            look: Look {
                width: Some(120),
                ..Look::default()
            },
        };
        let text = page.to_string();
        let named = text.lines().filter(|line| line.starts_with("a\\n0 IOPS "));
        assert_eq!(named.count(), 2, "{text}");
        assert!(!text.contains("\n0 IOPS"), "{text}");
    }

    #[test]
    fn a_name_that_leaves_no_room_is_shortened() {
        let (target, mut cells) = (samples::target(), samples::cells());
        cells[0].name = format!("{} QD32", "long ".repeat(14));
        let page = PercentilesPage {
            target: &target,
            cells: &cells,
            runs: &[],
            percentiles: &[50.0, 99.0, 99.9],
            si: false,
            look: Look::default(),
        };
        let text = page.to_string();
        let wide = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{text}");
        assert!(text.contains("long…") && text.contains("QD32"), "{text}");
    }

    #[test]
    fn what_does_not_fit_stands_below() {
        let many: Vec<f64> = (1..=12).map(|n| 99.0 + f64::from(n) / 20.0).collect();
        let page = page(&many, false, 80);
        assert!(
            page.lines().all(|line| line.chars().count() <= 80),
            "{page}"
        );
        assert!(page.matches("latency").count() > 1, "{page}");
        assert!(page.contains("p99.6"), "{page}");
    }
}
