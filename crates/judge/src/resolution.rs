//! What the sources of the checks can resolve: by how much each moves at once, and how much of it decides nothing.
//!
//! A short run meets few units of a source, and a single one of them, such as the tick of 10 ms in which a processor
//! was taken away for a moment, would be a large share of it. What does not go beyond the least that is certain is
//! *info* and names the resolution. `docs/checks.md` has the table.

use etalon_model::Severity;

use crate::check::Outcome;

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
    &ALONE,
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
];

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

/// A severity, and what is to be said where the resolution holds it down.
pub(crate) struct Graded<'a> {
    pub(crate) severity: Severity,
    held_by: Option<&'a Resolution>,
}

impl Graded<'_> {
    /// The sentence of a finding with what the resolution has to say.
    pub(crate) fn say(&self, sentence: String) -> String {
        match self.held_by {
            None => sentence,
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
            return Some(Graded {
                severity,
                held_by: None,
            });
        }
        reached(seen / whole, levels).map(|_| Graded {
            severity: Severity::Info,
            held_by: Some(self),
        })
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
    pub(crate) fn say(&self, sentence: String) -> String {
        let sentence = sentence.trim_end_matches('.');
        format!(
            "{sentence}; up to {} are within the resolution of {}.",
            self.words, self.source
        )
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
            told.say("A figure.".to_owned()),
            "A figure; up to 1 tick are within the resolution of /proc/stat."
        );
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
            let text = std::fs::read_to_string(file.path()).unwrap();
            if text.contains("resolution::") {
                users.insert(name.trim_end_matches(".rs").replace('_', "-"));
            }
        }
        let named: BTreeSet<String> = RESOLUTIONS.iter().map(|r| r.code.to_owned()).collect();
        assert_eq!(users, named);
    }
}
