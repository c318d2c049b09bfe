//! What the tools with lines of their own have measured, on its way into the store.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use etalon_exchange::{CellJson, DocumentFormat, Envelope, ToolBody};
use etalon_experiment::{ExperimentError, Site, SiteError, claim, environment_of};
use etalon_factor::{Busy, TargetLock};
use etalon_judge::{Goal, judge_cells};
use etalon_model::{Cell, EnvironmentMark, ExperimentKind, ExperimentState, Run, TargetRecord};
use etalon_tools::{Exit, RunKeeper};

use crate::cli::StoreArgs;
use crate::exit::{BadUsage, classify};
use crate::ledger::Ledger;
use crate::output;

/// Asks a tool for one JSON document instead of its lines.
pub(crate) const JSON: &str = "--json";

/// Has a tool wait for another etalon.
pub(crate) const WAIT: &str = "--wait";

/// The words of a tool without one of etalon's own, and whether it was among them.
pub(crate) fn without(option: &str, words: &[OsString]) -> (Vec<OsString>, bool) {
    let own: Vec<OsString> = words
        .iter()
        .filter(|word| *word != option)
        .cloned()
        .collect();
    let asked = own.len() < words.len();
    (own, asked)
}

/// Names the store that a tool's runs are kept in.
const STORE: &str = "--store";

/// The words of a tool without `--store FILE` or `--store=FILE`, and the store that was named last.
///
/// # Errors
///
/// When no file is named behind the option.
pub(crate) fn store_among(words: &[OsString]) -> Result<(Vec<OsString>, StoreArgs), BadUsage> {
    let (mut own, mut store) = (Vec::new(), StoreArgs::default());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let behind = word.as_bytes().strip_prefix(STORE.as_bytes());
        let file = match behind {
            Some([]) => words.next().map(OsString::as_os_str),
            Some([b'=', file @ ..]) => Some(OsStr::from_bytes(file)),
            _ => {
                own.push(word.clone());
                continue;
            }
        };
        let file = file.filter(|file| !file.is_empty());
        let file = file.ok_or_else(|| BadUsage(format!("{STORE} needs the file of a store")))?;
        store.store = Some(file.into());
    }
    Ok((own, store))
}

/// Keeps a tool's runs as an experiment. Where that fails the tool goes on all the same, and the
/// reason is told at the end: whoever copies a disk wants the copy first.
pub(crate) struct Kept {
    kind: ExperimentKind,
    words: Vec<String>,
    store: StoreArgs,
    ledger: Option<Ledger>,
    /// What the machine and the storage stack were when the first run was kept.
    environment: Option<EnvironmentMark>,
    /// Runs whose cells are still to be judged.
    runs: Vec<Run>,
    /// Runs of the cells that the tool has judged.
    judged: Vec<Run>,
    cells: Vec<Cell>,
    /// Runs so far.
    count: u32,
    failure: Option<String>,
    /// Ends the wait for another etalon when set; none where nobody waits.
    wait: Option<Arc<AtomicBool>>,
    lock: Option<TargetLock>,
}

impl Kept {
    /// Waits for another etalon until `stop` is set, where `wait` says so.
    pub(crate) fn waiting(self, wait: bool, stop: &Arc<AtomicBool>) -> Kept {
        Kept {
            wait: wait.then(|| Arc::clone(stop)),
            ..self
        }
    }

    /// For the tool of this `kind`, called with these words. Nothing is opened before its first run.
    pub(crate) fn of_tool(kind: ExperimentKind, words: &[OsString], store: StoreArgs) -> Kept {
        let words = words.iter().map(|word| word.to_string_lossy().into_owned());
        Kept {
            kind,
            words: words.collect(),
            store,
            ledger: None,
            environment: None,
            runs: Vec::new(),
            judged: Vec::new(),
            cells: Vec::new(),
            count: 0,
            failure: None,
            wait: None,
            lock: None,
        }
    }

    /// Judges what is left, says where all of it is found again, and prints it as one document, with
    /// what the tool has written as one. Gives `exit` back, or that a figure is invalid.
    pub(crate) fn close_with_document(
        mut self,
        exit: Exit,
        written: &[u8],
    ) -> anyhow::Result<Exit> {
        let exit = self.end(exit);
        let own = std::str::from_utf8(written).ok();
        let own = own.and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
        if self.cells.is_empty() && own.is_none() {
            output::print(&String::from_utf8_lossy(written))?;
        } else {
            output::print(&self.document(own)?)?;
        }
        Ok(exit)
    }

