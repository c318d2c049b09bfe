//! What the sources of the checks can resolve: by how much each moves at once, and how much of it decides nothing.
//!
//! A short run meets few units of a source, and a single one of them, such as the tick of 10 ms in which a processor
//! was taken away for a moment, would be a large share of it. What does not go beyond the least that is certain is
//! *info* and names the resolution. `docs/checks.md` has the table.

use etalon_model::Severity;

use crate::check::Outcome;
use crate::sentence::{Sentence, said};

/// Shares with the severity of what goes beyond them, the gravest first.
pub(crate) type Levels<'a> = &'a [(f64, Severity)];

/// A source of a check.
#[derive(Debug)]
pub struct Resolution {
    /// The check.
    pub code: &'static str,
    /// Where its figure comes from.
    pub source: &'static str,
    /// By how much that moves at once, in words.
    pub unit: &'static str,
    /// How much of it decides nothing, in seconds, bytes, or what else it counts.
    pub least: f64,
    /// The same in words.
    pub words: &'static str,
}

/// Every source, in the order of the checks.
pub const RESOLUTIONS: &[&Resolution] = &[
    &FELL_BACK,
    &STATE,
    &UNREAD,
    &UNASKED,
    &HOLES,
    &BLOCKS,
    &UNWRITTEN,
    &LEFT,
    &FSYNCS,
    &ALONE,
    &FOREIGN,
    &EARLIER,
    &DISCARDED,
    &LIMITED_REQUESTS,
    &QUOTA_PERIODS,
    &QUEUE_TIME,
    &STOLEN,
    &THROTTLES,
    &MEMORY_WAITS,
    &SWAPPED,
    &PROCESSOR_TIME,
    &RUN_DELAY,
    &SERVER_TIME,
    &LOCK_TIME,
    &NETWORK_BYTES,
];

const PAGE: f64 = 4096.0;

/// The kernel reads a page or some around what others ask for.
pub(crate) const FELL_BACK: Resolution = Resolution {
    code: "direct-fell-back",
    source: "cachestat(2)",
    unit: "1 page (4 KiB)",
    least: 4.0 * PAGE,
    words: "4 pages",
};

/// A page may be read again, or taken back, between the look and the run.
pub(crate) const STATE: Resolution = Resolution {
    code: "cache-state",
    source: "cachestat(2) or mincore(2)",
    unit: "1 page (4 KiB)",
    least: 4.0 * PAGE,
    words: "4 pages",
};

/// Some pages may have been left in memory by others.
pub(crate) const UNREAD: Resolution = Resolution {
    code: "page-cache",
    source: "sectors read in block/stat",
    unit: "1 page (4 KiB)",
    least: 4.0 * PAGE,
    words: "4 pages that no device read",
};

/// The same where no device is seen.
pub(crate) const UNASKED: Resolution = Resolution {
    source: "read_bytes in /proc/PID/io",
    words: "4 pages that were not asked of storage",
    ..UNREAD
};

/// The last block of a file is written in part.
pub(crate) const HOLES: Resolution = Resolution {
    code: "holes",
    source: "FIEMAP or SEEK_HOLE",
    unit: "1 block (4 KiB)",
    least: PAGE,
    words: "1 block",
};

/// One block of zeros is found in any data.
pub(crate) const BLOCKS: Resolution = Resolution {
    code: "easy-data",
    source: "the blocks looked at",
    unit: "1 block",
    least: 1.0,
    words: "1 block of one value or seen before",
};

/// Of few blocks the compressed size is that of what happens to be there.
pub(crate) const FEW_BLOCKS: u64 = 16;

/// Some pages may be on their way, or were written over once more.
pub(crate) const UNWRITTEN: Resolution = Resolution {
    code: "not-durable",
    source: "sectors written in block/stat",
    unit: "1 page (4 KiB)",
    least: 4.0 * PAGE,
    words: "4 pages that no device wrote",
};

/// The page of a file's end or of its attributes is changed again by the closing.
pub(crate) const LEFT: Resolution = Resolution {
    code: "dirty-left",
    source: "cachestat(2)",
    unit: "1 page (4 KiB)",
    least: 4.0 * PAGE,
    words: "4 pages",
};

/// Two fsyncs may meet in one flush, and one may find nothing to do.
pub(crate) const FSYNCS: Resolution = Resolution {
    code: "no-flush",
    source: "flushes in block/stat",
    unit: "1 flush",
    least: 9.0,
    words: "9 calls of fsync that are due",
};

/// A filesystem commits its journal, and the kernel writes an inode back, a few pages at a time.
pub(crate) const FOREIGN: Resolution = Resolution {
    code: "foreign-io",
    source: "sectors in block/stat",
    unit: "1 write-back (4 KiB to 8 KiB)",
    least: 8.0 * PAGE,
    words: "32 KiB",
};

