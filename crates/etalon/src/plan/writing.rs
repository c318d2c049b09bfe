//! The plan of an experiment that was made by hand.

use std::fmt::Write as _;

use etalon_model::{Experiment, ExperimentKind};
use etalon_report::repeat_line;
use serde_json::Value;

use super::options::{options, quoted};
use crate::exit::BadUsage;

/// The plan as text: the workloads with every option that differs from the default.
pub(crate) fn plan_of(experiment: &Experiment) -> anyhow::Result<String> {
    refuse_concurrent(experiment)?;
    let header = &experiment.header;
    let mut text = String::new();
    let question = format!("What does experiment {} give again?", header.id);
    writeln!(text, "question = {}", quoted(&question))?;
    writeln!(text, "targets = [{}]", quoted(&header.begun.target.path))?;
    writeln!(text, "seed = {}", header.begun.seed)?;
    let most = experiment.cells.iter().map(|cell| cell.values.len()).max();
    writeln!(text, "blocks = {}", most.unwrap_or(6).max(6))?;
    text.push_str(&asked_for(&header.begun.settings));
    let mut written = 0;
    for cell in &experiment.cells {
        let Some(io) = cell.workload.io() else {
            writeln!(
                text,
                "\n# {} is no workload of reads and writes and is left out.",
                cell.name
            )?;
            continue;
        };
        writeln!(text, "\n[[workload]]\nname = {}", quoted(&cell.name))?;
        for (key, value) in options(io) {
            writeln!(text, "{key} = {value}")?;
        }
        written += 1;
    }
    if written == 0 {
        anyhow::bail!(BadUsage(format!(
            "experiment {} has no reads and writes, which plans repeat",
            header.id
        )));
    }
    Ok(text)
}

/// A plan would carry out one after the other what ran at the same time, and give it the same names.
fn refuse_concurrent(experiment: &Experiment) -> anyhow::Result<()> {
    let Experiment { header, runs, .. } = experiment;
    let mut runs = runs.iter();
    let is_concurrent = header.begun.kind == ExperimentKind::Together
        || runs.any(|run| run.circumstances.concurrent.is_some());
    if !is_concurrent {
        return Ok(());
    }
    let again = match repeat_line(header.id, &header.begun) {
        Some(line) => format!("its own command repeats it: {line}"),
        None => format!("repeat it by `etalon {}`", header.begun.kind),
    };
    anyhow::bail!(BadUsage(format!(
        "experiment {} has workloads that ran at the same time, and a plan has them one after the other; {again}",
        header.id
    )))
}

/// What was asked for beside the workloads; what a plan cannot ask for is said.
fn asked_for(settings: &Value) -> String {
    let mut text = String::new();
    let precision = settings.get("precision").and_then(Value::as_f64);
    if let Some(precision) = precision {
        // Hundredfold, binary fractions get digits that nobody typed.
        let percent = (precision * 1e8).round() / 1e6;
        let _ = writeln!(text, "precision = \"{percent}%\"");
    }
    if !settings.get("latency_target").is_none_or(Value::is_null) {
        text.push_str("# A latency target was looked for, which plans do not: the found depths or rates are repeated.\n");
    }
    text
}
