//! What a session chose for the user, and why.

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One choice, as data: whoever shows it writes the sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "choice", rename_all = "snake_case")]
pub enum Choice {
    /// The size of a file that nobody named.
    FileSize {
        /// The size.
        size_bytes: Bytes,
        /// What may be used of the filesystem.
        usable_bytes: Bytes,
    },
    /// What a quick check reads and writes.
    WorkingSet {
        /// Size of the file that is read, and of the one that is written; of the device where that is only read.
        size_bytes: Bytes,
        /// Why it is no larger.
        limit: SizeLimit,
        /// What becomes of the page cache.
        cache: CacheTreatment,
    },
    /// How long each run lasts.
    RunLength {
        /// The time of one run.
        run_ns: Nanos,
    },
    /// Rows without an interval, or with fewer runs than were asked for; those that have runs have a cell all the same.
    Dropped {
        /// The names of their cells.
        rows: Vec<String>,
        /// The runs that an interval takes, or more where more were asked for.
        least_runs: u32,
        /// The time that these take for all dropped rows.
        needed_ns: Nanos,
        /// The budget that would have done.
        budget_ns: Nanos,
    },
    /// Rows that have no interval, since some of the most runs that they might have were left out.
    LeftOut {
        /// The names of their cells.
        rows: Vec<String>,
        /// As many as would do where as many in proportion are left out again.
        enough_runs: u32,
    },
    /// Runs that stood before.
    Continued {
        /// How many of them count.
        runs: u64,
    },
    /// What the machine did not allow, or what a task worked on, in a sentence.
    Note {
        /// The sentence.
        text: String,
    },
    /// A choice for one of several workloads.
    Of {
        /// Its name.
        workload: String,
        /// The choice.
        what: Box<Choice>,
    },
}

impl Choice {
    /// A sentence that has no data of its own.
    pub fn note(text: impl Into<String>) -> Choice {
        Choice::Note { text: text.into() }
    }

    /// The names of the rows of which it says why they have no interval; none for every other choice.
    pub fn rows_without_interval(&self) -> &[String] {
        match self {
            Choice::LeftOut { rows, .. } => rows,
            other => other.dropped_rows(),
        }
    }

    /// The names of the rows for whose interval it says the time did not suffice; none for every other choice.
    pub fn dropped_rows(&self) -> &[String] {
        match self {
            Choice::Dropped { rows, .. } => rows,
            _ => &[],
        }
    }
}

/// What limits the size of a working set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SizeLimit {
    /// All of a device that is only read.
    WholeDevice,
    /// A third of what may be used.
    Space,
    /// What can be laid out in the budget.
    Time,
    /// An eighth of the memory, in which the filesystem lives.
    Memory,
    /// The most that a check of this length uses.
    Length,
    /// The least that is worth measuring.
    Least,
    /// It was asked for.
    AskedFor,
    /// An earlier experiment had it.
    Earlier,
    /// The size of the earlier experiment does not fit.
    EarlierDoesNotFit,
}

/// What becomes of the page cache in a quick check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "treatment", rename_all = "snake_case")]
pub enum CacheTreatment {
    /// The files live in it.
    Memory,
    /// `O_DIRECT` goes past it.
    Direct,
    /// It is dropped before each read, as the files do not outgrow it.
    Dropped {
        /// The size that would outgrow it.
        wanted_bytes: Bytes,
        /// The machine's memory.
        memory_bytes: Bytes,
    },
}
