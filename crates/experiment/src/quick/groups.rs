//! What a quick check does: its workloads, in the groups that must run together.

use etalon_model::{
    Arrival, Backend, Distribution, End, FsyncPolicy, IoWorkload, Operation, Run, SyncMode,
};
use etalon_units::{ByteRate, Bytes, Nanos};
use etalon_workload::metadata::{Durability, MetadataError, MetadataOperation, MetadataWorkload};

use super::sizing::Sizes;
use super::{FileSize, SizeSource};

/// Operations in flight of the deep random workloads.
const DEEP: u32 = 32;
/// Operations in flight of the streams: enough that the device is never idle between two.
pub(crate) const STREAM_DEPTH: u32 = 8;
/// Share of a run that may pass until what is in flight at its end is answered.
const IN_FLIGHT: f64 = 0.5;
/// The cell of the stream that is read.
const STREAM_READ: &str = "streaming read";
/// Block size of the streams.
const STREAM_BLOCK: Bytes = Bytes::mib(1);
/// Block size of the random workloads: a page of memory and the block of most filesystems.
const RANDOM_BLOCK: Bytes = Bytes::kib(4);
/// Share of a run cut as warm-up.
const WARM_UP: u64 = 10;

/// Which of the private directories a workload uses; each kind has files of its own, so that
/// writes do not rearrange what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PrivateDirectory {
    Read,
    Write,
    /// What is written from start to end makes its file anew. In one of its own it cuts none that
    /// random writes would have to lay out again.
    Stream,
    Names,
    /// One block, whose durable write waits for all that was written before.
    Debt,
}

/// One workload of the check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuickStep {
    pub name: String,
    pub place: PrivateDirectory,
    pub workload: IoWorkload,
}

/// What one pass measures; groups are what the order shuffles.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Group {
    /// One workload of the engine.
    Io(Box<QuickStep>),
    /// The same files created, looked up and removed, or created with an fsync of each: a cell for each
    /// operation.
    Names(MetadataWorkload),
}

/// The cells of operations that memory may take.
const NAMES: [(MetadataOperation, &str); 3] = [
    (MetadataOperation::Create, "create files"),
    (MetadataOperation::Stat, "stat files"),
    (MetadataOperation::Unlink, "remove files"),
];

/// The cell of files of which each is durable before the next is created.
pub(crate) const DURABLE: &str = "create files with fsync";

/// The same with its operation.
const DURABLE_NAMES: [(MetadataOperation, &str); 1] = [(MetadataOperation::Create, DURABLE)];

/// The operations of a workload on names that have a cell, each with its name.
pub(crate) fn cells_of_names(
    names: &MetadataWorkload,
) -> &'static [(MetadataOperation, &'static str)] {
    match names.durability {
        Durability::Each => &DURABLE_NAMES,
        Durability::Never | Durability::Phase => &NAMES,
    }
}

impl Group {
    /// The cells that a pass gives a run each, in the order of the table.
    pub(crate) fn cells(&self) -> Vec<&str> {
        match self {
            Group::Io(step) => vec![&step.name],
            Group::Names(names) => {
                let cells = cells_of_names(names).iter();
                cells.map(|(_, cell)| *cell).collect()
            }
        }
    }

    /// The workload of the engine, where it is one.
    pub(crate) fn step(&self) -> Option<&QuickStep> {
        match self {
            Group::Io(step) => Some(step),
            Group::Names(_) => None,
        }
    }
}

/// What the target allows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Means {
    /// `O_DIRECT` works.
    pub direct: bool,
    /// `io_uring` works.
    pub io_uring: bool,
    /// The target may be written.
    pub writable: bool,
    /// There is room for a third file, which streams make anew each time.
    pub third_file: bool,
    /// Operations in flight that the target answers in good time when each is of a stream.
    pub stream_depth: u32,
    /// Files of one metadata pass; `None` where too few inodes are free for one.
    pub files: Option<u64>,
    /// Files of a pass that makes each of them durable; `None` where there is no time for one.
    pub durable_files: Option<u64>,
}

/// Length of a block in units of a full-length run: each data workload counts one, the three
/// metadata passes together another.
pub(crate) fn runs_per_block(means: &Means) -> f64 {
    if means.writable { 7.0 } else { 3.0 }
}

