//! What the most frequent findings mean, in one plain sentence, and the one thing to do.

use etalon_model::{Cell, Finding};

use super::findings::message;
use crate::role::is_direct;

/// What a person reads of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) meaning: String,
    pub(crate) to_do: String,
}

/// The words for a finding about a cell on these devices; where none are kept, the check's own.
pub(crate) fn words(finding: &Finding, cell: &Cell, devices: &str) -> Words {
    let said = message(finding);
    // The judge knows which command ran, and its advice names no option that this does not have.
    let fitting = cell.workload.task().map(|_| finding.advice.as_str());
    let (meaning, to_do) = match finding.code.as_str() {
        "page-cache" if fitting.is_none() => return page_cache(finding, cell, devices),
        // A loop whose file lies in memory, which was not measured but seen: the finding says which one.
        "cache-below" if finding.evidence.is_empty() => (said.as_str(), finding.advice.as_str()),
        _ => match plain(&finding.code) {
            Some(words) => words,
            None => (said.as_str(), finding.advice.as_str()),
        },
    };
    Words {
        meaning: meaning.to_owned(),
        to_do: fitting.unwrap_or(to_do).to_owned(),
    }
}

fn plain(code: &str) -> Option<(&'static str, &'static str)> {
    Some(match code {
        "cache-below" => (
            "A cache below the disk serves repeated reads.",
            "Report it with the result.",
        ),
        "cpu-bound" => (
            "The processor was the limit, not the storage.",
            "Read it as the speed of this machine, or use more jobs.",
        ),
        "discards" => (
            "The filesystem discarded blocks meanwhile.",
            "Mount without discard and use fstrim between measurements.",
        ),
        "unsteady" => (
            "The rate moved during each run.",
            "Measure longer, so that the storage settles.",
        ),
        "regimes" => (
            "The rate jumped between levels within a run.",
            "Measure longer; a cache that fills up or a throttle does this.",
        ),
        "warm-up" => (
            "The beginning of each run was different from the rest.",
            "Measure longer.",
        ),
        "two-modes" => (
            "The runs fall into two groups, so the result is the median.",
            "Look for a cache, a throttle or another user.",
        ),
        "few-operations" => (
            "So few operations ended that single ones matter.",
            "Measure longer.",
        ),
        "one-run" => (
            "One run says nothing about the next.",
            "Repeat it: --runs 6.",
        ),
        "nearly-full" => (
            "The filesystem is nearly full, which makes many slower.",
            "Free some space.",
        ),
        "direct-refused" => (
            "The filesystem has no O_DIRECT: the page cache takes part.",
            "Compare it only with other buffered figures.",
        ),
        "direct-fell-back" => (
            "The filesystem answered direct I/O from the page cache.",
            "On btrfs, a directory with chattr +C avoids it.",
        ),
        "no-device" => (
            "No disk stands below: this is memory or the network.",
            "Read it as the speed of the filesystem alone.",
        ),
        "steal" => (
            "The hypervisor gave processor time to other guests.",
            "Measure when the host is quieter.",
        ),
        "capped" => (
            "A limit set on this machine held the figure, not the storage.",
            "Lift the limit and measure again.",
        ),
        "cpu-starved" => (
            "Other programs took the processors from the run.",
            "Stop them (top shows them) and measure again.",
        ),
        "stalled" => (
            "Part of the run stood still.",
            "Measure again; look into dmesg if it returns.",
        ),
        "outlying-run" => (
            "A few runs lie far from the rest.",
            "Rare stalls are what users feel; run longer to see how often.",
        ),
        _ => return None,
    })
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
        (None, true) if has(cell, "server-cache") => {
            "Use a file of 20 times the server's memory.".to_owned()
        }
        (None, true) => "Use a file of 20 times the memory.".to_owned(),
        // Where O_DIRECT was refused, leaving an option out does not help.
        (_, false) if has(cell, "direct-refused") => finding.advice.clone(),
        (_, false) => "Leave --buffered out, or use a file of 20 times the memory.".to_owned(),
    };
    let cache = match (has(cell, "server-cache"), is_direct(cell)) {
        (false, _) => "the page cache",
        (true, true) => "the page cache of the server",
        (true, false) => "the page cache of this machine, the client, or of the server",
    };
    Words {
        meaning: format!("this is {cache}, not the disk{share}."),
        to_do,
    }
}

fn has(cell: &Cell, code: &str) -> bool {
    cell.findings.iter().any(|finding| finding.code == code)
}
