//! The operations and what distinguishes them.

use serde::{Deserialize, Serialize};

use super::{Mix, Order};

/// One test over one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileOp {
    /// A new file, written from its start to its end.
    Write,
    /// The same over the file that is there.
    Rewrite,
    /// From the start to the end.
    Read,
    /// The same once more.
    Reread,
    /// Every record once, in random order.
    RandomRead,
    /// Every record once, in random order, over the file that is there.
    RandomWrite,
    /// From the last record to the first.
    BackwardRead,
    /// The first record, again and again.
    RecordRewrite,
    /// Every n-th record, then every n-th from the second on, until each was read once.
    StridedRead,
    /// A new file through a stream of the C library, its buffer as large as a record.
    Fwrite,
    /// The same over the file that is there.
    Frewrite,
    /// From the start to the end through such a stream.
    Fread,
    /// The same once more.
    Freread,
    /// Random reads by some of the workers and random writes by the others; a group may have them
    /// sequential.
    Mixed,
    /// Like [`FileOp::Rewrite`] with `pwrite(2)`.
    Pwrite,
    /// The same once more.
    Repwrite,
    /// Like [`FileOp::Read`] with `pread(2)`.
    Pread,
    /// The same once more.
    Repread,
    /// Like [`FileOp::Pwrite`], the record gathered from several pieces by `pwritev(2)`.
    Pwritev,
    /// The same once more.
    Repwritev,
    /// Like [`FileOp::Pread`], the record scattered into several pieces by `preadv(2)`.
    Preadv,
    /// The same once more.
    Repreadv,
}

/// Which way the data go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the file.
    Read,
    /// To the file.
    Write,
}

impl FileOp {
    /// Every operation, in the order in which they follow one another.
    pub const ALL: [FileOp; 22] = [
        FileOp::Write,
        FileOp::Rewrite,
        FileOp::Read,
        FileOp::Reread,
        FileOp::RandomRead,
        FileOp::RandomWrite,
        FileOp::BackwardRead,
        FileOp::RecordRewrite,
        FileOp::StridedRead,
        FileOp::Fwrite,
        FileOp::Frewrite,
        FileOp::Fread,
        FileOp::Freread,
        FileOp::Mixed,
        FileOp::Pwrite,
        FileOp::Repwrite,
        FileOp::Pread,
        FileOp::Repread,
        FileOp::Pwritev,
        FileOp::Repwritev,
        FileOp::Preadv,
        FileOp::Repreadv,
    ];

    /// Which way the data go; [`FileOp::Mixed`] counts as reading until a worker is told otherwise.
    pub fn direction(self) -> Direction {
        use FileOp::*;
        match self {
            Write | Rewrite | RandomWrite | RecordRewrite | Fwrite | Frewrite | Pwrite
            | Repwrite | Pwritev | Repwritev => Direction::Write,
            Read | Reread | RandomRead | BackwardRead | StridedRead | Fread | Freread | Mixed
            | Pread | Repread | Preadv | Repreadv => Direction::Read,
        }
    }

    /// The order in which it visits the records.
    pub fn order(self) -> Order {
        match self {
            FileOp::RandomRead | FileOp::RandomWrite | FileOp::Mixed => Order::Random,
            FileOp::BackwardRead => Order::Backward,
            FileOp::RecordRewrite => Order::First,
            FileOp::StridedRead => Order::Strided,
            _ => Order::Forward,
        }
    }

    /// Whether it begins with a new, empty file.
    pub fn creates(self) -> bool {
        matches!(self, FileOp::Write | FileOp::Fwrite)
    }

    /// Whether it works through such a stream.
    pub fn is_stream(self) -> bool {
        matches!(
            self,
            FileOp::Fwrite | FileOp::Frewrite | FileOp::Fread | FileOp::Freread
        )
    }

    /// Whether it can work on memory that the file is mapped to; the others are named for a call.
    pub fn may_be_mapped(self) -> bool {
        use FileOp::*;
        matches!(
            self,
            Write
                | Rewrite
                | Read
                | Reread
                | RandomRead
                | RandomWrite
                | BackwardRead
                | RecordRewrite
                | StridedRead
                | Mixed
        )
    }

    /// Whether several of its records can be under way at once: the same that may be mapped.
    pub fn may_be_queued(self) -> bool {
        self.may_be_mapped()
    }

    /// Whether the record goes to the kernel in pieces.
    pub fn is_vectored(self) -> bool {
        matches!(
            self,
            FileOp::Pwritev | FileOp::Repwritev | FileOp::Preadv | FileOp::Repreadv
        )
    }

    /// What worker `index` of `workers` does; every operation but [`FileOp::Mixed`] is the same for all.
    pub fn for_worker(self, (index, workers): (usize, usize), mix: Mix) -> FileOp {
        match self {
            FileOp::Mixed => mix.of_worker(index, workers),
            other => other,
        }
    }
}