/// The same as of others' writes.
pub(crate) const EARLIER: Resolution = Resolution {
    code: "earlier-writes",
    ..FOREIGN
};

/// A filesystem gives back the blocks of a small file.
pub(crate) const DISCARDED: Resolution = Resolution {
    code: "discards",
    source: "sectors discarded in block/stat",
    unit: "1 discard (4 KiB or more)",
    least: 16.0 * PAGE,
    words: "64 KiB",
};

/// Workloads of several at once do not begin and end at the same instant.
pub(crate) const ALONE: Resolution = Resolution {
    code: "not-together",
    source: "the clocks of the workloads",
    unit: "2 ms, in which threads begin and end",
    least: 0.002,
    words: "2 ms alone",
};

/// One request more or less is 5 % of twenty, as near as a figure must come to a limit.
pub(crate) const LIMITED_REQUESTS: Resolution = Resolution {
    code: "capped",
    source: "requests in block/stat",
    unit: "1 request",
    least: 19.0,
    words: "19 requests at a limit of a device",
};

/// A quota is given anew at each period.
pub(crate) const QUOTA_PERIODS: Resolution = Resolution {
    code: "capped",
    source: "nr_throttled in cpu.stat",
    unit: "1 period (100 ms)",
    least: 1.0,
    words: "1 throttled period",
};

/// The time of requests under way is brought up to date at the kernel's ticks and at their ends.
pub(crate) const QUEUE_TIME: Resolution = Resolution {
    code: "capped",
    source: "time in queue in block/stat",
    unit: "1 tick (at most 10 ms)",
    least: 0.04,
    words: "a run of 40 ms with a full queue",
};

/// The counter moves by whole ticks, of which one may be a sliver.
pub(crate) const STOLEN: Resolution = Resolution {
    code: "steal",
    source: "/proc/stat",
    unit: "1 tick (10 ms) of a processor",
    least: 1.0,
    words: "1 tick",
};

/// A processor touches its limit for a moment without a change of speed.
pub(crate) const THROTTLES: Resolution = Resolution {
    code: "throttled",
    source: "core_throttle_count",
    unit: "1 event",
    least: 1.0,
    words: "1 event",
};

/// The kernel tells of stalls as the states of tasks change, and of many processors together.
pub(crate) const MEMORY_WAITS: Resolution = Resolution {
    code: "memory-pressure",
    source: "/proc/pressure/memory",
    unit: "several ms",
    least: 0.005,
    words: "5 ms of waiting",
};

/// A program that wakes touches some pages that were swapped long before.
pub(crate) const SWAPPED: Resolution = Resolution {
    code: "memory-pressure",
    source: "/proc/vmstat",
    unit: "1 page (4 KiB)",
    least: 16.0,
    words: "16 pages swapped",
};

/// Over twenty ticks the count is right to 5 %.
pub(crate) const PROCESSOR_TIME: Resolution = Resolution {
    code: "cpu-bound",
    source: "getrusage(2) of a part of a task",
    unit: "1 tick (10 ms)",
    least: 0.2,
    words: "parts of 200 ms",
};

/// Another program is given the processor for one slice.
pub(crate) const RUN_DELAY: Resolution = Resolution {
    code: "cpu-starved",
    source: "/proc/thread-self/schedstat",
    unit: "1 time slice (up to 10 ms)",
    least: 0.01,
    words: "10 ms of waiting",
};

/// Over fifty ticks the share is right to 2 %.
pub(crate) const SERVER_TIME: Resolution = Resolution {
    code: "server-bound",
    source: "/proc/PID/stat",
    unit: "1 tick (10 ms)",
    least: 0.5,
    words: "parts of 500 ms",
};

/// A wait that a look meets may be a short one.
pub(crate) const LOCK_TIME: Resolution = Resolution {
    code: "server-bound",
    source: "pg_stat_activity, or Innodb_row_lock_time",
    unit: "1 look (50 ms), or 1 ms",
    least: 0.5,
    words: "500 ms of waiting",
};

/// Other packets arrive between the looks around a part.
pub(crate) const NETWORK_BYTES: Resolution = Resolution {
    code: "network-bound",
    source: "statistics/rx_bytes of the interface",
    unit: "1 packet (up to 64 KiB)",
    least: 1_048_576.0,
    words: "1 MiB received",
};

/// A severity, and what is to be said where the resolution holds it down.
pub(crate) struct Graded<'a> {
    pub(crate) severity: Severity,
    held_by: Option<&'a Resolution>,
}

