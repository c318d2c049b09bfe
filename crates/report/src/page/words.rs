//! What a finding means for whoever reads a page: the short text of its check, or its own sentence.

use etalon_judge::check_of;
use etalon_language::{figure, say, translation};
use etalon_model::{Cell, Finding};

use super::findings::message;
use crate::role::is_direct;

/// What a person reads of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) meaning: String,
    pub(crate) to_do: String,
}

/// The words for a finding about a cell on these devices; where its check has no short text, the finding's own.
pub(crate) fn words(finding: &Finding, cell: &Cell, devices: &str) -> Words {
    // The judge knows which command ran, and its advice names no option that this does not have.
    let is_task = cell.workload.task().is_some();
    let (meaning, to_do) = match finding.code.as_str() {
        "page-cache" if !is_task => return page_cache(finding, cell, devices),
        // A loop whose file lies in memory, which was not measured but seen: the finding says which one.
        "cache-below" if finding.evidence.is_empty() => (None, None),
        code => short_text(code),
    };
    Words {
        meaning: meaning.unwrap_or_else(|| message(finding)),
        to_do: to_do
            .filter(|_| !is_task)
            .unwrap_or_else(|| finding.advice.clone()),
    }
}

/// What the check with this code says on a page of what it means and of what to do.
fn short_text(code: &str) -> (Option<String>, Option<String>) {
    let id = format!("check-{code}");
    let said = |english: Option<&str>, attribute| {
        let translated = || translation(&id, attribute);
        english.map(|english| translated().unwrap_or_else(|| english.to_owned()))
    };
    let check = check_of(code);
    (
        said(check.and_then(|check| check.short_about), None),
        said(check.and_then(|check| check.short_advice), Some("advice")),
    )
}

/// The figure is the page cache's; direct I/O meets a cache only further down.
fn page_cache(finding: &Finding, cell: &Cell, devices: &str) -> Words {
    let meaning = match cell.device_share {
        Some(share) => {
            let share = figure(format!("{:.0} %", share * 100.0));
            say!("page-cache-meaning-share", share = share, devices = devices)
        }
        None => say!("page-cache-meaning"),
    };
    let buffered = cell.findings.iter().find(|f| f.code == "buffered-loop");
    let to_do = match (buffered, is_direct(cell)) {
        (Some(below), true) => below.advice.clone(),
        (None, true) => say!("page-cache-larger-file"),
        // Where O_DIRECT was refused, leaving an option out does not help.
        (_, false) if has(cell, "direct-refused") => finding.advice.clone(),
        (_, false) => say!("page-cache-direct"),
    };
    Words { meaning, to_do }
}

fn has(cell: &Cell, code: &str) -> bool {
    cell.findings.iter().any(|finding| finding.code == code)
}
