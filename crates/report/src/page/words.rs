//! What a finding means for whoever reads a page: the short text of its check, or its own sentence.

use etalon_judge::check_of;
use etalon_language::{figure, say};
use etalon_model::{CacheMode, Cell, Finding, Severity};

use super::findings::{message, of_runs, some_runs};
use crate::check_words::{CheckWords, advice};
use crate::role::is_direct;

/// What a person reads of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) meaning: String,
    pub(crate) to_do: String,
}

/// The words for a finding about a cell on these devices; where its check has no short text, the finding's own, behind what
/// the check means where that is said in another language.
pub(crate) fn words(finding: &Finding, cell: &Cell, devices: &str) -> Words {
    // The judge knows which command ran, and its advice names no option that this does not have.
    let is_task = cell.workload.task().is_some();
    let (meaning, to_do) = match finding.code.as_str() {
        // Where no device is known, it may not be known either who had what storage was not asked for.
        "page-cache" if is_left_open(finding) => (None, None),
        "page-cache" if !is_task => return page_cache(finding, cell, devices),
        // A loop whose file lies in memory, which was not measured but seen: the finding says which one.
        "cache-below" if finding.evidence.is_empty() => return below_in_memory(finding),
        "direct-fell-back" if named(finding, "filesystem").is_some() => (None, None),
        "direct-fell-back" if !is_task && has_own_advice(finding) => return behind_a_process(),
        "no-flush" | "outlying-run" if has_own_advice(finding) => (short_text(finding).0, None),
        _ => short_text(finding),
    };
    Words {
        meaning: meaning.unwrap_or_else(|| message(finding)),
        to_do: to_do
            .filter(|_| !is_task)
            .unwrap_or_else(|| advice(finding)),
    }
}

/// What was not measured but seen: devices that are files in memory, which the finding names.
fn below_in_memory(finding: &Finding) -> Words {
    // In some runs alone it is told with their number.
    let mut parts = finding.said.iter().filter(|_| some_runs(finding).is_none());
    match parts.find_map(|part| part.names.get("devices")) {
        Some(devices) => Words {
            meaning: say!("page-below-in-memory", devices = devices),
            to_do: say!("page-below-in-memory-advice"),
        },
        None => Words {
            to_do: advice(finding),
            meaning: message(finding),
        },
    }
}

/// Whether reads that no device was seen to serve may have come from elsewhere than a cache.
fn is_left_open(finding: &Finding) -> bool {
    let mut evidence = finding.evidence.iter();
    finding.severity != Severity::Invalid && evidence.any(|one| one.name == "asked_read_share")
}

/// What stands for this placeholder in what the finding says.
fn named<'f>(finding: &'f Finding, placeholder: &str) -> Option<&'f String> {
    let mut parts = finding.said.iter();
    parts.find_map(|part| part.names.get(placeholder))
}

/// Whether its cause asks for something else than the check's findings do else.
fn has_own_advice(finding: &Finding) -> bool {
    check_of(&finding.code).is_some_and(|check| finding.advice != check.advice)
}

/// Direct I/O that a process took (FUSE).
fn behind_a_process() -> Words {
    Words {
        meaning: say!("page-direct-behind"),
        to_do: say!("page-direct-behind-advice"),
    }
}

/// What the finding's check says on a page of what it means and of what to do.
fn short_text(finding: &Finding) -> (Option<String>, Option<String>) {
    let Some(check) = check_of(&finding.code) else {
        return (None, None);
    };
    let short = |english: Option<&str>| english.map(str::to_owned);
    match (CheckWords::spoken(check), check.short_about) {
        (None, about) => (short(about), short(check.short_advice)),
        (Some(own), Some(_)) => (Some(own.about), Some(own.advice)),
        // Which disk it was, or how much, is told by the finding alone.
        (Some(own), None) => (Some(own.before(&message(finding))), Some(own.advice)),
    }
}

/// The figure is a page cache's; direct I/O meets one only further down.
fn page_cache(finding: &Finding, cell: &Cell, devices: &str) -> Words {
    let buffered = cell.findings.iter().find(|f| f.code == "buffered-loop");
    let is_cold = cell.workload.cache() == Some(CacheMode::Cold);
    let to_do = match (buffered, is_direct(cell)) {
        (Some(below), true) => advice(below),
        (None, true) if has(cell, "server-cache") => say!("page-cache-server-larger-file"),
        (None, true) => say!("page-cache-larger-file"),
        // Where O_DIRECT was refused, leaving an option out does not help.
        (_, false) if has(cell, "direct-refused") => advice(finding),
        (_, false) if is_cold => say!("page-cache-once"),
        (_, false) => say!("page-cache-direct"),
    };
    Words {
        meaning: of_runs(finding, cache_that_served(finding, cell, devices)),
        to_do,
    }
}

/// Whose page cache it is, and what share of the bytes it did not serve.
fn cache_that_served(finding: &Finding, cell: &Cell, devices: &str) -> String {
    let share =
        share_of_devices(finding, cell).map(|share| figure(format!("{:.0} %", share * 100.0)));
    let array = named(finding, "array");
    if let (Some(array), Some(share)) = (array, share.clone()) {
        return say!(
            "page-cache-stripes-share",
            array = array,
            share = share,
            devices = devices
        );
    }
    match (has(cell, "server-cache"), is_direct(cell), share) {
        (false, _, Some(share)) => {
            say!("page-cache-meaning-share", share = share, devices = devices)
        }
        (false, _, None) => say!("page-cache-meaning"),
        (true, true, Some(share)) => {
            say!("page-cache-server-share", share = share, devices = devices)
        }
        (true, true, None) => say!("page-cache-server"),
        (true, false, Some(share)) => {
            say!("page-cache-either-share", share = share, devices = devices)
        }
        (true, false, None) => say!("page-cache-either"),
    }
}

/// That of the runs which count, or of the one that shows it most where it holds for runs which do not.
fn share_of_devices(finding: &Finding, cell: &Cell) -> Option<f64> {
    let mut evidence = finding.evidence.iter();
    let own = evidence.find(|one| one.name == "device_read_share");
    match some_runs(finding) {
        Some(affected) if affected.left_out => own.map(|one| one.value),
        _ => cell.device_share,
    }
}

fn has(cell: &Cell, code: &str) -> bool {
    cell.findings.iter().any(|finding| finding.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use etalon_model::Severity;

    #[test]
    fn what_a_cause_asks_for_stands_in_the_place_of_what_its_check_does() {
        let cell = samples::cells().remove(0);
        let check = check_of("outlying-run").unwrap();
        let to_do = |advice: &str| {
            let found = Finding::new(check.code, Severity::Warn, "one run lies far.", advice);
            words(&found, &cell, "sda")
        };
        assert!(to_do(check.advice).to_do.contains("stalls"));
        let fast = to_do("Look for a cache that served the fast ones.");
        assert_eq!(fast.to_do, "Look for a cache that served the fast ones.");
        assert_eq!(fast.meaning, check.about);
    }
}
