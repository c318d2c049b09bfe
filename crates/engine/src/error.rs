//! What can go wrong before and outside the timed part.

use std::path::PathBuf;

use etalon_model::{Backend, BlockSizesError, Operation};
use etalon_units::Bytes;

/// Why a workload cannot be done to a target. Nothing was touched.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A number is outside its range.
    #[error("{field} is {value}; it must be {range}")]
    OutOfRange {
        /// The field of the workload.
        field: &'static str,
        /// What was given.
        value: String,
        /// The accepted range, in words.
        range: &'static str,
    },
    /// Block sizes that make no workload.
    #[error(transparent)]
    BlockSizes(#[from] BlockSizesError),
    /// A file or used range too small for one block.
    #[error(
        "a block of {block} does not fit into the used range of {range}; make the range larger or the block smaller"
    )]
    BlockTooLarge {
        /// Size of one block.
        block: Bytes,
        /// Size of the range.
        range: Bytes,
    },
    /// Offset and range reach past the end of the file.
    #[error("offset {offset} plus range {range} reaches past the end of the file of {size}")]
    PastTheEnd {
        /// Where the used range starts.
        offset: Bytes,
        /// Its length.
        range: Bytes,
        /// The file's size.
        size: Bytes,
    },
    /// Fewer blocks than jobs that share them.
    #[error(
        "{jobs} jobs cannot share {blocks} blocks; use fewer jobs, smaller blocks or a larger range"
    )]
    TooFewBlocks {
        /// Blocks in the used range.
        blocks: u64,
        /// Jobs.
        jobs: u32,
    },
    /// The size of the files is not known.
    #[error(
        "the file size is not given and there is no file to take it from; give one, for example 1g"
    )]
    SizeNeeded,
    /// The file to read is empty.
    #[error("{} is empty, so there is nothing to read", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Two options that exclude each other.
    #[error("{one} does not go with {other}")]
    Conflict {
        /// One option.
        one: &'static str,
        /// The other.
        other: String,
    },
    /// `O_DIRECT` wants other boundaries.
    #[error("O_DIRECT on {} needs {field} to be a multiple of {unit} bytes, and it is {value}; change it, or go through the page cache (--buffered)", path.display())]
    NotAligned {
        /// The target.
        path: PathBuf,
        /// `block size`, `offset` or `file size`.
        field: &'static str,
        /// What was given.
        value: u64,
        /// The unit in bytes.
        unit: u64,
    },
    /// Buffers would take too much memory.
    #[error(
        "{jobs} jobs times depth {depth} times {block} make {total} of buffers; the limit is {limit}, half of the memory that this process may take"
    )]
    TooMuchMemory {
        /// Jobs.
        jobs: u32,
        /// Queue depth.
        depth: u32,
        /// Block size.
        block: Bytes,
        /// Their product.
        total: Bytes,
        /// The most that is allowed: half of the machine's memory, or of what a control group allows of it.
        limit: Bytes,
    },
    /// Too few huge pages for the buffers.
    #[error("the buffers need huge pages of {size}: {needed}, and {free} are free: /proc/sys/vm/nr_hugepages is {total}; as root write {} or more to it, or leave --huge-pages out", total + needed - free)]
    HugePages {
        /// Pages needed.
        needed: u64,
        /// Size of one.
        size: Bytes,
        /// Pages that nothing uses.
        free: u64,
        /// All of them.
        total: u64,
    },
    /// Processors that this process may not use.
    #[error(
        "processor {processor} is not among those that this process may use: {allowed}; name some of these"
    )]
    Processor {
        /// What was given.
        processor: u32,
        /// What would be accepted.
        allowed: String,
    },
    /// A NUMA node that cannot be bound to.
    #[error("NUMA node {node}: {reason}")]
    NumaNode {
        /// What was given.
        node: u32,
        /// Why, and what to do.
        reason: String,
    },
    /// `RLIMIT_NOFILE` is too low and cannot be raised.
    #[error(
        "the run needs {needed} open files and the hard limit is {limit} (ulimit -Hn); raise it or use fewer jobs"
    )]
    TooFewDescriptors {
        /// Descriptors needed.
        needed: u64,
        /// The hard limit.
        limit: u64,
    },
    /// The target cannot take this operation at all.
    #[error("'{operation}' cannot be done to {}: {reason}", path.display())]
    NotForTarget {
        /// The operation.
        operation: Operation,
        /// The target.
        path: PathBuf,
        /// Why, and what to use instead.
        reason: &'static str,
    },
    /// The target is not what it was said to be.
    #[error("{} is not a {expected}", path.display())]
    WrongKind {
        /// The target.
        path: PathBuf,
        /// `directory`, `regular file` or `block device`.
        expected: &'static str,
    },
    /// The kernel would not let the target be looked at.
    #[error("cannot {action} {}: {source}", path.display())]
    Access {
        /// What was tried, for example `open`.
        action: &'static str,
        /// The target.
        path: PathBuf,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// Comparing data needs a generation per block, and there are too many.
    #[error(
        "verification keeps 4 bytes per block, and {blocks} blocks are more than {limit}; verify a smaller range or larger blocks"
    )]
    TooManyToVerify {
        /// Blocks in the range.
        blocks: u64,
        /// The most that is kept.
        limit: u64,
    },
    /// The backend cannot do the operation.
    #[error("the {backend} backend cannot do '{operation}'; use {instead}")]
    NotForBackend {
        /// The backend.
        backend: Backend,
        /// The operation.
        operation: Operation,
        /// Backends that can.
        instead: &'static str,
    },
}

/// Why preparing or running failed outside the timed part.
///
/// What fails inside it is no error but an end: see
/// [`Ended`](etalon_model::Ended).
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Not enough space for the files.
    #[error("the files need {needed} more in {}, where {available} may be used, a tenth of the filesystem kept free; use a smaller file size or another target", path.display())]
    NoSpace {
        /// The directory.
        path: PathBuf,
        /// What is still to be written.
        needed: Bytes,
        /// What may be used.
        available: Bytes,
    },
    /// The disk filled up while files were laid out; what was written has been removed.
    #[error("no space left while laying out {} after {written} of {size}", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// What had been written.
        written: Bytes,
        /// What was to be written.
        size: Bytes,
    },
    /// Asked to stop; unfinished files have been removed.
    #[error("stopped before the run began")]
    Stopped,
    /// A system call failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, for example `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// A thread could not be started.
    #[error("cannot start thread {job} of {jobs}: {source}")]
    Thread {
        /// The job's number, from 0.
        job: u32,
        /// Jobs in all.
        jobs: u32,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// The kernel refused the processors or the memory that a job was to have.
    #[error("cannot bind job {job} to its processors or NUMA node: {source}")]
    Affinity {
        /// The job's number, from 0.
        job: u32,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// The huge pages that were free a moment ago are gone.
    #[error(
        "cannot get the huge pages of job {job}: {source}; write a larger number to /proc/sys/vm/nr_hugepages"
    )]
    HugePages {
        /// The job's number, from 0.
        job: u32,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// A job ended in a defect of this program.
    #[error("job {job} ended by a defect in the engine; please report it with the workload")]
    Defect {
        /// The job's number, from 0.
        job: u32,
    },
}
