//! The few findings that change what a person does, grouped by cause.

use std::cmp::Reverse;

use etalon_language::say;
use etalon_model::{Cell, Finding, Severity, TargetRecord};

use super::words::words;
use crate::figures::invalid_word;
use crate::role::{figure, is_direct, is_metadata, label};

/// What stands below the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    /// As in the table's last column.
    pub(crate) mark: &'static str,
    /// The names of the cells that it is about, as they are kept.
    pub(crate) cells: Vec<String>,
    /// The same of those on which it is a reservation only.
    pub(crate) lesser: Vec<String>,
    pub(crate) text: String,
}

/// A cause with the cells that have it.
struct Cause<'a> {
    finding: &'a Finding,
    cells: Vec<&'a Cell>,
    is_invalid: bool,
    /// Further cells that have it in a lesser degree.
    lesser: Vec<&'a Cell>,
}

impl Cause<'_> {
    /// Whether it has the cell, of which runs that were left out may say the same as those that count.
    fn is_of(&self, cell: &Cell) -> bool {
        self.cells.iter().any(|own| std::ptr::eq(*own, cell))
    }
}

/// The remarks on these cells, the most important first.
pub(crate) fn remarks(target: &TargetRecord, cells: &[Cell]) -> Vec<Remark> {
    remarks_beside(None, target, cells)
}

/// Those that stand beside one that tells the findings of the code `told` itself.
pub(crate) fn remarks_beside(
    told: Option<&str>,
    target: &TargetRecord,
    cells: &[Cell],
) -> Vec<Remark> {
    let devices = match target.devices.is_empty() {
        true => say!("the-disk"),
        false => target.devices.join(", "),
    };
    let mut causes = ranked(cells);
    causes.retain(|cause| cause.is_invalid || told != Some(&cause.finding.code));
    let remark = |cause: &Cause<'_>| in_words(cause, &devices, cells.len());
    causes.iter().map(remark).collect()
}

/// The codes of the findings that the page names first, in its order, each once.
pub(crate) fn leading(cells: &[Cell]) -> Vec<&str> {
    let mut codes: Vec<&str> = Vec::new();
    for cause in ranked(cells) {
        if !codes.contains(&cause.finding.code.as_str()) {
            codes.push(&cause.finding.code);
        }
    }
    codes
}

/// What matters, the most important first, without what another of them says too.
fn ranked(cells: &[Cell]) -> Vec<Cause<'_>> {
    let mut causes = causes(cells);
    let by_cache = |direct: bool| {
        let named = |c: &Cause<'_>| c.is_invalid && c.finding.code == "page-cache";
        let of = |c: &Cause<'_>| c.cells.iter().any(|cell| is_direct(cell) || !direct);
        causes.iter().any(|cause| named(cause) && of(cause))
    };
    // What the remark on the page cache says, with the same thing to do.
    let (cached, below) = (by_cache(false), by_cache(true));
    causes.retain(|cause| match cause.finding.code.as_str() {
        "working-set" => !cached,
        "buffered-loop" => !below,
        _ => true,
    });
    // A stable sort: of causes that concern as many rows the order of the checks stays.
    causes.sort_by_key(|cause| {
        (
            !cause.is_invalid,
            !has_failed(cause),
            Reverse(cause.cells.len()),
        )
    });
    causes
}

fn causes(cells: &[Cell]) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    let is_beside_io = cells.iter().any(|cell| cell.workload.io().is_some());
    for cell in cells {
        let matters = |f: &&Finding| matters(f, cell) && !(is_beside_io && is_by_design(f, cell));
        for finding in cell.findings.iter().filter(matters) {
            let is_invalid = spoils(finding, cell);
            let twin = causes
                .iter_mut()
                .find(|c| c.finding.code == finding.code && c.is_invalid == is_invalid);
            match twin {
                Some(cause) if cause.is_of(cell) => {}
                Some(cause) => cause.cells.push(cell),
                None => causes.push(Cause {
                    finding,
                    cells: vec![cell],
                    is_invalid,
                    lesser: Vec::new(),
                }),
            }
        }
    }
    in_one(causes)
}