/// How many operations of a stream may be in flight where the target writes at `rate`: what is so slow
/// that a few fill it would answer the last of many long after the run has ended.
pub(crate) fn stream_depth(rate: ByteRate, run: Nanos) -> u32 {
    let answered = rate.0 * run.as_secs_f64() * IN_FLIGHT / STREAM_BLOCK.as_f64();
    (answered as u32).clamp(1, STREAM_DEPTH)
}

/// Operations in flight of a run that reads a stream.
pub(crate) fn stream_depth_of(run: &Run) -> Option<u32> {
    let io = run.workload.io().filter(|_| run.cell == STREAM_READ)?;
    Some(io.queue_depth.max(1))
}

/// The depth of streams where files of `size` are taken: that of a check that is followed, which what is slower than
/// its target may go below.
pub(crate) fn depth_like(given: Option<&FileSize>, size: Bytes, own: u32) -> u32 {
    let followed = given.filter(|given| given.size == size);
    let depth = followed.and_then(|given| Some((given.like.stream_depth?, given.source)));
    match depth {
        Some((depth, SizeSource::OtherTarget)) => depth.min(own),
        Some((depth, _)) => depth.clamp(1, STREAM_DEPTH),
        None => own,
    }
}

/// The depth of streams of a device, whose size is its own: that of an experiment that was named.
pub(crate) fn depth_of_device_like(given: &FileSize, own: u32) -> u32 {
    match (given.source, given.like.stream_depth) {
        (SizeSource::Experiment, Some(depth)) => depth.clamp(1, STREAM_DEPTH),
        _ => own,
    }
}

/// The place of each group in the order of importance: sequential read, random read one at a time,
/// random write one at a time, sequential write, random read and write in depth, operations on names, durable
/// ones.
const IMPORTANCE: [usize; 8] = [0, 1, 4, 3, 2, 5, 6, 7];

/// How important the group at `at` is where there is no time for all; 0 is the most important.
pub(crate) fn importance(at: usize) -> usize {
    IMPORTANCE.get(at).copied().unwrap_or(IMPORTANCE.len())
}

/// The groups of one block.
///
/// # Errors
/// When the number of files cannot be worked on.
pub(crate) fn groups(sizes: &Sizes, means: &Means, seed: u64) -> Result<Vec<Group>, MetadataError> {
    let base = IoWorkload {
        direct: means.direct,
        file_size: sizes.file,
        end: End::Time(sizes.run),
        warm_up: Nanos(sizes.run.get() / WARM_UP),
        arrival: Arrival::Closed,
        distribution: Distribution::Permutation,
        seed,
        ..IoWorkload::default()
    };
    let mut steps = vec![
        stream_read(&base, means),
        random(&base, means, Operation::RandRead, 1),
        random(&base, means, Operation::RandRead, DEEP),
    ];
    if means.writable {
        steps.push(stream_write(&base, sizes, means));
        steps.push(random(&base, means, Operation::RandWrite, 1));
        steps.push(random(&base, means, Operation::RandWrite, DEEP));
    }
    let io = |step| Group::Io(Box::new(step));
    let mut groups: Vec<Group> = steps.into_iter().map(io).collect();
    if let Some(files) = means.files.filter(|_| means.writable) {
        let names = MetadataWorkload::life_of_files(files, seed)?;
        groups.push(Group::Names(names));
    }
    if let Some(files) = means.durable_files.filter(|_| means.writable) {
        groups.push(Group::Names(durable_files(files, seed)?));
    }
    Ok(groups)
}

/// So many files, of which each is durable before the next is created.
///
/// # Errors
/// When the number of files cannot be worked on.
pub(crate) fn durable_files(files: u64, seed: u64) -> Result<MetadataWorkload, MetadataError> {
    let create = MetadataWorkload::of_one(MetadataOperation::Create, files, 1, seed)?;
    Ok(MetadataWorkload {
        durability: Durability::Each,
        ..create
    })
}

