//! The terminal page of an experiment.

use std::fmt;

use etalon_model::{Cell, Parameter, Run, TargetRecord, TaskWorkload};
use etalon_units::Nanos;

use crate::cards::cards;
use crate::columns::{columns, rows};
use crate::findings::sentences;
use crate::table::table;
use crate::wrap::Wrap;

/// Everything that a person reads at the end of an experiment.
///
/// `Display` gives the page; it ends with a newline.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// What was measured.
    pub target: &'a TargetRecord,
    /// What was chosen and why, a sentence each.
    pub choices: &'a [String],
    /// The judged cells.
    pub cells: &'a [Cell],
    /// Their runs, for what no cell holds; may be empty.
    pub runs: &'a [Run],
    /// How long it took.
    pub elapsed: Nanos,
    /// Columns of the terminal; `None` where there is no terminal, which never limits the table.
    pub width: Option<usize>,
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrap = Wrap(self.width);
        wrap.paragraph(f, &format!("{}: {}", self.target.path, self.target.beneath))?;
        let tasks: Vec<&TaskWorkload> = self
            .cells
            .iter()
            .filter_map(|cell| cell.workload.task())
            .collect();
        if let Some(words) = in_words(&tasks) {
            wrap.paragraph(f, &words)?;
        }
        for choice in self.choices {
            wrap.paragraph(f, choice)?;
        }
        writeln!(f)?;
        let (rows, columns) = (rows(self.cells, self.runs), columns(self.cells));
        let wide = table(&rows, columns);
        let broad = wide.lines().map(|line| line.chars().count()).max();
        if self.width.is_some_and(|width| broad.unwrap_or(0) > width) {
            writeln!(f, "{}", cards(&rows, columns))?;
        } else {
            writeln!(f, "{wide}")?;
        }
        let sentences = sentences(self.cells);
        if !sentences.is_empty() {
            writeln!(f)?;
        }
        for sentence in sentences {
            wrap.paragraph(f, &sentence)?;
        }
        writeln!(f)?;
        wrap.paragraph(f, &self.closing())
    }
}

impl Page<'_> {
    fn closing(&self) -> String {
        let valid = self.cells.iter().filter(|c| c.verdict.is_valid()).count();
        let has_latency = |cell: &Cell| cell.latency.count() > 0;
        let latencies = match self.cells.iter().any(has_latency) {
            true => "Latencies are service times over all runs; the",
            false => "The",
        };
        format!(
            "{valid} of {} figures are valid; measured in {}. {latencies} intervals cover run-to-run variation on this machine now, not another device of the model, \
             another formatting or another day.",
            self.cells.len(),
            self.elapsed
        )
    }
}

/// `archive: format zstd, level 3`: what all cells of a task have in common; `None` without a task.
fn in_words(tasks: &[&TaskWorkload]) -> Option<String> {
    let first = tasks.first()?;
    let is_common = |name: &str, value: &Parameter| {
        let mut all = tasks.iter().map(|task| task.parameters.get(name));
        all.all(|other| other == Some(value))
    };
    let set = first.parameters.iter();
    let words: Vec<String> = set
        .filter(|(name, value)| is_common(name, value))
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    Some(format!("{}: {}.", first.work, words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn page(width: Option<usize>) -> String {
        let target = samples::target();
        let cells = samples::cells();
        let choices = ["Working set 1 GiB: a test sample.".to_owned()];
        Page {
            target: &target,
            choices: &choices,
            cells: &cells,
            runs: &[],
            elapsed: Nanos::secs(58),
            width,
        }
        .to_string()
    }

    #[test]
    fn the_wide_page_is_a_table_with_every_figure_beside_its_interval_count_and_verdict() {
        let text = page(None);
        assert!(text.contains("/data: ext4 on sda"), "{text}");
        let row = text
            .lines()
            .find(|line| line.contains("random read"))
            .unwrap();
        for part in [
            "13.2 k op/s",
            "12.9 … 13.6 k op/s (±2.8 %)",
            "8",
            "100 %",
            "valid",
        ] {
            assert!(row.contains(part), "{part} in {row}");
        }
        assert!(text.contains("undecided, needs 1 min 30 s more"), "{text}");
        assert!(
            text.contains("invalid [page-cache] streaming read: "),
            "{text}"
        );
    }

    #[test]
    fn the_narrow_page_fits_and_leaves_nothing_out() {
        let wide = page(None);
        let narrow = page(Some(60));
        for line in narrow.lines() {
            assert!(line.chars().count() <= 60, "{line}");
        }
        // A card begins with the workload's name and needs no heading for it.
        let wide = wide.replacen("workload", "", 1);
        for word in wide
            .split_whitespace()
            .filter(|w| w.chars().all(char::is_alphanumeric))
        {
            assert!(narrow.contains(word), "{word} is missing");
        }
    }

    #[test]
    fn a_step_shows_when_it_returned_and_who_worked() {
        let (cell, run) = samples::step();
        let mut unfinished = run.clone();
        unfinished.measurement.ended = etalon_model::Ended::DiskFull;
        unfinished.measurement.duration = Nanos::secs(900);
        let text = Page {
            target: &samples::target(),
            choices: &[],
            cells: &[cell],
            runs: &[run, unfinished],
            elapsed: Nanos::secs(58),
            width: None,
        }
        .to_string();
        assert!(text.contains("\narchive: format zstd.\n"), "{text}");
        let row = text.lines().find(|line| line.contains("unpack")).unwrap();
        for part in ["3.00 s", "2.00 s", "300 ms", "200 ms", "1.50 s", "valid"] {
            assert!(row.contains(part), "{part} in {row}");
        }
        assert!(text.contains("until durable") && !text.contains("p99"));
        assert!(!text.contains("Latencies"), "{text}");
    }

    #[test]
    fn operations_on_names_show_their_latencies() {
        let mut cells = samples::cells();
        for cell in &mut cells {
            let (step, _) = samples::step();
            cell.workload = step.workload;
            let task = cell.workload.task_mut().unwrap();
            task.figure = etalon_model::TaskFigure::Rate;
        }
        let text = table(&rows(&cells, &[]), columns(&cells));
        let row = text.lines().find(|line| line.contains("random")).unwrap();
        assert!(
            text.contains("operation") && text.contains("mean"),
            "{text}"
        );
        assert!(row.contains("75.0 µs"), "{row}");
    }

    #[test]
    fn what_the_cells_of_a_task_have_in_common_stands_above_them() {
        let task = |record: &str| {
            let texts = [("record", record), ("size", "1 GiB"), ("sync", "")];
            let texts = texts.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let figure = etalon_model::TaskFigure::Time;
            TaskWorkload::of_texts("archive", "unpack", figure, texts.into())
        };
        let (small, large) = (task("4 KiB"), task("1 MiB"));
        assert_eq!(in_words(&[&small, &large]).unwrap(), "archive: size 1 GiB.");
        assert_eq!(
            in_words(&[&small]).unwrap(),
            "archive: record 4 KiB, size 1 GiB."
        );
        assert_eq!(in_words(&[]), None);
    }

    #[test]
    fn few_runs_give_no_interval_and_say_so() {
        let mut cells = samples::cells();
        cells[0].mean.runs = 3;
        cells[0].mean.interval = None;
        let text = table(&rows(&cells, &[]), columns(&cells));
        assert!(text.contains("none: 3 of 6 runs"));
    }
}