/// A cause that spoils some rows and is a reservation on others is told once.
fn in_one(causes: Vec<Cause<'_>>) -> Vec<Cause<'_>> {
    let (mut told, lesser): (Vec<_>, Vec<_>) = causes.into_iter().partition(|c| c.is_invalid);
    for cause in lesser {
        let twin = told
            .iter_mut()
            .find(|c| c.is_invalid && c.finding.code == cause.finding.code);
        match twin {
            Some(twin) => twin.lesser = cause.cells,
            None => told.push(cause),
        }
    }
    told
}

/// What broke comes before what spoiled the figure.
fn has_failed(cause: &Cause<'_>) -> bool {
    ["run-failed", "data-corrupt", "failing-disk"].contains(&cause.finding.code.as_str())
}

/// Of the causes of an invalid row, those that most of its runs have; all, where it took several together.
fn spoils(finding: &Finding, cell: &Cell) -> bool {
    let is_invalid = |f: &Finding| f.severity == Severity::Invalid;
    let mut invalid = cell.findings.iter().filter(|f| is_invalid(f));
    let is_grave = is_of_most(finding) || !invalid.any(is_of_most);
    cell.verdict.is_invalid() && is_invalid(finding) && is_grave
}

/// Whether it alone makes its row invalid.
fn is_of_most(finding: &Finding) -> bool {
    let affected = finding.affected;
    affected.is_none_or(|a| a.runs_affected.saturating_mul(2) >= a.runs)
}

/// Whether it would change what a person does. Notes do not, nor does what one run of many had,
/// nor a busy processor where files are looked up: that is so on every filesystem.
pub(crate) fn matters(finding: &Finding, cell: &Cell) -> bool {
    if spoils(finding, cell) {
        return true;
    }
    let is_usual = finding.code == "cpu-bound" && is_metadata(cell);
    // The page begins with it.
    let is_told = finding.code == "in-memory";
    let is_rare = finding.is_of_one_run();
    finding.severity > Severity::Info && !is_usual && !is_rare && !is_told
}

/// Beside I/O, as in a quick check, the question to names is how many the filesystem takes, which a line of its
/// own says; whoever asks for metadata operations alone is told what makes them durable.
pub(crate) fn is_by_design(finding: &Finding, cell: &Cell) -> bool {
    finding.code == "not-durable" && is_metadata(cell)
}

fn in_words(cause: &Cause<'_>, devices: &str, of_cells: usize) -> Remark {
    let first = cause.cells[0];
    let words = words(cause.finding, first, devices);
    let place = place(cause, of_cells);
    let mut text = match cause.is_invalid {
        true => say!(
            "page-remark-invalid",
            place = place,
            invalid = invalid_word(cause.cells.len()),
            meaning = words.meaning,
            to_do = words.to_do,
        ),
        false => say!(
            "page-remark",
            place = place,
            meaning = words.meaning,
            to_do = words.to_do,
        ),
    };
    text.extend(to_a_lesser_degree(&cause.lesser, of_cells));
    Remark {
        mark: if cause.is_invalid { "✗" } else { "!" },
        cells: names(&cause.cells),
        lesser: names(&cause.lesser),
        text,
    }
}

/// A sentence more on further cells; none where there are none.
pub(crate) fn to_a_lesser_degree(cells: &[&Cell], of_cells: usize) -> Option<String> {
    let rows = match cells {
        [] => return None,
        [one] => label(one),
        [one, two] => format!("{}, {}", label(one), label(two)),
        some => say!("count-rows-of", count = some.len(), all = of_cells),
    };
    Some(format!(" {}", say!("page-remark-lesser", rows = rows)))
}

pub(crate) fn names(cells: &[&Cell]) -> Vec<String> {
    cells.iter().map(|cell| cell.name.clone()).collect()
}

/// Where it holds: one or two names, else how many rows.
fn place(cause: &Cause<'_>, of_cells: usize) -> String {
    match cause.cells.as_slice() {
        [one] if cause.is_invalid => format!("{} {}", label(one), spoiled_figure(one)),
        [one] => label(one),
        [one, two] if of_cells > 2 => format!("{}, {}", label(one), label(two)),
        all if all.len() == of_cells => say!("all-rows"),
        some => say!("count-rows-of", count = some.len(), all = of_cells),
    }
}

fn spoiled_figure(cell: &Cell) -> String {
    match cell.estimate().runs {
        0 => String::new(),
        _ => format!("({})", figure(cell, cell.estimate().value)),
    }
}
