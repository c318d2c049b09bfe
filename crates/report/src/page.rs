//! The terminal page of an experiment.

use std::fmt;

use etalon_model::{Cell, TargetRecord};
use etalon_units::Nanos;

use crate::cards::cards;
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
    /// How long it took.
    pub elapsed: Nanos,
    /// Columns of the terminal; `None` where there is no terminal, which never limits the table.
    pub width: Option<usize>,
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrap = Wrap(self.width);
        wrap.paragraph(f, &format!("{}: {}", self.target.path, self.target.beneath))?;
        for choice in self.choices {
            wrap.paragraph(f, choice)?;
        }
        writeln!(f)?;
        let wide = table(self.cells);
        let columns = wide.lines().map(|line| line.chars().count()).max();
        if self.width.is_some_and(|width| columns.unwrap_or(0) > width) {
            writeln!(f, "{}", cards(self.cells))?;
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
        format!(
            "{valid} of {} figures are valid; measured in {}. Latencies are service times over all runs; \
             the intervals cover run-to-run variation on this machine now, not another device of the model, \
             another formatting or another day.",
            self.cells.len(),
            self.elapsed
        )
    }
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
    fn few_runs_give_no_interval_and_say_so() {
        let mut cells = samples::cells();
        cells[0].mean.runs = 3;
        cells[0].mean.interval = None;
        assert!(table(&cells).contains("none: 3 of 6 runs"));
    }
}
