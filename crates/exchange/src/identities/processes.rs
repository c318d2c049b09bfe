//! Names of processes, which may be other users'.

use std::collections::BTreeSet;

use etalon_model::stack::ProcessActivity;
use etalon_model::{Experiment, Finding, Run};

use super::words::{Words, replace_word};

/// The finding that names them, each with its number behind it: `name (4711)`.
const NAMED_BY: &str = "foreign-io";

/// Hides those that the runs saw, and their names in findings.
pub(super) fn hide(experiment: &mut Experiment, words: &Words<'_>) -> serde_json::Result<()> {
    let mut names = BTreeSet::new();
    for run in &mut experiment.runs {
        for process in seen(run) {
            names.insert(process.name.clone());
            process.name = words.pseudonym(&process.name);
        }
    }
    let of_runs = experiment.runs.iter_mut().map(|run| &mut run.findings);
    let of_cells = experiment.cells.iter_mut().map(|cell| &mut cell.findings);
    let findings = of_runs.chain(of_cells).flatten();
    for finding in findings.filter(|finding| finding.code == NAMED_BY) {
        hide_in(finding, &names, words);
    }
    Ok(())
}

fn seen(run: &mut Run) -> impl Iterator<Item = &mut ProcessActivity> {
    let circumstances = &mut run.circumstances;
    let others = circumstances
        .machine
        .iter_mut()
        .flat_map(|machine| &mut machine.others);
    let recordings = circumstances.recording.iter_mut();
    let samples = recordings.flat_map(|recording| &mut recording.samples);
    others.chain(samples.flat_map(|sample| &mut sample.processes))
}

fn hide_in(finding: &mut Finding, names: &BTreeSet<String>, words: &Words<'_>) {
    let hide = |text: &mut String| {
        for name in names {
            let shown = format!("{} (", words.pseudonym(name));
            *text = replace_word(text, &format!("{name} ("), &shown);
        }
    };
    hide(&mut finding.message);
    let parts = finding.said.iter_mut();
    parts
        .flat_map(|part| part.names.values_mut())
        .for_each(hide);
}
