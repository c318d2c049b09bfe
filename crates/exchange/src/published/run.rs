//! A published figure as a run.

use std::collections::BTreeMap;

use etalon_model::{
    Finding, Measurement, Parameter, PublishedFigure, Run, Severity, TaskFigure, TaskWorkload, Unit,
};
use etalon_review::{Action, Figure, Page};
use etalon_units::{Bytes, Nanos};

use super::PublishedError;

/// The run of one figure.
pub(super) fn of(
    page: &Page,
    figure: &Figure,
    cell: String,
    position: usize,
) -> Result<Run, PublishedError> {
    let (value, unit) = headline(figure);
    let line_of = |line: usize| page.lines.get(line.checked_sub(1)?);
    let command = figure.command_line.and_then(line_of);
    let published = PublishedFigure {
        program: figure.tool.name().to_owned(),
        value,
        unit,
        line: figure.line as u64,
        quoted: figure.quoted.clone(),
        command: command.map(|line| line.text.trim().to_owned()),
        place: figure.place.clone(),
        tells_block: false,
    };
    let mut run = bare(&cell, workload(figure, unit), published, position);
    run.measurement = measurement(figure);
    if let Some(codes) = &figure.invalid {
        run.findings = findings(codes).ok_or_else(|| PublishedError::causeless(figure))?;
    }
    Ok(run)
}

/// What made a figure invalid where etalon measured it, so that it does not come back as a better one; `None` where these
/// are no codes of findings.
pub(super) fn findings(codes: &[String]) -> Option<Vec<Finding>> {
    let is_letter =
        |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
    let is_code = |code: &String| !code.is_empty() && code.bytes().all(is_letter);
    let are_codes = !codes.is_empty() && codes.iter().all(is_code);
    are_codes.then(|| codes.iter().map(|code| finding(code)).collect())
}

fn finding(code: &str) -> Finding {
    let advice = format!("See `etalon checks {code}`, and measure again.");
    let message = "etalon called the figure invalid where it was measured.";
    Finding::new(code, Severity::Invalid, message, &advice)
}

/// A run of which only the figure is known.
pub(super) fn bare(
    cell: &str,
    workload: TaskWorkload,
    published: PublishedFigure,
    position: usize,
) -> Run {
    let mut run = Run::of(cell, workload, Measurement::of_nothing(Nanos::ZERO));
    run.position = u32::try_from(position).unwrap_or(u32::MAX);
    run.circumstances.published = Some(published);
    run
}

/// The runs with the moment that stands for theirs, each in the block that the text tells, else numbered within its cell.
pub(super) fn numbered(runs: impl Iterator<Item = Run>, now_unix_ns: i64) -> Vec<Run> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let number = |run: Run| {
        let next = seen.entry(run.cell.clone()).or_default();
        let block = run.known_block().unwrap_or(*next);
        *next += 1;
        Run {
            block,
            started_unix_ns: now_unix_ns,
            ..run
        }
    };
    runs.map(number).collect()
}

/// Random transfers are counted in operations, where the text tells them; others in bytes, or in what there is.
fn headline(figure: &Figure) -> (f64, Unit) {
    let operations = figure
        .operations_per_second
        .map(|rate| (rate, Unit::OperationsPerSecond));
    let bytes = figure
        .bytes_per_second
        .map(|rate| (rate, Unit::BytesPerSecond));
    let seconds = figure.seconds.map(|span| (span, Unit::Seconds));
    let is_random = matches!(figure.action, Action::RandomRead | Action::RandomWrite);
    let rates = match is_random {
        true => operations.or(bytes),
        false => bytes.or(operations),
    };
    rates.or(seconds).unwrap_or((f64::NAN, Unit::Seconds))
}

fn workload(figure: &Figure, unit: Unit) -> TaskWorkload {
    let size = |bytes: f64| Bytes(bytes.round() as u64);
    let mut parameters = BTreeMap::new();
    if let Some(durable) = figure.durable.filter(|_| figure.action.writes()) {
        parameters.insert("durable".to_owned(), Parameter::Switch(durable));
    }
    TaskWorkload {
        work: figure.tool.name().to_owned(),
        step: figure.label.clone(),
        figure: figure_of(unit),
        block_size: figure.block_bytes.map(size),
        file_size: figure.file_bytes.map(size),
        jobs: None,
        queue_depth: None,
        seed: None,
        cache: None,
        parameters,
    }
}

/// What is counted, by its unit.
pub(super) fn figure_of(unit: Unit) -> TaskFigure {
    match unit {
        Unit::BytesPerSecond => TaskFigure::Throughput,
        Unit::OperationsPerSecond => TaskFigure::Rate,
        Unit::Seconds => TaskFigure::Time,
    }
}

/// What the text tells of it; the rest is zero, and means nothing of a published run.
fn measurement(figure: &Figure) -> Measurement {
    let duration = figure.seconds.map(Nanos::from_secs_f64).unwrap_or_default();
    let mut measurement = Measurement::of_nothing(duration);
    measurement.direct = figure.direct;
    let moved = Bytes(figure.bytes.unwrap_or_default().round() as u64);
    if figure.action.writes() {
        measurement.writes.bytes = moved;
    } else if figure.action.reads() {
        measurement.reads.bytes = moved;
    }
    measurement
}