/// Does what earlier runs of the same cells did, for as long as is planned now: a pilot that finds another
/// rate changes nothing of what is measured.
pub(crate) fn as_before(groups: &mut [Group], earlier: &[Run]) {
    for group in groups {
        let Group::Io(step) = group else { continue };
        let same = earlier.iter().rev().find(|run| run.cell == step.name);
        if let Some(workload) = same.and_then(|run| run.workload.io()) {
            step.workload = IoWorkload {
                end: step.workload.end,
                warm_up: step.workload.warm_up,
                seed: step.workload.seed,
                ..workload.clone()
            };
        }
    }
}

fn stream_read(base: &IoWorkload, means: &Means) -> QuickStep {
    step(
        STREAM_READ,
        PrivateDirectory::Read,
        stream(base, means, Operation::Read),
    )
}

/// Through the page cache the length is bounded in bytes: what a time limit alone would leave in
/// memory, the closing fsync might take minutes to write out.
fn stream_write(base: &IoWorkload, sizes: &Sizes, means: &Means) -> QuickStep {
    let workload = IoWorkload {
        end: if means.direct {
            base.end
        } else {
            End::Bytes(sizes.stream)
        },
        warm_up: Nanos::ZERO,
        fsync: FsyncPolicy::End,
        ..stream(base, means, Operation::Write)
    };
    let place = if means.third_file {
        PrivateDirectory::Stream
    } else {
        PrivateDirectory::Write
    };
    step("streaming write", place, workload)
}

/// Through the page cache, readahead and writeback keep the device busy, so one at a time is
/// enough.
fn stream(base: &IoWorkload, means: &Means, operation: Operation) -> IoWorkload {
    let deep = means.direct && means.io_uring && means.stream_depth > 1;
    IoWorkload {
        operation,
        block_size: STREAM_BLOCK.into(),
        queue_depth: if deep { means.stream_depth } else { 1 },
        backend: if deep {
            Backend::IoUring
        } else {
            Backend::Sync
        },
        ..base.clone()
    }
}

/// Without io_uring, as many threads as the depth asks for share the file. Writes through the page
/// cache are made durable one by one, because their memory could not be emptied within the run.
fn random(base: &IoWorkload, means: &Means, operation: Operation, depth: u32) -> QuickStep {
    let ring = depth > 1 && means.io_uring;
    let threads = depth > 1 && !means.io_uring;
    let write = operation.writes();
    let workload = IoWorkload {
        operation,
        block_size: RANDOM_BLOCK.into(),
        queue_depth: if ring { depth } else { 1 },
        backend: if ring {
            Backend::IoUring
        } else {
            Backend::Sync
        },
        jobs: if threads { depth } else { 1 },
        layout: if threads {
            etalon_model::FileLayout::Shared
        } else {
            base.layout
        },
        sync: if write && !means.direct {
            SyncMode::DSync
        } else {
            SyncMode::None
        },
        fsync: if write {
            FsyncPolicy::End
        } else {
            FsyncPolicy::Never
        },
        ..base.clone()
    };
    let (verb, place) = if write {
        ("write", PrivateDirectory::Write)
    } else {
        ("read", PrivateDirectory::Read)
    };
    step(
        &format!("random {verb} 4 KiB, depth {depth}"),
        place,
        workload,
    )
}

