//! What a pass does, step by step.

use etalon_units::Nanos;
use serde::{Deserialize, Serialize};

use super::{FileOp, Visits};

/// One read or write of a list that says where each goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Where it begins in the file.
    pub offset: u64,
    /// Its bytes, 1 byte to 1 GiB.
    pub length: u64,
    /// Computing before it.
    pub delay: Nanos,
}

impl Access {
    /// The first byte behind it.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}

/// Lists of accesses that take the place of whole records in the sequential tests.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lists {
    /// For write, rewrite, pwrite and again.
    pub writes: Option<Vec<Access>>,
    /// For read, reread, pread and again.
    pub reads: Option<Vec<Access>>,
}

impl Lists {
    /// What `op` goes by, if it goes by a list.
    pub fn of(&self, op: FileOp) -> Option<&[Access]> {
        use FileOp::*;
        match op {
            Write | Rewrite | Pwrite | Repwrite => self.writes.as_deref(),
            Read | Reread | Pread | Repread => self.reads.as_deref(),
            _ => None,
        }
    }
}

/// The first byte behind all of `list`.
pub fn extent(list: &[Access]) -> u64 {
    list.iter().map(Access::end).max().unwrap_or(0)
}

/// One read or write of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PassAccess {
    /// Where it begins in the file.
    pub(crate) offset: u64,
    /// Its bytes, no more than a buffer holds.
    pub(crate) length: usize,
    /// Computing before it.
    pub(crate) delay: Nanos,
}

impl PassAccess {
    /// The `visited`-th record of `length` bytes.
    #[inline]
    pub(crate) fn record(visited: u64, length: usize, delay: Nanos) -> PassAccess {
        PassAccess {
            offset: visited * length as u64,
            length,
            delay,
        }
    }
}

impl From<Access> for PassAccess {
    #[inline]
    fn from(access: Access) -> PassAccess {
        PassAccess {
            offset: access.offset,
            length: access.length as usize,
            delay: access.delay,
        }
    }
}

/// The steps of one pass, in their order.
#[derive(Debug, Clone)]
pub(crate) enum Steps {
    /// Whole records, the same computing before each.
    Records {
        visits: Visits,
        record: usize,
        delay: Nanos,
    },
    /// As a list has them.
    Listed(std::vec::IntoIter<Access>),
}

impl Default for Steps {
    /// None.
    fn default() -> Self {
        Steps::Listed(Vec::new().into_iter())
    }
}

impl Iterator for Steps {
    type Item = PassAccess;

    #[inline]
    fn next(&mut self) -> Option<PassAccess> {
        match self {
            Steps::Records {
                visits,
                record,
                delay,
            } => {
                let visited = visits.next()?;
                Some(PassAccess::record(visited, *record, *delay))
            }
            Steps::Listed(list) => list.next().map(PassAccess::from),
        }
    }
}
