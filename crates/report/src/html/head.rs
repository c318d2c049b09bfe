//! The top of the page: the question, its answer, and what was measured where.

use etalon_language::say;
use etalon_model::{ExperimentKind, ExperimentState, Verdict};
use etalon_picture::escape;
use etalon_units::Nanos;

use super::tag::text;
use super::{HtmlReport, Subject};
use crate::page::{answer, memory};
use crate::role::label;
use crate::storage::storage;

/// The question that the report answers.
pub(super) fn question(report: &HtmlReport<'_>) -> String {
    let subject = &report.subjects[0];
    let path = &subject.header().begun.target.path;
    if let Some(asked) = report.question.filter(|asked| !asked.is_empty()) {
        return asked.to_owned();
    }
    if let [base, others @ ..] = report.names
        && !others.is_empty()
    {
        let or = format!(" {} ", say!("word-or"));
        let alternatives = format!("{base}{or}{}", others.join(&or));
        return say!("report-question-alternatives", alternatives = alternatives);
    }
    match (subject.header().begun.kind, subject.cells.as_slice()) {
        (ExperimentKind::Passport, _) => say!("report-question-varies", path = path),
        (ExperimentKind::Together, _) => say!("report-question-together", path = path),
        (ExperimentKind::Work, [first, ..]) => match first.workload.task() {
            Some(task) => say!("report-question-work", work = task.work, path = path),
            None => say!("report-question-time", path = path),
        },
        (ExperimentKind::Quick, _) | (_, [] | [_, _, ..]) => {
            say!("report-question-target", path = path)
        }
        (_, [one]) => say!("report-question-row", row = label(one), path = path),
    }
}

/// The question, the answer and the contents.
pub(super) fn section(report: &HtmlReport<'_>) -> String {
    let subject = &report.subjects[0];
    let is_compared = report.names.len() > 1;
    let is_of_figures = !is_compared || (report.question.is_some() && report.rows.is_empty());
    let mut said = unended(report);
    match is_of_figures {
        true => said.extend(answer(subject.header().begun.kind, &subject.cells)),
        false => {
            said.extend(of_memory(report));
            said.extend(super::compare::answer(report));
        }
    }
    format!(
        "<main>\n<header class=\"top\"><h1>{}</h1>\n<p class=\"answer\">{} {}</p>\n{}</header>\n{}",
        text(&question(report)),
        text(&said.join(" ")),
        text(&verdicts(report, is_of_figures)),
        meta(report),
        contents(report),
    )
}

