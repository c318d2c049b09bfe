//! How an operation is carried out.

use etalon_model::SyncMode;
use etalon_units::Bytes;
use serde::{Deserialize, Serialize};

use super::{Advice, Depth, FileOpError, Mapped};

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
    /// The byte that every record holds and that reads are compared with.
    pub verify: Option<u8>,
    /// Buffers used in turn, at least 1.
    pub buffers: usize,
    /// Whether the file is locked while it is used.
    pub lock: bool,
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
            verify: None,
            buffers: 1,
            lock: false,
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

    /// Whether a queue's memory is within reason.
    pub(crate) fn queue_memory(&self, depth: Depth) -> Result<(), FileOpError> {
        let needed = Bytes(self.record.get().saturating_mul(depth.records as u64));
        if needed > MAX_QUEUE {
            return Err(FileOpError::QueueMemory {
                depth: depth.records,
                record: self.record,
                most: MAX_QUEUE,
            });
        }
        Ok(())
    }
}
