//! What an I/O run does, operation by operation.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An operation of the engine, as `--op` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Read from the start to the end.
    Read,
    /// Write from the start to the end.
    Write,
    /// Read and write from the start to the end, in the proportion of `read_percent`.
    Rw,
    /// Read at random offsets.
    RandRead,
    /// Write at random offsets.
    RandWrite,
    /// Read and write at random offsets, in the proportion of `read_percent`.
    RandRw,
    /// Read from the end to the start.
    BackRead,
    /// Write from the end to the start.
    BackWrite,
    /// Read every n-th block, then the blocks between, by `stride`.
    StrideRead,
    /// Write every n-th block, then the blocks between, by `stride`.
    StrideWrite,
    /// Tell a block device from the start to the end that its blocks are free (discard).
    Trim,
    /// Tell it that at random offsets.
    RandTrim,
    /// Tell it of each block from the start to the end that it is free, and write the block right after.
    TrimWrite,
    /// The same at random offsets.
    RandTrimWrite,
}

/// In which order the blocks of a file are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// From the start to the end.
    Sequential,
    /// From the end to the start.
    Backward,
    /// Every n-th block, then the blocks between.
    Strided,
    /// By the workload's random distribution.
    Random,
}

/// A text that names no operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an operation; the operations are {names}", names = Operation::names())]
pub struct UnknownOperation(pub String);

impl Operation {
    /// Every operation of the engine, in the order of the help text.
    pub const ALL: [Operation; 14] = [
        Operation::Read,
        Operation::Write,
        Operation::Rw,
        Operation::RandRead,
        Operation::RandWrite,
        Operation::RandRw,
        Operation::BackRead,
        Operation::BackWrite,
        Operation::StrideRead,
        Operation::StrideWrite,
        Operation::Trim,
        Operation::RandTrim,
        Operation::TrimWrite,
        Operation::RandTrimWrite,
    ];

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Read => "read",
            Operation::Write => "write",
            Operation::Rw => "rw",
            Operation::RandRead => "randread",
            Operation::RandWrite => "randwrite",
            Operation::RandRw => "randrw",
            Operation::BackRead => "backread",
            Operation::BackWrite => "backwrite",
            Operation::StrideRead => "strideread",
            Operation::StrideWrite => "stridewrite",
            Operation::Trim => "trim",
            Operation::RandTrim => "randtrim",
            Operation::TrimWrite => "trimwrite",
            Operation::RandTrimWrite => "randtrimwrite",
        }
    }

    /// In which order the blocks are visited.
    pub const fn order(self) -> Order {
        match self {
            Operation::Read
            | Operation::Write
            | Operation::Rw
            | Operation::Trim
            | Operation::TrimWrite => Order::Sequential,
            Operation::RandRead
            | Operation::RandWrite
            | Operation::RandRw
            | Operation::RandTrim
            | Operation::RandTrimWrite => Order::Random,
            Operation::BackRead | Operation::BackWrite => Order::Backward,
            Operation::StrideRead | Operation::StrideWrite => Order::Strided,
        }
    }

    /// True when data is read.
    pub const fn reads(self) -> bool {
        matches!(
            self,
            Operation::Read
                | Operation::Rw
                | Operation::RandRead
                | Operation::RandRw
                | Operation::BackRead
                | Operation::StrideRead
        )
    }

    /// True when data is written.
    pub const fn writes(self) -> bool {
        self.changes() && !matches!(self, Operation::Trim | Operation::RandTrim)
    }

    /// True when blocks are told to be free, which moves nothing.
    pub const fn trims(self) -> bool {
        matches!(self, Operation::Trim | Operation::RandTrim) || self.is_paired()
    }

    /// True when each block is trimmed and then written: two operations.
    pub const fn is_paired(self) -> bool {
        matches!(self, Operation::TrimWrite | Operation::RandTrimWrite)
    }

    /// True when what lies on the target is not what it was: data is written, or gone.
    pub const fn changes(self) -> bool {
        !self.reads() || self.is_mixed()
    }

    /// True when reads and writes are mixed by a percentage.
    pub const fn is_mixed(self) -> bool {
        matches!(self, Operation::Rw | Operation::RandRw)
    }

    /// All names, separated by commas.
    pub fn names() -> String {
        Operation::ALL.map(Operation::name).join(", ")
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Operation {
    type Err = UnknownOperation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Operation::ALL
            .into_iter()
            .find(|op| op.name() == text)
            .ok_or_else(|| UnknownOperation(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_reads_back_by_its_name() {
        for op in Operation::ALL {
            assert_eq!(op.name().parse(), Ok(op));
            let json = serde_json::to_string(&op).unwrap();
            assert_eq!(json, format!("\"{}\"", op.name()));
        }
        let error = "randmread".parse::<Operation>().unwrap_err().to_string();
        assert!(error.contains("'randmread'") && error.contains("randread"));
    }

    #[test]
    fn an_operation_reads_or_writes_and_a_mixed_one_does_both() {
        for op in Operation::ALL {
            assert!(op.reads() || op.writes() || op.trims(), "{op}");
            assert_eq!(op.reads() && op.writes(), op.is_mixed(), "{op}");
            assert_eq!(op.changes(), op.writes() || op.trims(), "{op}");
            assert_eq!(op.is_paired(), op.writes() && op.trims(), "{op}");
        }
    }
}
