//! What a finding means for whoever reads a page: the short text of its check, or its own sentence.

use etalon_judge::check_of;
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
    let said = message(finding);
    // The judge knows which command ran, and its advice names no option that this does not have.
    let fitting = cell.workload.task().map(|_| finding.advice.as_str());
    let (meaning, to_do) = match finding.code.as_str() {
        "page-cache" if fitting.is_none() => return page_cache(finding, cell, devices),
        // A loop whose file lies in memory, which was not measured but seen: the finding says which one.
        "cache-below" if finding.evidence.is_empty() => (said.as_str(), finding.advice.as_str()),
        code => {
            let check = check_of(code);
            let short_about = check.and_then(|check| check.short_about);
            let short_advice = check.and_then(|check| check.short_advice);
            (
                short_about.unwrap_or(&said),
                short_advice.unwrap_or(&finding.advice),
            )
        }
    };
    Words {
        meaning: meaning.to_owned(),
        to_do: fitting.unwrap_or(to_do).to_owned(),
    }
}

/// The figure is the page cache's; direct I/O meets a cache only further down.
fn page_cache(finding: &Finding, cell: &Cell, devices: &str) -> Words {
    let share = match cell.device_share {
        Some(share) => format!(" ({:.0} % of the bytes came from {devices})", share * 100.0),
        None => String::new(),
    };
    let buffered = cell.findings.iter().find(|f| f.code == "buffered-loop");
    let to_do = match (buffered, is_direct(cell)) {
        (Some(below), true) => below.advice.clone(),
        (None, true) => "Use a file of 20 times the memory.".to_owned(),
        // Where O_DIRECT was refused, leaving an option out does not help.
        (_, false) if has(cell, "direct-refused") => finding.advice.clone(),
        (_, false) => "Leave --buffered out, or use a file of 20 times the memory.".to_owned(),
    };
    Words {
        meaning: format!("this is the page cache, not the disk{share}."),
        to_do,
    }
}

fn has(cell: &Cell, code: &str) -> bool {
    cell.findings.iter().any(|finding| finding.code == code)
}
