//! The figures of an experiment as OpenMetrics text, for Prometheus and what draws from it.
//!
//! The form is that of OpenMetrics 1.0: families with their type and help, one line a figure, `# EOF` at
//! the end.

use std::fmt::Write as _;

use etalon_model::{Cell, Experiment, Unit};

/// Every cell's figure with its interval, its runs, its verdict and its latencies.
pub fn to_metrics(experiment: &Experiment) -> String {
    let mut text = String::new();
    for (unit, name, help) in FAMILIES {
        let cells = experiment.cells.iter().filter(|cell| cell.unit == unit);
        let lines: String = cells.map(|cell| figures(experiment, cell, name)).collect();
        family((name, "gauge"), help, &lines, &mut text);
    }
    let all = |line: fn(&Experiment, &Cell) -> String| -> String {
        experiment
            .cells
            .iter()
            .map(|cell| line(experiment, cell))
            .collect()
    };
    family(
        // Only a summary may have quantiles (OpenMetrics 1.0, "Summary").
        ("etalon_latency_seconds", "summary"),
        "Latency of single operations, by quantile.",
        &all(latencies),
        &mut text,
    );
    family(
        ("etalon_runs", "gauge"),
        "Runs behind a figure.",
        &all(runs),
        &mut text,
    );
    family(
        ("etalon_valid", "gauge"),
        "1 where the verdict is valid.",
        &all(valid),
        &mut text,
    );
    text + "# EOF\n"
}

const FAMILIES: [(Unit, &str, &str); 3] = [
    (
        Unit::BytesPerSecond,
        "etalon_bytes_per_second",
        "Throughput, with its 95 % interval as bounds.",
    ),
    (
        Unit::OperationsPerSecond,
        "etalon_operations_per_second",
        "Operations per second, with their 95 % interval as bounds.",
    ),
    (
        Unit::Seconds,
        "etalon_seconds",
        "Time taken, with its 95 % interval as bounds.",
    ),
];

/// A family with its lines; nothing without any.
fn family((name, kind): (&str, &str), help: &str, lines: &str, text: &mut String) {
    if !lines.is_empty() {
        let _ = write!(text, "# TYPE {name} {kind}\n# HELP {name} {help}\n{lines}");
    }
}

fn labels(experiment: &Experiment, cell: &Cell) -> String {
    let header = &experiment.header;
    format!(
        "experiment=\"{}\",target=\"{}\",cell=\"{}\"",
        header.id,
        quoted(&header.begun.target.path),
        quoted(&cell.name)
    )
}

fn figures(experiment: &Experiment, cell: &Cell, name: &str) -> String {
    let (labels, estimate) = (labels(experiment, cell), cell.estimate());
    let bounds = [
        ("value", Some(estimate.value)),
        ("low", estimate.interval.map(|i| i.low)),
        ("high", estimate.interval.map(|i| i.high)),
    ];
    let known = bounds
        .iter()
        .filter_map(|(bound, value)| Some((bound, (*value)?)));
    let line = |(bound, value)| format!("{name}{{{labels},bound=\"{bound}\"}} {}\n", number(value));
    known.map(line).collect()
}

fn latencies(experiment: &Experiment, cell: &Cell) -> String {
    let labels = labels(experiment, cell);
    let line = |q: f64| {
        let span = cell.latency.tail_quantile(q)?;
        let value = number(span.as_secs_f64());
        Some(format!(
            "etalon_latency_seconds{{{labels},quantile=\"{q}\"}} {value}\n"
        ))
    };
    [0.5, 0.99, 0.999].into_iter().filter_map(line).collect()
}

fn runs(experiment: &Experiment, cell: &Cell) -> String {
    let labels = labels(experiment, cell);
    format!("etalon_runs{{{labels}}} {}\n", cell.estimate().runs)
}

fn valid(experiment: &Experiment, cell: &Cell) -> String {
    let (labels, valid) = (labels(experiment, cell), u8::from(cell.verdict.is_valid()));
    format!("etalon_valid{{{labels}}} {valid}\n")
}

fn number(value: f64) -> String {
    match value.is_nan() {
        true => "NaN".to_owned(),
        false => format!("{value}"),
    }
}

/// A label's value (OpenMetrics 1.0, `label-value`): backslash, quote and line feed are escaped.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    text.replace('\n', "\\n").replace('\r', "\\\\r")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;

    #[test]
    fn every_figure_is_a_line_of_its_family() {
        let labels = "experiment=\"7\",target=\"/srv/data\",cell=\"random read, \\\"4 KiB\\\"\"";
        assert_eq!(
            to_metrics(&experiment()),
            format!(
                "# TYPE etalon_operations_per_second gauge\n\
                 # HELP etalon_operations_per_second Operations per second, with their 95 % interval as bounds.\n\
                 etalon_operations_per_second{{{labels},bound=\"value\"}} 550\n\
                 etalon_operations_per_second{{{labels},bound=\"low\"}} 500\n\
                 etalon_operations_per_second{{{labels},bound=\"high\"}} 600\n\
                 # TYPE etalon_latency_seconds summary\n\
                 # HELP etalon_latency_seconds Latency of single operations, by quantile.\n\
                 etalon_latency_seconds{{{labels},quantile=\"0.5\"}} 0.0000001\n\
                 etalon_latency_seconds{{{labels},quantile=\"0.99\"}} 0.0000001\n\
                 # TYPE etalon_runs gauge\n# HELP etalon_runs Runs behind a figure.\n\
                 etalon_runs{{{labels}}} 3\n\
                 # TYPE etalon_valid gauge\n# HELP etalon_valid 1 where the verdict is valid.\n\
                 etalon_valid{{{labels}}} 0\n# EOF\n"
            )
        );
    }

    #[test]
    fn a_name_ends_neither_its_label_nor_its_line() {
        let mut experiment = experiment();
        experiment.cells[0].name = "a\"} 1\n# EOF\n\\".to_owned();
        let text = to_metrics(&experiment);
        assert_eq!(text.lines().filter(|line| *line == "# EOF").count(), 1);
        assert!(text.contains("cell=\"a\\\"} 1\\n# EOF\\n\\\\\""), "{text}");
    }
}