    /// The cells of all runs, and `tool`, what the tool itself writes as JSON.
    fn document(&self, tool: Option<serde_json::Value>) -> anyhow::Result<String> {
        let runs: Vec<Run> = self.runs.iter().chain(&self.judged).cloned().collect();
        let cells = self.cells.iter().map(|cell| CellJson::of(cell, &runs));
        let body = ToolBody::<serde_json::Value> {
            cells: cells.collect(),
            tool,
        };
        let mut document = Envelope::new(DocumentFormat::Tool, self.kind.name(), body);
        if let Some(ledger) = &self.ledger {
            document = document.on(&ledger.new.target).of(ledger.id);
        }
        Ok(document.to_text()?)
    }

    /// Judges what is left, and says where all of it is found again. Gives `exit` back, or that a
    /// figure is invalid.
    pub(crate) fn close(mut self, exit: Exit) -> Exit {
        self.end(exit)
    }

    fn end(&mut self, exit: Exit) -> Exit {
        let finished = self.finish(exit);
        self.note(finished);
        let exit = match exit {
            Exit::Done => Exit::of_cells(&self.cells),
            other => other,
        };
        if let Some(why) = &self.failure {
            output::note(&format!("etalon: not all runs are kept: {why}"));
        } else if let Some(ledger) = &self.ledger
            && let Some(id) = ledger.id
        {
            let TargetRecord { path, beneath, .. } = &ledger.new.target;
            let store = &ledger.store_option;
            output::own_line(&format!("etalon: {path}: {beneath}"));
            output::own_line(&format!(
                "etalon: kept as experiment {id}: `etalon show {id}{store}`, `etalon export {id}{store} --csv`"
            ));
        }
        exit
    }

    fn finish(&mut self, exit: Exit) -> anyhow::Result<()> {
        let Some(ledger) = &mut self.ledger else {
            return Ok(());
        };
        self.cells.extend(judge_cells(&self.runs, &Goal::default()));
        let state = match exit {
            Exit::Done | Exit::NotValid | Exit::Imprecise => ExperimentState::Finished,
            _ => ExperimentState::Interrupted,
        };
        Ok(ledger.close(&self.cells, &[], (state, None))?)
    }

    /// Keeps runs of one target.
    fn append(&mut self, target: &Path, runs: &mut [Run]) -> anyhow::Result<()> {
        // Without a run there is no experiment.
        if runs.is_empty() || self.failure.is_some() {
            return Ok(());
        }
        let ledger = match &mut self.ledger {
            Some(ledger) => ledger,
            None => {
                let mut ledger = Ledger::open(self.kind, &self.store)?;
                ledger.new.settings = serde_json::json!({ "words": self.words });
                let site = Site::look(target);
                ledger.new.target = target_record(target, site.as_ref());
                self.environment = site.as_ref().ok().map(environment_of);
                self.ledger.insert(ledger)
            }
        };
        for run in runs.iter_mut() {
            run.position = self.count;
            let circumstances = &mut run.circumstances;
            circumstances.environment = circumstances
                .environment
                .take()
                .or(self.environment.clone());
            self.count += 1;
        }
        Ok(ledger.append_all(runs)?)
    }

    /// The first failure is told at the end.
    fn note(&mut self, kept: anyhow::Result<()>) {
        if let Err(error) = kept {
            self.failure.get_or_insert(error.to_string());
        }
    }
}

impl RunKeeper for Kept {
    fn claim(&mut self, sites: &[&Site]) -> Result<(), Exit> {
        let told = |busy: &Busy, waits: bool| {
            let then = if waits {
                "waiting for it"
            } else {
                "root goes on"
            };
            output::note(&format!("etalon: {busy}; {then}"));
        };
        match claim(sites, self.wait.as_deref(), told) {
            Ok(lock) => self.lock = Some(lock),
            Err(error) => {
                let error = ExperimentError::from(error).into();
                let exit = classify(&error);
                if exit != Exit::Interrupted {
                    output::note(&format!("etalon: {error}"));
                }
                return Err(exit);
            }
        }
        Ok(())
    }

    fn keep(&mut self, target: &Path, mut run: Run) {
        let kept = self.append(target, std::slice::from_mut(&mut run));
        self.note(kept);
        self.runs.push(run);
    }

    fn keep_judged(&mut self, target: &Path, cells: Vec<Cell>, mut runs: Vec<Run>) {
        let kept = self.append(target, &mut runs);
        self.note(kept);
        self.cells.extend(cells);
        self.judged.extend(runs);
    }
}

/// What `target` is. What cannot be looked at, as on a disk that has just failed, is still named.
fn target_record(target: &Path, site: Result<&Site, &SiteError>) -> TargetRecord {
    match site {
        Ok(site) => site.record.clone(),
        Err(error) => TargetRecord {
            path: target.display().to_string(),
            beneath: format!("not known: {error}"),
            ..TargetRecord::default()
        },
    }
}
