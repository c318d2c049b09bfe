//! The table of an experiment as Markdown, for a forum or a README.

use std::fmt::Write as _;

use etalon_model::{Cell, Experiment, ExperimentKind};
use etalon_units::{Nanos, Percent, visible};

/// What a person reads of an experiment, in the words of its page.
#[derive(Debug, Clone, Copy)]
pub struct PageWords<'a> {
    /// The answer, a sentence each.
    pub answer: &'a [String],
    /// The findings that matter, grouped by cause.
    pub findings: &'a [String],
    /// What a cell is called.
    pub name: fn(&Cell) -> String,
    /// A figure of a cell with its unit.
    pub figure: fn(&Cell, f64) -> String,
}

/// A line that says what was measured, the answer, the cells as a Markdown table, and what was found.
pub fn to_markdown(experiment: &Experiment, words: &PageWords<'_>) -> String {
    let mut text = heading(experiment);
    if !words.answer.is_empty() {
        let _ = write!(text, "{}\n\n", plain(&words.answer.join(" ")));
    }
    text.push_str("| workload | result | ± | 95 % interval | p50 | p99 | runs | verdict |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---|\n");
    let cells = experiment.cells.iter();
    cells.for_each(|cell| row(cell, words, &mut text));
    for (n, finding) in words.findings.iter().enumerate() {
        let before = if n == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{before}- {}", plain(finding));
    }
    text
}

fn heading(experiment: &Experiment) -> String {
    let begun = &experiment.header.begun;
    // Others have no seed that is known.
    let seed = match begun.kind {
        ExperimentKind::Imported => String::new(),
        _ => format!(", seed {}", begun.seed),
    };
    format!(
        "**{}** ({}), {}{seed}, etalon {}\n\n",
        plain(&begun.target.path),
        plain(&begun.target.beneath),
        begun.kind,
        plain(&begun.tool_version),
    )
}

fn row(cell: &Cell, words: &PageWords<'_>, text: &mut String) {
    let estimate = cell.estimate();
    let show = |value| (words.figure)(cell, value);
    let half = estimate.relative_half_width().map(Percent::from_fraction);
    let interval = estimate.interval;
    let interval = interval.map(|i| format!("{} – {}", show(i.low), show(i.high)));
    let span = |q| {
        cell.latency
            .tail_quantile(q)
            .map(|ns: Nanos| ns.to_string())
    };
    let cells = [
        Some(plain(&(words.name)(cell))),
        (estimate.runs > 0).then(|| show(estimate.value)),
        half.map(|half| half.to_string()),
        interval,
        span(0.5),
        span(0.99),
        Some(estimate.runs.to_string()),
        Some(plain(&cell.verdict.to_string())),
    ];
    let cells = cells.map(|cell| cell.unwrap_or_else(|| "–".to_owned()));
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

/// Text that Markdown takes for nothing but text (CommonMark 0.31, section 2.4).
fn plain(text: &str) -> String {
    let mut safe = String::new();
    for sign in visible(text).chars() {
        if "\\`*_[]<>|#~&!".contains(sign) {
            safe.push('\\');
        }
        safe.push(sign);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{experiment, sample_words};

    #[test]
    fn the_answer_then_a_row_for_each_cell_then_each_finding_once() {
        let answer = ["Small accesses: 550.".to_owned(), "How sure: *.".to_owned()];
        let words = PageWords {
            answer: &answer,
            findings: &["all rows: a = b".to_owned()],
            ..sample_words()
        };
        assert_eq!(
            to_markdown(&experiment(), &words),
            "**/srv/data** (ext4 on sda1), measure, seed 42, etalon 0.1.0\n\n\
             Small accesses: 550. How sure: \\*.\n\n\
             | workload | result | ± | 95 % interval | p50 | p99 | runs | verdict |\n\
             |---|---:|---:|---:|---:|---:|---:|---|\n\
             | random read, \"4 KiB\" | 550 IOPS | 9.1 % | 500 IOPS – 600 IOPS | 100 ns | 100 ns | 3 | undecided, needs 1 min 30 s more |\n\
             \n- all rows: a = b\n"
        );
    }

    #[test]
    fn a_name_makes_neither_a_column_nor_a_link() {
        let mut experiment = experiment();
        experiment.cells[0].name = "a|b [x](http://evil) <img>\n# head".to_owned();
        let text = to_markdown(&experiment, &sample_words());
        assert!(
            text.contains("a\\|b \\[x\\](http://evil) \\<img\\>"),
            "{text}"
        );
        assert!(!text.contains("\n# head"));
    }
}
