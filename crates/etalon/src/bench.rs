//! What every measuring command shares: the store that keeps its runs, the progress line, the
//! signals, and the page or document at the end.

use std::path::Path;

use anyhow::Context as _;
use etalon_engine::Control;
use etalon_exchange::{CellJson, DocumentFormat, Envelope, SummaryBody};
use etalon_experiment::{Event, ExperimentError, Outcome, TaskOutcome, Witness, WitnessError};
use etalon_language::say;
use etalon_model::{
    Cell, Choice, ExperimentHeader, ExperimentKind, ExperimentState, NewExperiment, Run, RunId,
};
use etalon_report::{Look, Page, Painted, choice_in_words};
use etalon_tools::{Exit, way_out_of_denied};

use crate::cli::{StoreArgs, StrictArgs, WaitArgs};
use crate::ledger::Ledger;
use crate::output;
use crate::progress::Progress;
use crate::put_back;
use crate::signals;
use crate::stores::now_unix_ns;

/// The cells with what was chosen and how it ended; what a command has beyond them is added to it.
pub(crate) fn summary<R>(outcome: &Outcome) -> SummaryBody<'_, R> {
    let cells = outcome.cells.iter();
    SummaryBody {
        choices: outcome.choices.iter().map(choice_in_words).collect(),
        dropped: dropped_rows(&outcome.choices),
        forecast: outcome.forecast.as_ref().map(ToString::to_string),
        seed: outcome.seed,
        elapsed_ns: outcome.elapsed.get(),
        interrupted: outcome.interrupted,
        failure: outcome.failure.as_deref(),
        cells: cells
            .map(|cell| CellJson::of(cell, &outcome.runs))
            .collect(),
        comparisons: None,
        interactions: None,
        records: None,
        latency_target: None,
    }
}

/// What a page says of an experiment that was stopped, and of the run that the signal met.
pub(crate) fn interruption(runs: &[Run]) -> String {
    match (runs.iter().all(Run::is_cut), runs.iter().any(Run::is_cut)) {
        (true, _) => say!("page-interrupted-none"),
        (_, true) => say!("page-interrupted-cut"),
        _ => say!("page-interrupted"),
    }
}

/// Keeps the runs of one command as they end, and shows how far it is.
pub(crate) struct Bench {
    ledger: Ledger,
    progress: Progress,
    /// How the page at the end is to look.
    pub(crate) look: Look,
    /// Whether a figure that has no interval, or misses its precision, fails.
    pub(crate) strict: StrictArgs,
}

impl Bench {
    /// Opens the store, so that a store that cannot keep runs is known before the first of them,
    /// and removes what a killed run left behind.
    pub(crate) fn open(
        kind: ExperimentKind,
        store: &StoreArgs,
        seed: u64,
        settings: serde_json::Value,
    ) -> anyhow::Result<Bench> {
        put_back::before_a_run();
        let mut ledger = Ledger::open(kind, store)?;
        ledger.new.settings = settings;
        ledger.new.seed = seed;
        Ok(Bench {
            ledger,
            progress: Progress::start(),
            look: output::look(),
            strict: StrictArgs::default(),
        })
    }

    /// Opens the store for adding runs to an experiment that has ended, of which so many runs were read.
    pub(crate) fn go_on(
        experiment: &ExperimentHeader,
        runs: usize,
        store: &StoreArgs,
    ) -> anyhow::Result<Bench> {
        let begun = &experiment.begun;
        let settings = begun.settings.clone();
        let mut bench = Bench::open(begun.kind, store, begun.seed, settings)?;
        bench.ledger.go_on(experiment, runs);
        Ok(bench)
    }

    /// Keeps further runs in an experiment that was begun before, of which so many runs were read.
    pub(crate) fn go_on_with(&mut self, id: RunId, runs: usize) -> anyhow::Result<()> {
        Ok(self.ledger.go_on_with(id, runs)?)
    }

    /// A control that signals set, and that waits for others where that is wanted.
    pub(crate) fn control(&self, wait: WaitArgs) -> anyhow::Result<Control> {
        let control = Control {
            wait_for_target: wait.wait.is_some(),
            wait_for_quiet: wait.wait.and_then(|wait| wait.quiet),
            ..Control::default()
        };
        signals::ask_to_stop_on_signal(&control.stop)?;
        self.progress.counts(&control.progress);
        Ok(control)
    }