/// That more figures were to come, where some are judged; of none [`verdicts`] says why. Of several experiments by their names.
fn unended(report: &HtmlReport<'_>) -> Vec<String> {
    let in_state = |state| {
        let subjects = report.subjects.iter().enumerate();
        let is_meant =
            |subject: &Subject| subject.header().state == state && !subject.cells.is_empty();
        let named = subjects.filter(|(_, subject)| is_meant(subject));
        let names: Vec<String> = named.map(|(n, _)| report.name(n)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let is_alone = report.subjects.len() == 1;
    let running = in_state(ExperimentState::Running).map(|names| match is_alone {
        true => say!("report-still-running"),
        false => say!("report-still-running-of", names = names),
    });
    let interrupted = in_state(ExperimentState::Interrupted).map(|names| match is_alone {
        true => say!("report-was-interrupted"),
        false => say!("report-was-interrupted-of", names = names),
    });
    running.into_iter().chain(interrupted).collect()
}

/// What of the experiments that are compared lies in memory, each place once.
fn of_memory(report: &HtmlReport<'_>) -> Vec<String> {
    let subjects = report.subjects.iter();
    let mut told: Vec<String> = subjects.filter_map(|of| memory(&of.cells)).collect();
    told.dedup();
    told
}

/// `Of nine figures seven are valid, ...`; an answer that has counted the invalid ones leaves the others to tell.
/// They are those of all experiments that were asked about.
fn verdicts(report: &HtmlReport<'_>, invalid_are_told: bool) -> String {
    let cells = || report.subjects.iter().flat_map(|subject| &subject.cells);
    let count = |is: fn(&Verdict) -> bool| cells().filter(|cell| is(&cell.verdict)).count();
    let (valid, invalid) = (count(Verdict::is_valid), count(Verdict::is_invalid));
    let all = cells().count();
    let parts = |invalid, rest: usize| parts(valid, invalid, rest - valid, &whose(report));
    match (all, invalid) {
        (0, _) => none_judged(report.subjects),
        (_, 0) => all_alike(valid, all).unwrap_or_else(|| of_all(all, parts(0, all))),
        _ if invalid == all && invalid_are_told => String::new(),
        _ if invalid_are_told => {
            let rest = all - invalid;
            others_alike(valid, rest)
                .unwrap_or_else(|| say!("report-of-others", parts = parts(0, rest)))
        }
        _ => of_all(all, parts(invalid, all - invalid)),
    }
}

fn none_judged(subjects: &[Subject]) -> String {
    let mut states = subjects.iter().map(|subject| subject.header().state);
    match states.any(|state| state == ExperimentState::Running) {
        true => say!("report-none-judged-yet"),
        false => say!("report-none-judged"),
    }
}

/// Of several experiments those that have invalid figures, by their names.
fn whose(report: &HtmlReport<'_>) -> Vec<String> {
    let is_invalid = |subject: &Subject| subject.cells.iter().any(|cell| cell.verdict.is_invalid());
    let places = (0..report.subjects.len()).filter(|_| report.subjects.len() > 1);
    let named = places.filter(|n| is_invalid(&report.subjects[*n]));
    named.map(|n| report.name(n)).collect()
}

fn of_all(all: usize, parts: String) -> String {
    say!("report-of-all", all = all, parts = parts)
}

/// One sentence where all figures are valid, or none is decided.
fn all_alike(valid: usize, all: usize) -> Option<String> {
    match (valid, all) {
        (0, 1) => Some(say!("report-figure-undecided")),
        (0, _) => Some(say!("report-all-undecided", count = all)),
        (1, 1) => Some(say!("report-figure-valid")),
        _ => (valid == all).then(|| say!("report-all-valid", count = all)),
    }
}

/// The same of those that are left beside invalid ones.
fn others_alike(valid: usize, rest: usize) -> Option<String> {
    match (valid, rest) {
        (0, 1) => Some(say!("report-other-undecided")),
        (0, _) => Some(say!("report-others-undecided", count = rest)),
        (1, 1) => Some(say!("report-other-valid")),
        _ => (valid == rest).then(|| say!("report-others-valid", count = rest)),
    }
}

/// `5 are valid, 1 is undecided`, what there is none of left out.
fn parts(valid: usize, invalid: usize, undecided: usize, whose: &[String]) -> String {
    let parts = [
        (valid > 0).then(|| say!("report-count-valid", count = valid)),
        (invalid > 0).then(|| count_invalid(invalid, whose)),
        (undecided > 0).then(|| say!("report-count-undecided", count = undecided)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `2 are invalid (xfs)`
fn count_invalid(count: usize, whose: &[String]) -> String {
    let said = say!("report-count-invalid", count = count);
    match whose {
        [] => said,
        names => format!("{said} ({})", names.join(", ")),
    }
}

fn meta(report: &HtmlReport<'_>) -> String {
    let subject = &report.subjects[0];
    let target = &subject.header().begun.target;
    let ids: Vec<String> = report
        .subjects
        .iter()
        .map(|s| s.header().id.to_string())
        .collect();
    let (began, measured) = begun(subject, &ids);
    let rows = [
        (began, escape(&measured)),
        (say!("report-storage"), escape(&storage(target))),
        (say!("report-machine"), escape(&machine(subject))),
        (say!("report-repeat-row"), super::repeat::command(subject)),
    ];
    let rows = rows.iter().filter(|(_, value)| !value.is_empty());
    let rows: String = rows
        .map(|(key, value)| format!("<dt>{}</dt><dd>{value}</dd>", text(key)))
        .collect();
    format!("<dl class=\"meta\">{rows}</dl>\n")
}

/// When it was measured and in what time, or of what others measured, when it was read.
fn begun(subject: &Subject, ids: &[String]) -> (String, String) {
    let heading = match subject.header().begun.kind {
        ExperimentKind::Imported => say!("report-imported"),
        _ => say!("report-measured"),
    };
    let when = say!(
        "report-measured-when",
        count = ids.len(),
        when = when(subject),
        numbers = ids.join(", "),
    );
    (heading, when)
}

/// When it was begun, and in what time it came to its end. A time of nothing is one that nobody told.
fn when(subject: &Subject) -> String {
    let (when, header) = (&subject.when, subject.header());
    let elapsed = Some(subject.elapsed()).filter(|elapsed| *elapsed > Nanos::ZERO);
    match (header.state, elapsed) {
        _ if header.begun.kind == ExperimentKind::Imported => when.clone(),
        (ExperimentState::Running, _) => say!("report-when-running", when = when),
        (ExperimentState::Finished, None) => when.clone(),
        (ExperimentState::Finished, Some(elapsed)) => {
            say!("report-when-in", when = when, elapsed = elapsed)
        }
        (ExperimentState::Interrupted, None) => say!("report-when-no-run", when = when),
        (ExperimentState::Interrupted, Some(elapsed)) => {
            say!("report-when-interrupted", when = when, elapsed = elapsed)
        }
    }
}

/// Processor, system and kernel.
fn machine(subject: &Subject) -> String {
    let Some(first) = subject.environments.first() else {
        return String::new();
    };
    let facts = &first.manifest.facts;
    let fact = |key: &str| facts.get(key).cloned();
    let parts = [
        fact("cpu.model"),
        fact("cpu.processors").map(|count| say!("count-processors", count = count)),
        fact("distribution"),
        fact("kernel.release").map(|release| format!("Linux {release}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn contents(report: &HtmlReport<'_>) -> String {
    let mut links = vec![("results", say!("report-results"))];
    if report.names.len() > 1 {
        links.push(("compare", say!("report-comparison")));
    }
    links.extend([
        ("stack", say!("report-stack")),
        ("pictures", say!("report-pictures")),
        ("each", say!("report-each")),
        ("findings", say!("report-findings")),
        ("environment", say!("report-environment")),
        ("repeat", say!("report-repeat")),
        ("runs", say!("report-runs")),
    ]);
    let links = links
        .iter()
        .map(|(id, name)| format!("<a href=\"#{id}\">{}</a>", text(name)));
    format!(
        "<nav aria-label=\"{}\">{}</nav>\n",
        text(&say!("report-contents")),
        links.collect::<String>()
    )
}
