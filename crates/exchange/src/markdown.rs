//! The table of an experiment as Markdown, for a forum or a README.

use std::fmt::Write as _;

use etalon_model::{Cell, Experiment, ExperimentKind, Unit};
use etalon_units::{ByteRate, Nanos, OpRate, Percent, visible};

/// The cells as a Markdown table below a line that says what was measured, and the findings below it.
pub fn to_markdown(experiment: &Experiment) -> String {
    let begun = &experiment.header.begun;
    // Others have no seed that is known.
    let seed = match begun.kind {
        ExperimentKind::Imported => String::new(),
        _ => format!(", seed {}", begun.seed),
    };
    let mut text = format!(
        "**{}** ({}), {}{seed}, etalon {}\n\n",
        plain(&begun.target.path),
        plain(&begun.target.beneath),
        begun.kind,
        plain(&begun.tool_version),
    );
    text.push_str("| workload | result | ± | 95 % interval | p50 | p99 | runs | verdict |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---|\n");
    experiment
        .cells
        .iter()
        .for_each(|cell| row(cell, &mut text));
    findings(experiment, &mut text);
    text
}

fn row(cell: &Cell, text: &mut String) {
    let estimate = cell.estimate();
    let show = |value| figure(value, cell.unit);
    let half = estimate.relative_half_width().map(Percent::from_fraction);
    let interval = estimate.interval;
    let interval = interval.map(|i| format!("{} – {}", show(i.low), show(i.high)));
    let span = |q| {
        cell.latency
            .tail_quantile(q)
            .map(|ns: Nanos| ns.to_string())
    };
    let cells = [
        Some(plain(&cell.name)),
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

/// Each finding that is more than a note, once.
fn findings(experiment: &Experiment, text: &mut String) {
    let mut lines: Vec<String> = Vec::new();
    for cell in &experiment.cells {
        let grave = cell
            .findings
            .iter()
            .filter(|f| f.severity > etalon_model::Severity::Info);
        for finding in grave {
            let line = format!(
                "- `{}` {}: {}",
                plain(&finding.code),
                plain(&cell.name),
                plain(&finding.message)
            );
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    if !lines.is_empty() {
        let _ = writeln!(text, "\n{}", lines.join("\n"));
    }
}

fn figure(value: f64, unit: Unit) -> String {
    match unit {
        Unit::BytesPerSecond => ByteRate(value).to_string(),
        Unit::OperationsPerSecond => OpRate(value).to_string(),
        Unit::Seconds => Nanos::from_secs_f64(value).to_string(),
    }
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
    use crate::samples::experiment;

    #[test]
    fn a_row_for_each_cell_and_a_line_for_each_finding() {
        assert_eq!(
            to_markdown(&experiment()),
            "**/srv/data** (ext4 on sda1), measure, seed 42, etalon 0.1.0\n\n\
             | workload | result | ± | 95 % interval | p50 | p99 | runs | verdict |\n\
             |---|---:|---:|---:|---:|---:|---:|---|\n\
             | random read, \"4 KiB\" | 550 op/s | 9.1 % | 500 op/s – 600 op/s | 100 ns | 100 ns | 3 | undecided, needs 1 min 30 s more |\n\
             \n- `page-cache` random read, \"4 KiB\": a = b\n"
        );
    }

    #[test]
    fn a_name_makes_neither_a_column_nor_a_link() {
        let mut experiment = experiment();
        experiment.cells[0].name = "a|b [x](http://evil) <img>\n# head".to_owned();
        let text = to_markdown(&experiment);
        assert!(
            text.contains("a\\|b \\[x\\](http://evil) \\<img\\>"),
            "{text}"
        );
        assert!(!text.contains("\n# head"));
    }
}
