//! `etalon show ID`.

mod reading;

use std::mem::ManuallyDrop;

use etalon_exchange::{CellJson, DocumentFormat, Envelope, EnvironmentBody, SummaryBody};
use etalon_judge::coverage;
use etalon_language::say;
use etalon_model::{
    Cell, EnvironmentRecord, Experiment, ExperimentHeader, ExperimentKind, ExperimentState, Run,
    RunsByCell, TotalTime,
};
use etalon_report::{
    DotsPage, EnvironmentPage, Look, Page, Painted, PercentilesPage, choice_in_words, fitted,
    not_kept, render_text,
};
use etalon_store::Remark;
use etalon_tools::Exit;

use super::latency_target;
use super::subcommand::Subcommand;
use crate::bench::{dropped_rows, interruption};
use crate::cli::{LookArgs, ShowArgs, StoreArgs};
use crate::output;
use crate::plan::PlanPage;
use crate::stores;
use crate::unjudged;
use reading::Reading;

impl Subcommand for ShowArgs {
    const NAME: &'static str = "show";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

/// The page of an experiment, or its document, as `etalon show` prints it.
pub(super) fn page_of(
    id: i64,
    json: bool,
    look: LookArgs,
    store: &StoreArgs,
) -> anyhow::Result<Exit> {
    run(&ShowArgs {
        id,
        json,
        store: store.clone(),
        findings: false,
        details: false,
        percentiles: None,
        dots: false,
        width: None,
        si: false,
        look,
        environment: false,
        all: false,
        stack: false,
    })
}

fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    let store = stores::open_read_only(&args.store)?;
    let (mut reading, exit) = Reading::of(args, &store)?;
    let remark = store.remarks()?.remove(&args.id).unwrap_or_default();
    reading.experiment = unjudged::as_it_is(reading.experiment);
    // The end of the process frees it at once; run by run it would take a twentieth of the time of a large page.
    let reading = ManuallyDrop::new(reading);
    let experiment = &reading.experiment;
    if args.json {
        output::print(&document(args, experiment)?)?;
        return Ok(exit);
    }
    if args.stack || args.environment {
        let look = look(args);
        let environments = experiment.environments();
        let text = look.speak(|| fitted(&surroundings(args, &environments), look.width));
        output::print_page(&text)?;
        return Ok(exit);
    }
    if args.dots {
        let cells = &experiment.cells;
        let look = look(args);
        output::print_page(&DotsPage { cells, look }.to_string())?;
        return Ok(exit);
    }
    if let Some(percentiles) = &args.percentiles {
        let page = PercentilesPage {
            target: &experiment.header.begun.target,
            cells: &experiment.cells,
            runs: &experiment.runs,
            percentiles: &percentiles.0,
            si: args.si,
            look: look(args),
        };
        output::print_page(&page.to_string())?;
        return Ok(exit);
    }
    let header = &experiment.header;
    let elapsed = reading.elapsed();
    let look = look(args);
    let notes = look.speak(|| {
        let mut notes = notes(args, &reading, &remark);
        notes.extend(reading.unread());
        notes
    });
    let page = Page {
        kind: header.begun.kind,
        experiment: Some(header.id),
        target: &header.begun.target,
        choices: &header.choices,
        notes: &notes,
        cells: &experiment.cells,
        runs: &experiment.runs,
        digest: reading.digest.as_ref(),
        elapsed,
        store: &args.store.typed(),
        look,
    };
    let target = latency_target::of_settings(&header.begun.settings);
    let judged = (&experiment.cells[..], &experiment.runs[..]);
    let said = latency_target::before_the_page(target, judged, look);
    let answer = PlanPage::of_stored(header, judged).map_or_else(Painted::default, |page| {
        page.painted(look) + Painted::plain("\n")
    });
    output::print_painted(&(answer + Painted::plain(&said) + page.painted()))?;
    Ok(exit)
}

/// How it was made, what people said of it and which checks were done, a paragraph each.
fn notes(args: &ShowArgs, reading: &Reading, remark: &Remark) -> Vec<String> {
    let Experiment { header, runs, .. } = &reading.experiment;
    let interrupted = header.state == ExperimentState::Interrupted;
    let mut notes = vec![made(header, reading.runs)];
    notes.extend(interrupted.then(|| interruption(runs)));
    notes.extend(said_of(remark));
    notes.extend(checks(args, reading));
    notes
}

