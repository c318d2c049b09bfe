//! What the checks found, each with what to do and its evidence.

use etalon_language::say;
use std::fmt::Write as _;

use etalon_model::{Cell, Finding, Severity};

use super::Subject;
use super::tag::{details, long, note, pairs, section as wrapped, sign, text};
use crate::page::{MOST_REMARKS, leading, message, words};
use crate::role::label;

/// A finding with the cells that have it.
struct Gathered<'a> {
    finding: &'a Finding,
    cells: Vec<&'a Cell>,
}

pub(super) fn section(subject: &Subject) -> String {
    let gathered = gathered(subject);
    let devices = &subject.header().begun.target.devices;
    let devices = match devices.is_empty() {
        true => say!("the-disk"),
        false => devices.join(", "),
    };
    let listed = |some: &[Gathered<'_>]| {
        let items = some.iter();
        let items = items.map(|found| item(found, &devices, subject.cells.len()));
        format!("<ol class=\"find\">{}</ol>\n", items.collect::<String>())
    };
    let (first, more) = gathered.split_at(shown_first(subject, &gathered));
    let body = match (gathered.is_empty(), more.len()) {
        (true, _) => note(&say!("report-none-found")),
        (_, 0) => listed(first),
        (_, count) => {
            let summary = say!("report-more-findings", count = count);
            listed(first) + &long(&summary, &listed(more))
        }
    };
    wrapped("findings", &say!("report-findings"), &body)
}

/// How many of them stand unfolded: what the page in a terminal names, too; where it names none, or all are few, the
/// first.
fn shown_first(subject: &Subject, gathered: &[Gathered<'_>]) -> usize {
    let leading = leading(&subject.cells).len().min(MOST_REMARKS);
    match gathered.len() {
        all if all <= MOST_REMARKS => all,
        _ if leading == 0 => MOST_REMARKS,
        _ => leading,
    }
}

/// Each check once, with the gravest of its findings: first what the page in a terminal names, in its order, then the
/// rest, the gravest first.
fn gathered(subject: &Subject) -> Vec<Gathered<'_>> {
    let mut all: Vec<Gathered<'_>> = Vec::new();
    for cell in &subject.cells {
        for finding in &cell.findings {
            let same = |g: &&mut Gathered<'_>| g.finding.code == finding.code;
            match all.iter_mut().find(same) {
                Some(found) if found.finding.severity < finding.severity => {
                    found.finding = finding;
                    found.cells.retain(|own| !std::ptr::eq(*own, cell));
                    found.cells.insert(0, cell);
                }
                // Runs that were left out may say the same as those that count.
                Some(found) if found.cells.iter().any(|own| std::ptr::eq(*own, cell)) => {}
                Some(found) => found.cells.push(cell),
                None => all.push(Gathered {
                    finding,
                    cells: vec![cell],
                }),
            }
        }
    }
    let leading = leading(&subject.cells);
    all.sort_by_key(|found| {
        let mut codes = leading.iter();
        let place = codes.position(|code| *code == found.finding.code);
        let severity = std::cmp::Reverse(found.finding.severity);
        (place.unwrap_or(usize::MAX), severity)
    });
    all
}

fn item(found: &Gathered<'_>, devices: &str, of_cells: usize) -> String {
    let (name, word) = match found.finding.severity {
        Severity::Info => ("info", say!("severity-note")),
        Severity::Warn => ("warn", say!("severity-warning")),
        Severity::Invalid => ("invalid", say!("severity-invalid")),
    };
    let words = words(found.finding, found.cells[0], devices);
    let place = place(&found.cells, of_cells);
    let code = text(&found.finding.code);
    format!(
        "<li id=\"f-{code}\"><div>{}<span class=\"v v-{name}\">{}</span><br><small>{code}</small></div><div>\
         <p class=\"what\">{}</p><p>{}</p><p class=\"do\"><b>{}</b> {}</p>{}</div></li>\n",
        sign(name),
        text(&word),
        text(&words.meaning),
        text(&place),
        text(&say!("report-do")),
        text(&words.to_do),
        details(&say!("report-evidence"), &evidence(found)),
    )
}

/// More names than these are counted.
const NAMED: usize = 6;

/// Which rows have it.
fn place(cells: &[&Cell], of_cells: usize) -> String {
    let all = cells.len();
    let names = |some: &[&Cell]| {
        some.iter()
            .map(|cell| label(cell))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match all {
        _ if all == of_cells && all > 1 => say!("all-rows"),
        _ if all > NAMED + 1 => say!(
            "report-found-in",
            count = all,
            all = of_cells,
            names = names(&cells[..NAMED]),
            more = all - NAMED,
        ),
        _ => names(cells),
    }
}

/// The figures of each cell that has it; of many, those of the first are seen first.
fn evidence(found: &Gathered<'_>) -> String {
    let (first, more) = found.cells.split_at(found.cells.len().min(NAMED));
    let mut said = of_cells(found, first);
    if !more.is_empty() {
        said.push_str(&long(
            &say!("report-more-rows", count = more.len()),
            &of_cells(found, more),
        ));
    }
    said
}

fn of_cells(found: &Gathered<'_>, cells: &[&Cell]) -> String {
    let mut said = String::new();
    let findings = cells.iter().flat_map(|cell| {
        let own = cell.findings.iter();
        own.map(move |finding| (cell, finding))
    });
    for (cell, finding) in findings.filter(|(_, own)| own.code == found.finding.code) {
        let _ = write!(
            said,
            "<p><b>{}</b>: {}</p>",
            text(&label(cell)),
            text(&message(finding))
        );
        let figures: Vec<(String, String)> = finding
            .evidence
            .iter()
            .map(|e| (e.name.clone(), format!("{}", e.value)))
            .collect();
        said.push_str(&pairs(
            figures.iter().map(|(k, v)| (k.as_str(), v.as_str())),
        ));
    }
    said
}
