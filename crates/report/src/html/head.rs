//! The top of the page: the question, its answer, and what was measured where.

use etalon_model::{ExperimentKind, Verdict};
use etalon_picture::escape;

use super::tag::text;
use super::{HtmlReport, Subject};
use crate::page::answer;
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
        return format!("{} or {}?", base, others.join(" or "));
    }
    match (subject.header().begun.kind, subject.cells.as_slice()) {
        (ExperimentKind::Passport, _) => format!("How much do figures vary on {path}?"),
        (ExperimentKind::Together, _) => format!("How fast are several at once on {path}?"),
        (ExperimentKind::Work, [first, ..]) => match first.workload.task() {
            Some(task) => format!("How long does {} take on {path}?", task.work),
            None => format!("How long does it take on {path}?"),
        },
        (ExperimentKind::Quick, _) | (_, [] | [_, _, ..]) => format!("How fast is {path}?"),
        (_, [one]) => format!("How fast is {} on {path}?", label(one)),
    }
}

/// The question, the answer and the contents.
pub(super) fn section(report: &HtmlReport<'_>) -> String {
    let subject = &report.subjects[0];
    let is_compared = report.names.len() > 1;
    let is_of_figures = !is_compared || (report.question.is_some() && report.rows.is_empty());
    let answer = match is_of_figures {
        true => answer(subject.header().begun.kind, &subject.cells),
        false => super::compare::answer(report),
    };
    format!(
        "<main>\n<header class=\"top\"><h1>{}</h1>\n<p class=\"answer\">{} {}</p>\n{}</header>\n{}",
        text(&question(report)),
        text(&answer.join(" ")),
        text(&verdicts(subject, is_of_figures)),
        meta(report),
        contents(report),
    )
}

/// `Of nine figures seven are valid, ...`; an answer that has counted the invalid ones leaves the others to tell.
fn verdicts(subject: &Subject, invalid_are_told: bool) -> String {
    let count = |is: fn(&Verdict) -> bool| {
        let cells = subject.cells.iter();
        cells.filter(|cell| is(&cell.verdict)).count()
    };
    let (valid, invalid) = (count(Verdict::is_valid), count(Verdict::is_invalid));
    let all = subject.cells.len();
    match (all, invalid) {
        (0, _) => "No figure was judged: it did not come to its end.".to_owned(),
        (_, 0) => all_alike("The figure", &format!("All {all} figures"), valid, all)
            .unwrap_or_else(|| format!("Of {all} figures {}.", parts(valid, 0, all - valid))),
        _ if invalid == all && invalid_are_told => String::new(),
        _ if invalid_are_told => {
            let rest = all - invalid;
            all_alike("The other", &format!("The other {rest}"), valid, rest)
                .unwrap_or_else(|| format!("Of the others {}.", parts(valid, 0, rest - valid)))
        }
        _ => format!(
            "Of {all} figures {}.",
            parts(valid, invalid, all - valid - invalid)
        ),
    }
}

/// One sentence where all of them are valid, or none is decided.
fn all_alike(one: &str, several: &str, valid: usize, all: usize) -> Option<String> {
    let word = match valid {
        0 => "undecided",
        _ if valid == all => "valid",
        _ => return None,
    };
    Some(match all {
        1 => format!("{one} is {word}."),
        _ => format!("{several} are {word}."),
    })
}

/// `five are valid, one is undecided`, what there is none of left out.
fn parts(valid: usize, invalid: usize, undecided: usize) -> String {
    let counts = [
        (valid, "valid"),
        (invalid, "invalid"),
        (undecided, "undecided"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0);
    let told = told.map(|(count, word)| match count {
        1 => format!("1 is {word}"),
        _ => format!("{count} are {word}"),
    });
    told.collect::<Vec<_>>().join(", ")
}

fn meta(report: &HtmlReport<'_>) -> String {
    let subject = &report.subjects[0];
    let target = &subject.header().begun.target;
    let ids: Vec<String> = report
        .subjects
        .iter()
        .map(|s| s.header().id.to_string())
        .collect();
    let plural = if ids.len() > 1 { "s" } else { "" };
    let measured = format!(
        "{}, in {}. Experiment{plural} {}",
        subject.when,
        subject.elapsed(),
        ids.join(", ")
    );
    let rows = [
        ("Measured", escape(&measured)),
        ("Storage", escape(&storage(target))),
        ("Machine", escape(&machine(subject))),
        ("Repeat", super::repeat::command(subject)),
    ];
    let rows = rows.iter().filter(|(_, value)| !value.is_empty());
    let rows: String = rows
        .map(|(key, value)| format!("<dt>{key}</dt><dd>{value}</dd>"))
        .collect();
    format!("<dl class=\"meta\">{rows}</dl>\n")
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
        fact("cpu.processors").map(|count| format!("{count} processors")),
        fact("distribution"),
        fact("kernel.release").map(|release| format!("Linux {release}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn contents(report: &HtmlReport<'_>) -> String {
    let mut links = vec![("results", "Results")];
    if report.names.len() > 1 {
        links.push(("compare", "Comparison"));
    }
    links.extend([
        ("stack", "Storage stack"),
        ("pictures", "Pictures"),
        ("each", "Runs"),
        ("findings", "Findings"),
        ("environment", "Environment"),
        ("repeat", "Repeat"),
        ("runs", "Every run"),
    ]);
    let links = links
        .iter()
        .map(|(id, name)| format!("<a href=\"#{id}\">{name}</a>"));
    format!(
        "<nav aria-label=\"Contents\">{}</nav>\n",
        links.collect::<String>()
    )
}