    /// The experiment's number in the store, once it has one.
    pub(crate) fn kept_as(&self) -> Option<RunId> {
        self.ledger.id
    }

    /// Keeps the judged cells of a task and prints what came out, in a document with the task's own
    /// record of each run.
    pub(crate) fn close_task<R: serde::Serialize>(
        mut self,
        outcome: Result<TaskOutcome<R>, ExperimentError>,
        json: bool,
    ) -> anyhow::Result<Exit> {
        let (outcome, records) = match outcome {
            Ok(task) => (Ok(task.outcome), task.records),
            Err(error) => (Err(error), Vec::new()),
        };
        let outcome = self.keep(outcome)?;
        if json {
            let records = Some(&records[..]);
            let body = SummaryBody {
                records,
                ..summary(&outcome)
            };
            output::print(&self.document(&outcome, body)?)?;
        } else {
            output::print_painted(&self.page(&outcome))?;
        }
        Ok(exit_of(&outcome, self.strict))
    }

    /// Keeps the judged cells and prints what came out.
    pub(crate) fn close(
        mut self,
        outcome: Result<Outcome, ExperimentError>,
        json: bool,
    ) -> anyhow::Result<Exit> {
        let outcome = self.keep(outcome)?;
        if json {
            let body = summary::<()>(&outcome);
            output::print(&self.document(&outcome, body)?)?;
        } else {
            output::print_painted(&self.page(&outcome))?;
        }
        Ok(exit_of(&outcome, self.strict))
    }

    /// What is known of the experiment so far.
    pub(crate) fn new_experiment(&self) -> &NewExperiment {
        &self.ledger.new
    }

    /// Takes what another process has begun for what is kept here.
    pub(crate) fn adopt(&mut self, begun: NewExperiment) {
        self.ledger.new = begun;
    }

    /// Says how far another process is.
    pub(crate) fn says(&self, text: &str) {
        self.progress.says(text);
    }

    /// The same where it is a step, which is told without a terminal too.
    pub(crate) fn steps(&self, text: &str) {
        self.progress.steps(text);
    }

    /// Says what whoever waits wants to know.
    pub(crate) fn remarks(&self, text: &str) {
        self.progress.remark(text);
    }

    /// Ends the progress line where nothing was measured.
    pub(crate) fn rest(&self) {
        self.progress.finish();
    }

    /// Ends the progress line and keeps the judged cells.
    pub(crate) fn keep(
        &mut self,
        outcome: Result<Outcome, ExperimentError>,
    ) -> anyhow::Result<Outcome> {
        self.progress.finish();
        let kept = match &outcome {
            Ok(outcome) => {
                let (cells, choices) = (&outcome.cells, &outcome.choices);
                self.ledger
                    .close(cells, choices, (state_of(outcome), Some(outcome.elapsed)))
            }
            Err(_) => self.ledger.close_unjudged(),
        };
        if let (Err(_), Some(id)) = (&outcome, self.ledger.id) {
            let store = &self.ledger.store_option;
            output::note(&format!(
                "Partial: the runs that had ended are kept, and judged, as experiment {id}: `etalon show {id}{store}`."
            ));
        }
        let outcome = outcome.map_err(|error| way_out(&self.ledger.new.target.path, error))?;
        kept?;
        Ok(outcome)
    }

    /// The document of what came out.
    pub(crate) fn document<R: serde::Serialize>(
        &self,
        outcome: &Outcome,
        body: SummaryBody<'_, R>,
    ) -> anyhow::Result<String> {
        let kind = self.ledger.new.kind.name();
        let document = Envelope::new(DocumentFormat::Summary, kind, body);
        let document = document.on(&outcome.target).of(self.ledger.id);
        document.to_text().context("cannot write JSON")
    }

    /// The page, with where to find the runs again.
    pub(crate) fn page(&self, outcome: &Outcome) -> Painted {
        let notes = self.look.speak(|| self.notes(outcome));
        let page = Page {
            notes: &notes,
            kind: self.ledger.new.kind,
            experiment: None,
            target: &outcome.target,
            choices: &outcome.choices,
            cells: &outcome.cells,
            runs: &outcome.runs,
            digest: None,
            elapsed: outcome.elapsed,
            store: &self.ledger.store_option,
            look: self.look,
        };
        match outcome.cells.is_empty() {
            true => Painted::plain(&self.without_figures()),
            false => page.painted(),
        }
    }

