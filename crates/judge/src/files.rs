//! Findings about programs that read and write files by themselves and count their own bytes, as
//! iozone's operations do: the same codes and limits as for runs of the engine, on less evidence.

use etalon_model::{Ended, Evidence, Finding, Severity};
use etalon_units::{Bytes, Percent};

use crate::checks::{
    direct_refused, interrupted, no_device, not_durable, own_work, page_cache, run_failed,
};
use crate::resolution::{Levels, UNREAD};
use crate::sentence::{Sentence, said};
use crate::value::TOLERATED;

/// What storage leaves of the bytes read before the figure is that of memory.
const MISSING: Levels<'_> = &[(TOLERATED, Severity::Invalid)];

/// What is known of one figure's passes over files.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFacts {
    /// How the last of them ended.
    pub ended: Ended,
    /// The error number with which `O_DIRECT` was refused.
    pub direct_refused: Option<i32>,
    /// What was read, and how much of it storage served; `None` where nothing was read, or nobody
    /// counts.
    pub read: Option<(Bytes, Bytes)>,
    /// Whether something was written that was in memory only when the clock stopped, for all that
    /// the options tell.
    pub left_in_memory: bool,
    /// What is known of the devices beneath.
    pub devices: Devices,
}

/// What is known of the devices beneath the files of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Devices {
    /// None, or nothing at all.
    Unknown,
    /// They are there, and were not counted around the pass.
    Uncounted,
    /// They were counted, so that the checks of the run say what they served.
    Counted,
}

/// What a tool does with the data itself inside the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileWork {
    /// It compares what it reads.
    Compared,
    /// It makes what it writes.
    Made,
    /// Both.
    MadeAndCompared,
}

/// What to do about findings, in the words of the tool's own options; a sentence each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileAdvice {
    /// Where `O_DIRECT` was refused.
    pub direct_refused: &'static str,
    /// Where a cache served reads.
    pub page_cache: &'static str,
    /// Where writes were not durable in time.
    pub not_durable: &'static str,
    /// Where no disk lies beneath.
    pub no_device: &'static str,
}

/// The findings about one figure.
pub fn check_files(facts: &FileFacts, advice: &FileAdvice) -> Vec<Finding> {
    let checks = [
        ended(&facts.ended),
        refused(facts, advice),
        cached(facts, advice),
        returned(facts, advice),
    ];
    checks.into_iter().flatten().collect()
}

/// The one finding about files of a filesystem in memory.
pub fn files_in_memory(advice: &FileAdvice) -> Finding {
    finding(
        no_device::CHECK.code,
        Severity::Info,
        said!("the files lie in memory, beneath them is no disk."),
        advice.no_device,
    )
}

/// The one finding about the tool's own work on the data inside the clock.
pub fn files_at_work(work: FileWork, advice: &str) -> Finding {
    let message = match work {
        FileWork::Compared => said!("every byte that is read is compared inside the clock."),
        FileWork::Made => said!("what is written is made inside the clock."),
        FileWork::MadeAndCompared => said!(
            "what is written is made inside the clock, and every byte that is read is compared there."
        ),
    };
    finding(own_work::CHECK.code, Severity::Warn, message, advice)
}

fn finding(code: &str, severity: Severity, message: Sentence, advice: &str) -> Finding {
    Finding {
        said: message.parts,
        ..Finding::new(code, severity, &message.text, advice)
    }
}

fn ended(ended: &Ended) -> Option<Finding> {
    let (code, message, advice) = match ended {
        Ended::Complete => return None,
        // Only a figure that somebody reads although the user stopped it needs these words.
        Ended::Interrupted => (
            interrupted::CHECK.code,
            said!("the run was stopped before its end; the figure covers the part until then."),
            interrupted::CHECK.advice,
        ),
        other => (
            run_failed::CHECK.code,
            run_failed::sentence(other)?.then(said!("; the figure covers the part until then.")),
            run_failed::CHECK.advice,
        ),
    };
    Some(finding(code, Severity::Invalid, message, advice))
}

fn refused(facts: &FileFacts, advice: &FileAdvice) -> Option<Finding> {
    let errno = facts.direct_refused?;
    let mut found = finding(
        direct_refused::CHECK.code,
        Severity::Warn,
        direct_refused::words(errno),
        advice.direct_refused,
    );
    found
        .evidence
        .push(Evidence::new("errno", f64::from(errno)));
    Some(found)
}

