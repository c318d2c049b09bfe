//! A figure that a benchmark program printed.

use schemars::JsonSchema;
use serde::Serialize;

/// The programs whose output is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// GNU dd.
    Dd,
    /// hdparm -t, -T.
    Hdparm,
    /// iozone.
    Iozone,
    /// fio.
    Fio,
    /// etalon, in the form of fio's JSON.
    Etalon,
    /// bonnie++.
    Bonnie,
    /// sysbench.
    Sysbench,
    /// fdtree.
    Fdtree,
    /// elbencho.
    Elbencho,
    /// The Phoronix Test Suite.
    Phoronix,
    /// sar -d.
    Sar,
    /// iostat.
    Iostat,
}

impl Tool {
    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Tool::Dd => "dd",
            Tool::Hdparm => "hdparm",
            Tool::Iozone => "iozone",
            Tool::Fio => "fio",
            Tool::Etalon => "etalon",
            Tool::Bonnie => "bonnie++",
            Tool::Sysbench => "sysbench",
            Tool::Fdtree => "fdtree",
            Tool::Elbencho => "elbencho",
            Tool::Phoronix => "Phoronix Test Suite",
            Tool::Sar => "sar",
            Tool::Iostat => "iostat",
        }
    }
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Sequential reads.
    Read,
    /// Sequential writes.
    Write,
    /// Random reads.
    RandomRead,
    /// Random writes.
    RandomWrite,
    /// A file to another.
    Copy,
    /// Reads that the page cache serves on purpose.
    CachedRead,
    /// Operations on names, transactions, and what else is no transfer.
    Other,
}

impl Action {
    /// A transfer of one kind.
    pub(crate) fn transfer(random: bool, write: bool) -> Action {
        match (random, write) {
            (true, true) => Action::RandomWrite,
            (true, false) => Action::RandomRead,
            (false, true) => Action::Write,
            (false, false) => Action::Read,
        }
    }

    /// Whether data is written.
    pub fn writes(self) -> bool {
        matches!(self, Action::Write | Action::RandomWrite | Action::Copy)
    }

    /// Whether data is read from where it should be.
    pub fn reads(self) -> bool {
        matches!(self, Action::Read | Action::RandomRead)
    }
}

/// A figure that a benchmark program printed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Figure {
    /// The program.
    pub tool: Tool,
    /// Its line in the page, from 1.
    pub line: usize,
    /// What was done.
    pub action: Action,
    /// What the program calls it.
    pub label: String,
    /// Bytes a second, where it is a transfer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
    /// Operations a second, where they are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operations_per_second: Option<f64>,
    /// Seconds that it took, where they are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Bytes moved, where they are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<f64>,
    /// Size of the file, or of each of several, where it is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<f64>,
    /// Files of that size that all jobs work on together, where they are told; else it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u32>,
    /// Bytes an operation, where they are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<f64>,
    /// Whether the page cache was bypassed; none where the text does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct: Option<bool>,
    /// Whether what was written was made durable within the time; none where the text does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub durable: Option<bool>,
    /// Whether the page cache was emptied of what is read before; none where the text does not tell.
    #[serde(skip)]
    pub cold: Option<bool>,
    /// The disk or file, where it is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The line of the command that made it, from 1, where it stands in the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_line: Option<usize>,
    /// The line of the words above it that tell what it is of, where no command stands.
    #[serde(skip)]
    pub heading: Option<usize>,
    /// The figure as it is printed.
    pub quoted: String,
    /// Why it is invalid, by the codes of etalon's findings; none of what etalon did not measure, or does not call that.
    #[serde(skip)]
    pub invalid: Option<Vec<String>>,
}

impl Figure {
    /// One of which only that is known.
    pub fn new(tool: Tool, line: usize, action: Action, label: &str) -> Figure {
        Figure {
            tool,
            line,
            action,
            label: label.to_owned(),
            bytes_per_second: None,
            operations_per_second: None,
            seconds: None,
            bytes: None,
            file_bytes: None,
            files: None,
            block_bytes: None,
            direct: None,
            durable: None,
            cold: None,
            place: None,
            command_line: None,
            heading: None,
            quoted: String::new(),
            invalid: None,
        }
    }

    /// The size of what was worked on: all files together, or else the bytes moved.
    pub fn size(&self) -> Option<f64> {
        let files = f64::from(self.files.unwrap_or(1));
        self.file_bytes.map(|bytes| bytes * files).or(self.bytes)
    }

    /// What has to be alike for two figures to be runs of one measurement.
    pub fn kind(&self) -> impl Ord + use<> {
        // hdparm reads for three seconds, however much that is.
        let size = self.size().filter(|_| self.tool != Tool::Hdparm);
        let whole = |value: Option<f64>| value.map(|v| v.round() as u64);
        let what = (self.tool, self.action, self.label.clone(), self.direct);
        let on = (whole(size), whole(self.block_bytes), self.place.clone());
        (what, on, self.heading)
    }
}