fn step(name: &str, place: PrivateDirectory, workload: IoWorkload) -> QuickStep {
    QuickStep {
        name: name.to_owned(),
        place,
        workload,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Likeness;
    use super::*;

    fn sizes() -> Sizes {
        Sizes {
            file: Bytes::gib(1),
            run: Nanos::secs(1),
            blocks: 8,
            stream: Bytes::mib(400),
            reasons: Vec::new(),
        }
    }

    fn means() -> Means {
        Means {
            direct: true,
            io_uring: true,
            writable: true,
            third_file: true,
            stream_depth: STREAM_DEPTH,
            files: Some(1000),
            durable_files: None,
        }
    }

    fn steps_of(means: &Means) -> Vec<QuickStep> {
        let groups = groups(&sizes(), means, 1).unwrap();
        groups.iter().filter_map(Group::step).cloned().collect()
    }

    #[test]
    fn a_writable_target_gets_nine_figures_and_a_readable_one_three() {
        let all = groups(&sizes(), &means(), 1).unwrap();
        let cells: Vec<&str> = all.iter().flat_map(Group::cells).collect();
        assert_eq!(cells.len(), 9);
        assert_eq!(cells[6..], ["create files", "stat files", "remove files"]);
        let read_only = Means {
            writable: false,
            ..means()
        };
        let all = groups(&sizes(), &read_only, 1).unwrap();
        assert_eq!(all.len(), 3);
        let reads = steps_of(&read_only);
        assert_eq!(reads.len(), 3);
        assert!(reads.iter().all(|step| !step.workload.operation.writes()));
    }

    #[test]
    fn durable_creations_are_the_last_row_and_the_least_important() {
        let durable = Means {
            durable_files: Some(200),
            ..means()
        };
        let all = groups(&sizes(), &durable, 1).unwrap();
        let Some((at, Group::Names(names))) = all.iter().enumerate().next_back() else {
            panic!("{all:?}");
        };
        assert_eq!(all[at].cells(), [DURABLE]);
        assert_eq!(
            (names.durability, names.total_files()),
            (Durability::Each, 200)
        );
        let before = (0..at).map(importance).max().unwrap();
        assert!(importance(at) > before);
        let read_only = Means {
            writable: false,
            ..durable
        };
        assert_eq!(groups(&sizes(), &read_only, 1).unwrap().len(), 3);
    }

    #[test]
    fn every_write_is_durable_within_its_clock() {
        for step in steps_of(&means()) {
            if step.workload.operation.writes() {
                assert_eq!(step.workload.fsync, FsyncPolicy::End, "{}", step.name);
            }
        }
    }

    #[test]
    fn a_stream_makes_its_own_file_anew_where_there_is_room() {
        let place_of = |third_file| {
            let steps = steps_of(&Means {
                third_file,
                ..means()
            });
            let stream = steps
                .into_iter()
                .find(|step| step.name == "streaming write");
            stream.unwrap().place
        };
        assert_eq!(place_of(true), PrivateDirectory::Stream);
        assert_eq!(place_of(false), PrivateDirectory::Write);
    }

    #[test]
    fn what_is_slow_gets_fewer_operations_of_a_stream_in_flight() {
        let depth = |rate| stream_depth(ByteRate(rate), Nanos::millis(800));
        assert_eq!((depth(2e6), depth(10e6), depth(100e6)), (1, 3, 8));
        let slow = steps_of(&Means {
            stream_depth: 1,
            ..means()
        });
        let streams = slow
            .iter()
            .filter(|step| step.name.starts_with("streaming"));
        for step in streams {
            assert_eq!(
                (step.workload.queue_depth, step.workload.backend),
                (1, Backend::Sync)
            );
        }
    }

    #[test]
    fn streams_are_as_deep_as_those_of_the_check_that_is_followed() {
        let given = |source, depth| FileSize {
            size: Bytes::mib(4),
            source,
            like: Likeness {
                stream_depth: Some(depth),
                ..Likeness::default()
            },
        };
        let (named, other) = (SizeSource::Experiment, SizeSource::OtherTarget);
        let taken = |given: &FileSize, own| depth_like(Some(given), Bytes::mib(4), own);
        assert_eq!(taken(&given(named, 1), 8), 1);
        assert_eq!(taken(&given(named, 8), 2), 8);
        // What is too slow for the depth of another target keeps its own.
        assert_eq!(taken(&given(other, 1), 8), 1);
        assert_eq!(taken(&given(other, 8), 2), 2);
        // A device has no files that could be as large.
        assert_eq!(depth_of_device_like(&given(named, 1), 8), 1);
        assert_eq!(depth_of_device_like(&given(other, 1), 8), 8);
        // Where the size was not taken, nothing else is.
        assert_eq!(depth_like(Some(&given(named, 1)), Bytes::mib(1), 8), 8);
        assert_eq!(depth_like(None, Bytes::mib(1), 8), 8);
    }

    #[test]
    fn without_io_uring_threads_keep_the_depth() {
        let plain = Means {
            io_uring: false,
            ..means()
        };
        let steps = steps_of(&plain);
        let is_deep = |step: &&QuickStep| step.name.ends_with("read 4 KiB, depth 32");
        let deep = steps.iter().find(is_deep).unwrap();
        assert_eq!((deep.workload.jobs, deep.workload.queue_depth), (32, 1));
        let mut backends = steps.iter().map(|step| step.workload.backend);
        assert!(backends.all(|backend| backend == Backend::Sync));
    }
}
