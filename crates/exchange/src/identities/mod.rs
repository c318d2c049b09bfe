//! An experiment without what names its disks, its machine, its network and its user, to be published.
//!
//! Each such value becomes a pseudonym: of equal values the same, so that two experiments on one disk are still known
//! to be, and of no use to whoever does not have the secret.

mod command_line;
mod facts;
mod gather;
mod keys;
mod paths;
mod patterns;
mod processes;
mod stack;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use etalon_model::{EnvironmentRecord, Experiment, Run};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use words::Words;

/// What every pseudonym begins with.
const MARK: &str = "hidden-";
/// Digits of a hash: enough that no two values of a published experiment have the same by chance.
const DIGITS: usize = 12;

/// How values are hidden.
pub struct Hiding<'a> {
    /// A word that nobody else knows; else serial numbers could be guessed until their pseudonym fits.
    pub secret: &'a str,
    /// The hash of facts by their keys, in hexadecimal, as environments have it.
    pub hash: &'a dyn Fn(&BTreeMap<String, String>) -> String,
}

impl Hiding<'_> {
    /// What stands for `value`; a pseudonym stands for itself.
    fn pseudonym(&self, value: &str) -> String {
        if value.is_empty() || value.starts_with(MARK) {
            return value.to_owned();
        }
        let facts = [("secret", self.secret), ("value", value)];
        let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let hash = (self.hash)(&facts.into());
        format!("{MARK}{}", hash.get(..DIGITS).unwrap_or(&hash))
    }
}

/// Hides in `experiment` serial numbers, names of devices by them, UUIDs, labels, names of volumes and servers,
/// addresses, directories and files, values of the kernel's command line and names of processes. What the user wrote
/// himself, as the question of a plan, stays but for these.
///
/// # Errors
/// Where a record cannot be written as JSON and read again.
pub fn without_identities(experiment: &mut Experiment, by: &Hiding<'_>) -> serde_json::Result<()> {
    let words = Words::of(experiment, by)?;
    hide_header(experiment, &words)?;
    let mut environments = BTreeMap::new();
    for record in experiment.environments() {
        let hidden = environment(record, &words)?;
        environments.insert(record.manifest.hash.clone(), Arc::new(hidden));
    }
    processes::hide(experiment, &words)?;
    for run in &mut experiment.runs {
        hide_run(run, &words, &environments)?;
    }
    for cell in &mut experiment.cells {
        cell.name = words.hide(&cell.name);
        hide(&mut cell.workload, &words)?;
        hide(&mut cell.verdict, &words)?;
        hide(&mut cell.findings, &words)?;
    }
    Ok(())
}

/// The process that made it is known by the number of its machine.
fn hide_header(experiment: &mut Experiment, words: &Words<'_>) -> serde_json::Result<()> {
    let header = &mut experiment.header;
    header.begun.owner = None;
    hide(&mut header.choices, words)?;
    hide(&mut header.begun.target, words)?;
    hide(&mut header.begun.settings, words)
}

fn hide_run(
    run: &mut Run,
    words: &Words<'_>,
    environments: &BTreeMap<String, Arc<EnvironmentRecord>>,
) -> serde_json::Result<()> {
    run.cell = words.hide(&run.cell);
    hide(&mut run.workload, words)?;
    hide(&mut run.findings, words)?;
    hide(&mut run.measurement.ended, words)?;
    hide(&mut run.measurement.service, words)?;
    // The recording is long, and has no names but those of processes.
    let recording = run.circumstances.recording.take();
    let mark = run.circumstances.environment.take();
    hide(&mut run.circumstances, words)?;
    run.circumstances.recording = recording;
    run.circumstances.environment = mark.map(|mark| facts::mark(mark, words, environments));
    Ok(())
}

fn environment(
    record: &EnvironmentRecord,
    words: &Words<'_>,
) -> serde_json::Result<EnvironmentRecord> {
    let mut hidden = record.clone();
    let mut tree = serde_json::to_value(&record.stack)?;
    stack::hide(&mut tree, words);
    hidden.stack = serde_json::from_value(tree)?;
    hide(&mut hidden.manifest.missing, words)?;
    hidden.manifest.facts = facts::all(&record.manifest.facts, words);
    hidden.manifest.hash = words.hash(&hidden.manifest.facts);
    Ok(hidden)
}

/// Every text of a record.
fn hide<T: Serialize + DeserializeOwned>(
    record: &mut T,
    words: &Words<'_>,
) -> serde_json::Result<()> {
    let mut value = serde_json::to_value(&*record)?;
    hide_texts(&mut value, words);
    *record = serde_json::from_value(value)?;
    Ok(())
}

fn hide_texts(value: &mut Value, words: &Words<'_>) {
    match value {
        Value::String(text) => *text = words.hide(text),
        Value::Array(values) => values.iter_mut().for_each(|inner| hide_texts(inner, words)),
        Value::Object(entries) => entries
            .values_mut()
            .for_each(|inner| hide_texts(inner, words)),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