impl Graded<'_> {
    /// One that no resolution holds down.
    pub(crate) fn certain(severity: Severity) -> Graded<'static> {
        Graded {
            severity,
            held_by: None,
        }
    }

    /// The sentence of a finding with what the resolution has to say.
    pub(crate) fn say(&self, sentence: impl Into<Sentence>) -> Sentence {
        match self.held_by {
            None => sentence.into(),
            Some(source) => source.say(sentence),
        }
    }
}

impl Resolution {
    /// What `seen` of `whole` is worth: by what goes beyond the least that is certain, else *info* where all of it
    /// would be worth something.
    pub(crate) fn grade(&self, seen: f64, whole: f64, levels: Levels<'_>) -> Option<Graded<'_>> {
        let certain = reached((seen - self.least).max(0.0) / whole, levels);
        if let Some(severity) = certain {
            return Some(Graded::certain(severity));
        }
        reached(seen / whole, levels).map(|_| self.held())
    }

    /// The same of what is missing: where that is all of it there is nothing to doubt.
    pub(crate) fn grade_missing(
        &self,
        missing: f64,
        whole: f64,
        levels: Levels<'_>,
    ) -> Option<Graded<'_>> {
        if missing < whole {
            return self.grade(missing, whole, levels);
        }
        reached(missing / whole, levels).map(Graded::certain)
    }

    /// What is seen, and too little of it to be certain.
    pub(crate) fn held(&self) -> Graded<'_> {
        Graded {
            severity: Severity::Info,
            held_by: Some(self),
        }
    }

    /// Whether there is more of it than decides nothing.
    pub(crate) fn resolves(&self, seen: f64) -> bool {
        seen > self.least
    }

    /// An outcome as it is where `seen` is enough of the source, else as *info*.
    pub(crate) fn weigh(&self, outcome: Outcome, seen: f64) -> Outcome {
        if self.resolves(seen) || outcome.severity == Severity::Info {
            return outcome;
        }
        Outcome {
            severity: Severity::Info,
            message: self.say(outcome.message),
            ..outcome
        }
    }

    /// The sentence of a finding that the resolution holds down.
    pub(crate) fn say(&self, sentence: impl Into<Sentence>) -> Sentence {
        sentence.into().then(said!(
            "; up to {amount} are within the resolution of {source}.",
            amount = self.words,
            source = self.source,
        ))
    }
}

/// The severity of the gravest level that a share goes beyond.
pub(crate) fn reached(share: f64, levels: Levels<'_>) -> Option<Severity> {
    let beyond = levels.iter().find(|(level, _)| share > *level);
    beyond.map(|(_, severity)| *severity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const LEVELS: Levels<'_> = &[(0.05, Severity::Invalid), (0.01, Severity::Warn)];

    #[test]
    fn one_unit_never_spoils_and_what_goes_beyond_is_weighed() {
        let of = |seen, whole| {
            STOLEN
                .grade(seen, whole, LEVELS)
                .map(|found| found.severity)
        };
        assert_eq!(of(1.0, 1.0), Some(Severity::Info));
        assert_eq!(of(1.0, 20.0), Some(Severity::Info));
        assert_eq!(of(2.0, 16.0), Some(Severity::Invalid));
        assert_eq!(of(2.0, 40.0), Some(Severity::Warn));
        assert_eq!(of(1.0, 200.0), None);
        let told = STOLEN.grade(1.0, 20.0, LEVELS).unwrap();
        assert_eq!(
            told.say("A figure.".to_owned()).text,
            "A figure; up to 1 tick are within the resolution of /proc/stat."
        );
    }

    /// What a source file says, or those of a folder.
    fn source(path: &std::path::Path) -> String {
        let Ok(files) = std::fs::read_dir(path) else {
            return std::fs::read_to_string(path).unwrap();
        };
        files.flatten().map(|file| source(&file.path())).collect()
    }

    #[test]
    fn the_table_of_the_page_is_that_of_the_checks_that_use_it() {
        let page = include_str!("../../../docs/checks.md");
        let rows: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        let known: Vec<String> = RESOLUTIONS
            .iter()
            .map(|r| format!("| `{}` | {} | {} | {} |", r.code, r.source, r.unit, r.words))
            .collect();
        assert_eq!(rows, known);
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/checks");
        let mut users = BTreeSet::new();
        for file in std::fs::read_dir(folder).unwrap().flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            let text = source(&file.path());
            if text.contains("resolution::") {
                users.insert(name.trim_end_matches(".rs").replace('_', "-"));
            }
        }
        let named: BTreeSet<String> = RESOLUTIONS.iter().map(|r| r.code.to_owned()).collect();
        assert_eq!(users, named);
    }
}