/// Which command made it, or who measured.
fn made(header: &ExperimentHeader, runs: usize) -> String {
    let begun = &header.begun;
    let version = &begun.tool_version;
    match begun.kind {
        ExperimentKind::Imported => say!(
            "page-made-imported",
            count = runs,
            from = begun.target.beneath,
            version = version,
            path = begun.target.path,
        ),
        kind => say!(
            "page-made",
            kind = kind.to_string(),
            state = state(header.state),
            count = runs,
            seed = begun.seed.to_string(),
            version = version,
        ),
    }
}

fn state(state: ExperimentState) -> String {
    match state {
        ExperimentState::Running => say!("state-running"),
        ExperimentState::Finished => say!("state-finished"),
        ExperimentState::Interrupted => say!("state-interrupted"),
    }
}

/// How many checks were done, and why the others were not, where findings are shown.
fn checks(args: &ShowArgs, reading: &Reading) -> Vec<String> {
    let all = reading.checks();
    let mut told = match args.findings || args.details {
        true => all.not_possible(),
        false => Vec::new(),
    };
    told.push(all.done(args.id, &args.store.typed()));
    told.retain(|text| !text.is_empty());
    told
}

/// What people said of it.
fn said_of(remark: &Remark) -> Vec<String> {
    let mut said = Vec::new();
    if !remark.note.is_empty() {
        said.push(say!("page-note", note = remark.note));
    }
    if !remark.tags.is_empty() {
        said.push(say!("page-tags", tags = remark.tags.join(", ")));
    }
    said
}

fn look(args: &ShowArgs) -> Look {
    let look = output::look();
    Look {
        details: args.details,
        findings: args.findings || args.details,
        width: args.width.or(look.width),
        ..look
    }
}

/// The storage stack as it was first seen, and every fact of the environment, as asked.
fn surroundings(args: &ShowArgs, environments: &[&EnvironmentRecord]) -> String {
    let Some(first) = environments.first() else {
        return not_kept() + "\n";
    };
    let mut text = String::new();
    if args.stack {
        text.push_str(&render_text(&first.stack));
    }
    if args.environment {
        text.push_str(
            &EnvironmentPage {
                environments,
                all: args.all,
            }
            .to_string(),
        );
    }
    text
}

fn cell_json(args: &ShowArgs, cell: &Cell, own: &[&Run]) -> CellJson {
    CellJson {
        checks: match args.findings {
            true => coverage(cell, own),
            false => Vec::new(),
        },
        ..CellJson::of_own(cell, own)
    }
}

fn document(args: &ShowArgs, experiment: &Experiment) -> anyhow::Result<String> {
    let header = &experiment.header;
    let (kind, target) = (header.begun.kind.name(), &header.begun.target);
    if args.stack || args.environment {
        let body = EnvironmentBody {
            environments: experiment.environments(),
        };
        let document = Envelope::new(DocumentFormat::Environment, kind, body);
        return Ok(document.on(target).of(Some(header.id)).to_text()?);
    }
    let runs = RunsByCell::of(&experiment.runs);
    let plan = PlanPage::of_stored(header, (&experiment.cells, &experiment.runs));
    let plan = plan.as_ref();
    let compared = |page: &PlanPage| page.comparisons().into_iter().cloned().collect();
    let asked = latency_target::of_settings(&header.begun.settings);
    let answer = |asked| latency_target::document(asked, &experiment.cells, &experiment.runs);
    let body = SummaryBody::<()> {
        choices: header.choices.iter().map(choice_in_words).collect(),
        dropped: dropped_rows(&header.choices),
        forecast: None,
        seed: header.begun.seed,
        elapsed_ns: header.elapsed(TotalTime::of(&experiment.runs)).get(),
        interrupted: header.state == ExperimentState::Interrupted,
        failure: None,
        cells: experiment
            .cells
            .iter()
            .map(|cell| cell_json(args, cell, runs.named(&cell.name)))
            .collect(),
        comparisons: plan.map(compared),
        interactions: plan.map(|page| page.interactions().to_vec()),
        records: None,
        latency_target: asked.map(answer),
    };
    let document = Envelope::new(DocumentFormat::Summary, kind, body);
    Ok(document.on(target).of(Some(header.id)).to_text()?)
}