fn cached(facts: &FileFacts, advice: &FileAdvice) -> Option<Finding> {
    let known = facts.read.filter(|_| facts.devices != Devices::Counted);
    let (read, served) = known.filter(|(read, _)| *read > Bytes::ZERO)?;
    let share = served.as_f64() / read.as_f64();
    let missing = read.as_f64() - served.as_f64();
    let graded = UNREAD.grade_missing(missing, read.as_f64(), MISSING)?;
    let by_storage = Percent::from_fraction(share);
    let message = match graded.severity {
        Severity::Invalid => said!(
            "storage served {share} of the bytes that were read; the figure is that of memory.",
            share = by_storage,
        ),
        _ => said!(
            "storage served {share} of the bytes that were read.",
            share = by_storage,
        ),
    };
    let mut found = finding(
        page_cache::CHECK.code,
        graded.severity,
        graded.say(message),
        advice.page_cache,
    );
    found.evidence.push(Evidence::new("fetched_share", share));
    Some(found)
}

fn returned(facts: &FileFacts, advice: &FileAdvice) -> Option<Finding> {
    facts.left_in_memory.then(|| {
        let severity = match facts.devices {
            Devices::Unknown => Severity::Warn,
            Devices::Uncounted | Devices::Counted => Severity::Invalid,
        };
        finding(
            not_durable::CHECK.code,
            severity,
            said!(
                "no fsync was inside the clock: the figure is the rate at which memory took the data."
            ),
            advice.not_durable,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADVICE: FileAdvice = FileAdvice {
        direct_refused: "A.",
        page_cache: "B.",
        not_durable: "C.",
        no_device: "D.",
    };

    fn found(change: impl FnOnce(&mut FileFacts)) -> Vec<(String, Severity, String)> {
        let mut facts = FileFacts {
            ended: Ended::Complete,
            direct_refused: None,
            read: Some((Bytes::mib(100), Bytes::mib(100))),
            left_in_memory: false,
            devices: Devices::Unknown,
        };
        change(&mut facts);
        check_files(&facts, &ADVICE)
            .into_iter()
            .map(|f| (f.code, f.severity, f.advice))
            .collect()
    }

    #[test]
    fn each_trap_has_its_finding_and_an_honest_figure_none() {
        use Severity::{Invalid, Warn};
        let one = |code: &str, severity, advice: &str| {
            vec![(code.to_owned(), severity, advice.to_owned())]
        };
        assert_eq!(found(|_| ()), []);
        assert_eq!(found(|f| f.read = None), []);
        assert_eq!(found(|f| f.read = Some((Bytes::ZERO, Bytes::ZERO))), []);
        let cached = found(|f| f.read = Some((Bytes::mib(100), Bytes::mib(98))));
        assert_eq!(cached, one("page-cache", Invalid, "B."));
        let page = found(|f| f.read = Some((Bytes::kib(64), Bytes::kib(60))));
        assert_eq!(page, one("page-cache", Severity::Info, "B."));
        let all = found(|f| f.read = Some((Bytes::kib(4), Bytes::ZERO)));
        assert_eq!(all, one("page-cache", Invalid, "B."));
        let refused = found(|f| f.direct_refused = Some(22));
        assert_eq!(refused, one("direct-refused", Warn, "A."));
        let returned = found(|f| f.left_in_memory = true);
        assert_eq!(returned, one("not-durable", Warn, "C."));
        let of_a_disk = found(|f| (f.left_in_memory, f.devices) = (true, Devices::Uncounted));
        assert_eq!(of_a_disk, one("not-durable", Invalid, "C."));
        let read = Some((Bytes::mib(100), Bytes::ZERO));
        let told_by_counters = found(|f| (f.read, f.devices) = (read, Devices::Counted));
        assert_eq!(told_by_counters, []);
        let full = found(|f| f.ended = Ended::DiskFull);
        assert_eq!(full, one("run-failed", Invalid, run_failed::CHECK.advice));
        let stopped = found(|f| f.ended = Ended::Interrupted);
        assert_eq!(
            stopped,
            one("interrupted", Invalid, "Run it again to the end.")
        );
    }
}