    /// The page where no run came to its end.
    fn without_figures(&self) -> String {
        match self.ledger.id {
            None => "Interrupted before the first run had ended; nothing was kept.\n".to_owned(),
            Some(id) => format!(
                "{}\netalon export {id}{} --csv\n",
                interruption(&[]),
                self.ledger.store_option
            ),
        }
    }

    /// How it ended, and where it is kept.
    pub(crate) fn notes(&self, outcome: &Outcome) -> Vec<String> {
        let interrupted = outcome.interrupted.then(|| interruption(&outcome.runs));
        let failed = outcome
            .failure
            .as_ref()
            .map(|failure| say!("page-ended-early", failure = failure));
        let store = &self.ledger.store_option;
        let kept = self.ledger.id.map(|id| {
            let shown = format!("etalon show {id}{store}");
            say!(
                "page-kept",
                number = id.to_string(),
                findings = format!("{shown} --findings"),
                details = format!("{shown} --details"),
            )
        });
        let report = self
            .ledger
            .id
            .map(|id| format!("etalon report {id}{store} -o report.html"))
            .map(|command| say!("page-with-pictures", command = command));
        [interrupted, failed, kept, report]
            .into_iter()
            .flatten()
            .collect()
    }
}

impl Witness for Bench {
    fn event(&mut self, event: Event<'_>) -> Result<(), WitnessError> {
        match &event {
            Event::Begun { target, .. } => self.ledger.new.target = (*target).clone(),
            Event::Running { .. } => self.ledger.before_a_run()?,
            Event::Ended { run } => self.ledger.append(run)?,
            _ => {}
        }
        self.progress.event(&event);
        Ok(())
    }
}

/// Whether it came to its end.
fn state_of(outcome: &Outcome) -> ExperimentState {
    match outcome.interrupted || outcome.failure.is_some() {
        true => ExperimentState::Interrupted,
        false => ExperimentState::Finished,
    }
}

/// The cells that have no interval for want of time.
pub(crate) fn dropped_rows(choices: &[Choice]) -> Vec<&str> {
    let rows = choices.iter().flat_map(Choice::dropped_rows);
    rows.map(String::as_str).collect()
}

/// An error with what to do, where an ordinary user may not read a device.
fn way_out(target: &str, error: ExperimentError) -> anyhow::Error {
    let is_denied = error.to_string().contains("Permission denied");
    let error = anyhow::Error::from(error);
    match is_denied && target.starts_with("/dev/") {
        true => error.context(way_out_of_denied(Path::new(target))),
        false => error,
    }
}

/// Whether the figures are true, and as precise as was asked for; unless the work ended early.
pub(crate) fn exit_of(outcome: &Outcome, strict: StrictArgs) -> Exit {
    if outcome.interrupted {
        return Exit::Interrupted;
    }
    if outcome.failure.is_some() {
        return Exit::Failed;
    }
    of_figures(&outcome.cells, &outcome.choices, strict)
}

fn of_figures(cells: &[Cell], choices: &[Choice], StrictArgs { strict }: StrictArgs) -> Exit {
    // A row without any run has no cell.
    let lacks_rows = !dropped_rows(choices).is_empty();
    let falls_short = |cell: &Cell| !cell.verdict.is_valid() || cell.misses_precision();
    match strict && (lacks_rows || cells.iter().any(falls_short)) {
        true => Exit::NotValid,
        false => Exit::of_cells(cells),
    }
}

/// The seed that was asked for, or a new one; whichever it is, it is stored with the results.
pub(crate) fn seed(asked: Option<u64>) -> u64 {
    asked.unwrap_or_else(|| {
        // Small enough to type again, and different in every second and process.
        let now = now_unix_ns().unsigned_abs() / 1_000;
        (now ^ (u64::from(std::process::id()) << 20)) % 1_000_000_000
    })
}

#[cfg(test)]
mod tests {
    use etalon_units::Nanos;

    use super::*;

    #[test]
    fn strict_fails_for_rows_without_an_interval() {
        let dropped = Choice::Dropped {
            rows: vec!["write".to_owned()],
            least_runs: 6,
            needed_ns: Nanos::secs(9),
            budget_ns: Nanos::secs(60),
        };
        let exit = |choices: &[Choice], strict| of_figures(&[], choices, StrictArgs { strict });
        assert_eq!(exit(std::slice::from_ref(&dropped), true), Exit::NotValid);
        assert_eq!(exit(&[dropped], false), Exit::Done);
        assert_eq!(exit(&[], true), Exit::Done);
    }
}
