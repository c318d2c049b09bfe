//! How an operation is carried out.

use etalon_model::SyncMode;
use etalon_units::Bytes;
use serde::{Deserialize, Serialize};

use super::steps::Steps;
use super::{Access, Advice, FileOp, FileOpError, Fill, Lists, Think, Visits, extent};

/// How files are reached as memory instead of by calls. The calls that an operation is named for
/// (`pread`, `pwrite` and their kin, streams) stay calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Mapped {
    /// What is done within the clock about data that were stored.
    pub write_back: WriteBack,
    /// Whether every other record goes by a call, so that both ways meet in one file.
    pub mixed: bool,
}

/// What becomes of stored data when a pass of writes is over, within the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WriteBack {
    /// The kernel writes them back when it likes.
    #[default]
    Left,
    /// It is asked to, for the whole file (`MS_ASYNC`).
    Asked,
    /// The same, and waited for (`MS_SYNC`).
    Awaited,
}

/// How many records are under way at once, and whose memory they use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Depth {
    /// Records under way, at least 1.
    pub records: usize,
    /// Whether each record is copied between the queue's memory and the worker's.
    pub copied: bool,
}

/// Sizes, flags and what is inside the clock; the same for every file of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Size of each file; what is left beyond whole records is not touched.
    pub size: Bytes,
    /// Size of one record, 1 byte to 1 GiB.
    pub record: Bytes,
    /// Distance of a strided pass, in records.
    pub stride: u64,
    /// Whether the page cache is bypassed (`O_DIRECT`); streams never do.
    pub direct: bool,
    /// Whether files are reached as memory; then neither `direct` nor `sync` holds for what
    /// [`FileOp::may_be_mapped`](super::FileOp::may_be_mapped).
    pub mapped: Option<Mapped>,
    /// Whether several records are under way at once, for what
    /// [`FileOp::may_be_queued`](super::FileOp::may_be_queued).
    pub queue: Option<Depth>,
    /// Whether each write returns only when durable.
    pub sync: SyncMode,
    /// Whether files are read with `O_SYNC` too.
    pub sync_reads: bool,
    /// Whether the closing `fsync` is inside the clock; it is done in any case.
    pub flush_in_clock: bool,
    /// Whether `close` is inside the clock.
    pub close_in_clock: bool,
    /// Size of memory that is filled before each pass to empty the processor's cache.
    pub purge: Option<Bytes>,
    /// Whether reads are interrupted by short reads elsewhere.
    pub jitter: bool,
    /// Whether each record's latency is kept.
    pub latencies: bool,
    /// What the kernel is told about the accesses to come.
    pub advice: Option<Advice>,
    /// Whether a new file is written over the old one instead of in its place.
    pub keep_old: bool,
    /// What records hold, and whether reads are compared with it.
    pub fill: Fill,
    /// Buffers used in turn, at least 1.
    pub buffers: usize,
    /// What is done between records.
    pub think: Think,
    /// What the sequential tests go by instead of records.
    pub lists: Lists,
    /// Whether the file is locked while it is used.
    pub lock: bool,
    /// Whether each record is locked while it is moved; streams do without.
    pub lock_records: bool,
    /// Decides the data and the random orders.
    pub seed: u64,
}

impl Default for Settings {
    /// A file of 512 KiB in records of 4 KiB, through the page cache.
    fn default() -> Self {
        Settings {
            size: Bytes::kib(512),
            record: Bytes::kib(4),
            stride: 17,
            direct: false,
            mapped: None,
            queue: None,
            sync: SyncMode::None,
            sync_reads: false,
            flush_in_clock: false,
            close_in_clock: false,
            purge: None,
            jitter: false,
            latencies: false,
            advice: None,
            keep_old: false,
            fill: Fill::Stamped,
            buffers: 1,
            think: Think::default(),
            lists: Lists::default(),
            lock: false,
            lock_records: false,
            seed: 1,
        }
    }
}

/// The largest record: one buffer of that size is held per worker.
const MAX_RECORD: Bytes = Bytes::gib(1);

/// The most memory of one worker's queue.
const MAX_QUEUE: Bytes = Bytes::gib(1);

impl Settings {
    /// Whole records in the file.
    pub fn records(&self) -> u64 {
        self.size.get() / self.record.get().max(1)
    }

    /// The size of a record in memory.
    ///
    /// # Errors
    /// When a record is empty, too large, or larger than the file.
    pub fn record_length(&self) -> Result<usize, FileOpError> {
        let (record, size) = (self.record, self.size);
        if record == Bytes::ZERO || record > MAX_RECORD {
            return Err(FileOpError::RecordSize {
                record,
                most: MAX_RECORD,
            });
        }
        if record > size {
            return Err(FileOpError::RecordBeyondFile { record, size });
        }
        usize::try_from(record.get()).map_err(|_| FileOpError::RecordSize {
            record,
            most: MAX_RECORD,
        })
    }

    /// The size of the largest record of `op` in memory.
    ///
    /// # Errors
    /// When a record is empty or too large, or larger than the file where no list says its place.
    pub(crate) fn buffer_length(&self, op: FileOp) -> Result<usize, FileOpError> {
        let Some(list) = self.lists.of(op) else {
            return self.record_length();
        };
        let wrong = |access: &&Access| access.length == 0 || access.length > MAX_RECORD.get();
        let longest = list.iter().map(|access| access.length).max();
        match (list.iter().find(wrong), longest) {
            (None, Some(length)) => Ok(length as usize),
            (wrong, _) => Err(FileOpError::RecordSize {
                record: Bytes(wrong.map_or(0, |access| access.length)),
                most: MAX_RECORD,
            }),
        }
    }

    /// The part of the file, from its start, that `op` reaches into.
    pub(crate) fn span(&self, op: FileOp) -> u64 {
        match self.lists.of(op) {
            Some(list) => extent(list),
            None => self.records() * self.record.get(),
        }
    }

    /// What `op` does, step by step; `seed` decides random orders. `record` is the length of a
    /// buffer.
    pub(crate) fn steps(&self, op: FileOp, record: usize, seed: u64) -> Steps {
        match self.lists.of(op) {
            Some(list) => Steps::Listed(Vec::from(list).into_iter()),
            None => Steps::Records {
                visits: Visits::new(op.order(), self.records(), self.stride, seed),
                record,
                delay: self.think.compute,
            },
        }
    }

    /// Whether a queue's memory is within reason.
    pub(crate) fn queue_memory(&self, depth: Depth, record: usize) -> Result<(), FileOpError> {
        let record = Bytes(record as u64);
        let needed = Bytes(record.get().saturating_mul(depth.records as u64));
        if needed > MAX_QUEUE {
            return Err(FileOpError::QueueMemory {
                depth: depth.records,
                record,
                most: MAX_QUEUE,
            });
        }
        Ok(())
    }
}
