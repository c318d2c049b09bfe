//! Which runs a check is about: each question with the words for those that it is not about.

use etalon_model::{Backend, CacheMode, Fallback, Operation, Order, Run, SyncMode, TaskFigure};
use etalon_units::{Bytes, Nanos};

use crate::value::is_timed;

/// A question about a run, and what the runs lack that answer it with no.
pub(super) type About = (fn(&Run) -> bool, &'static str);

const NO_STORAGE: &str = "no storage took part (backend null or fake)";

pub(super) const EVERY_RUN: About = (|_| true, "");

pub(super) const STORAGE: About = (is_on_storage, NO_STORAGE);

pub(super) const LABORATORY: About = (
    |run| run.circumstances.lab.is_some(),
    "it was not made in a guest of the laboratory",
);

pub(super) const IO: About = (
    |run| is_on_storage(run) && run.workload.io().is_some(),
    "it is about the engine's I/O on storage",
);

pub(super) const RANDOM_IO: About = (
    |run| is_on_storage(run) && is_random(run) && run.measurement.trims.is_none(),
    "it is about random I/O on storage",
);

pub(super) const TRIMS: About = (
    |run| {
        let m = &run.measurement;
        is_on_storage(run) && !m.trims.is_none() && m.writes.is_none()
    },
    "it is about trims and nothing else",
);

pub(super) const CACHED_RANDOM_READS: About = (
    |run| {
        let reads = run.measurement.reads.bytes > Bytes::ZERO;
        is_on_storage(run) && is_random(run) && reads && !run.measurement.is_direct()
    },
    "it is about random reads through the page cache",
);

pub(super) const READS_AND_COPIES: About = (
    |run| {
        let is_copy = run.workload.task().is_some_and(|task| task.work == "dd");
        is_on_storage(run) && (run.measurement.reads.operations > 0 || is_copy)
    },
    "it is about reads of data from storage, and copies by dd",
);

/// Reads whose bytes the devices must have served.
pub(super) const SERVED_READS: About = (
    |run| is_on_storage(run) && run.own_read().is_some(),
    "it is about I/O that reads, and work that only reads data",
);

pub(super) const CACHED_PURE_READS: About = (
    |run| is_on_storage(run) && moved(run) == (true, false) && !run.measurement.is_direct(),
    "it is about work that only reads data, through the page cache",
);

pub(super) const WRITES: About = (
    |run| is_on_storage(run) && run.measurement.writes.operations > 0,
    "it is about writes of data to storage",
);

pub(super) const PURE_WRITES: About = (
    |run| is_on_storage(run) && moved(run) == (false, true),
    "it is about work that only writes data",
);

/// Writes of data, and rates at which names are changed.
pub(super) const CHANGES: About = (
    |run| is_on_storage(run) && (run.own_written().is_some() || is_rate_of_names(run)),
    "it is about I/O that writes, and work that only writes, data or names",
);

pub(super) const BYTES: About = (
    |run| is_on_storage(run) && run.measurement.bytes_with_warm_up > Bytes::ZERO,
    "it is about work that moves data",
);

/// Reads behind rows of the same session that wrote.
pub(super) const BEHIND_WRITES: About = (
    |run| {
        let is_behind = run.circumstances.aftermath.is_some();
        is_behind && is_on_storage(run) && moved(run) == (true, false)
    },
    "it is about reads behind earlier rows of a session that wrote",
);

pub(super) const REBUILDING: About = (
    |run| {
        let mut levels = run.circumstances.levels.iter();
        levels.any(|level| level.rebuild.is_some())
    },
    "no rebuild was asked for (state = \"rebuilding\")",
);

pub(super) const DURABLE_WRITES: About = (
    |run| {
        let sync = run.workload.io().map_or(SyncMode::None, |io| io.sync);
        let is_asked = run.measurement.fsyncs > 0 || sync != SyncMode::None;
        is_on_storage(run) && is_asked && run.measurement.writes.operations > 0
    },
    "it is about writes with fsync or O_SYNC",
);

pub(super) const CLOSING_FSYNC: About = (
    |run| run.measurement.final_fsync > Nanos::ZERO && run.measurement.writes.operations > 0,
    "it is about writes with fsync at the end",
);

pub(super) const DECLARED_CACHE: About = (
    |run| {
        let declared = run.workload.cache().unwrap_or_default();
        is_on_storage(run) && !matches!(declared, CacheMode::AsFound | CacheMode::Direct)
    },
    "no state of the page cache was asked for (--cache cold, warm or limited)",
);

pub(super) const DIRECT: About = (
    |run| is_on_storage(run) && run.measurement.is_direct(),
    "O_DIRECT was not in force",
);

pub(super) const DIRECT_ASKED: About = (
    |run| {
        let is_asked = run.workload.io().is_some_and(|io| io.direct);
        is_on_storage(run) && (is_asked || run.measurement.is_direct() || was_asked_in_vain(run))
    },
    "O_DIRECT was not asked for",
);

pub(super) const IO_URING: About = (
    |run| {
        let io = run.workload.io();
        io.is_some_and(|io| io.backend == Backend::IoUring)
    },
    "io_uring was not asked for",
);

pub(super) const DEEP: About = (
    |run| run.workload.io().is_some_and(|io| io.queue_depth > 1),
    "no queue deeper than 1 was asked for",
);

pub(super) const RATED: About = (
    |run| run.measurement.lag.is_some(),
    "no rate of arrivals was asked for",
);

pub(super) const VERIFIED: About = (
    |run| run.workload.io().is_some_and(|io| io.verify),
    "no comparison of data was asked for (--verify)",
);

pub(super) const TOGETHER: About = (
    |run| run.circumstances.concurrent.is_some(),
    "it is about workloads that run at the same time",
);

pub(super) const SERVICE: About = (
    |run| run.measurement.service.is_some(),
    "no database or server took part",
);

pub(super) const OVER_NETWORK: About = (
    |run| {
        let service = run.measurement.service.as_ref();
        service.is_some_and(|service| service.network.is_some())
    },
    "no server across a network took part",
);

pub(super) const COUNTED: About = (
    |run| !is_timed(run),
    "a step of real work is one thing, however many files it handles",
);

pub(super) const COURSE: About = (
    |run| run.workload.io().is_some(),
    "a task has no course of equal operations",
);

pub(super) const REAL_CLOCK: About = (
    |run| run.measurement.backend != Some(Backend::Fake),
    "the modelled device works on a virtual clock",
);

pub(super) const LATER_CREATES: About = (
    |run| run.block > 0 && crate::checks::freed_inodes::creates(run),
    "it is about names that are created after others were removed",
);

pub(super) const CONTENT: About = (
    |run| {
        let is_sampled = run.circumstances.content.is_some();
        is_on_storage(run) && is_sampled && run.measurement.reads.operations > 0
    },
    "it is about reads of data that etalon did not lay out",
);

pub(super) const SIBLINGS: About = (
    |run| {
        let beneath = run.circumstances.beneath.as_ref();
        is_on_storage(run) && beneath.is_none_or(|beneath| !beneath.siblings.is_empty())
    },
    "the storage stack has no mirror and no stripe",
);

pub(super) const FILESYSTEM: About = (
    |run| {
        let beneath = run.circumstances.beneath.as_ref();
        is_on_storage(run) && beneath.is_none_or(|beneath| beneath.used.is_some())
    },
    "the storage stack has no filesystem that tells how full it is",
);

pub(super) const OWN_FILES: About = (
    |run| {
        run.workload
            .task()
            .is_some_and(|task| task.work == "iozone")
    },
    "it is about iozone's own passes over files",
);

fn is_on_storage(run: &Run) -> bool {
    !run.measurement.is_without_storage()
}

fn is_random(run: &Run) -> bool {
    let operation = run.workload.io().map(|io| io.operation);
    operation.map(Operation::order) == Some(Order::Random)
}

/// Whether data was read, and whether it was written.
fn moved(run: &Run) -> (bool, bool) {
    let m = &run.measurement;
    (m.reads.bytes > Bytes::ZERO, m.writes.bytes > Bytes::ZERO)
}

fn is_rate_of_names(run: &Run) -> bool {
    run.task_figure() == Some(TaskFigure::Rate)
}

fn was_asked_in_vain(run: &Run) -> bool {
    let mut fallbacks = run.measurement.fallbacks.iter();
    fallbacks.any(|one| {
        matches!(
            one,
            Fallback::DirectRefused { .. } | Fallback::DirectLeft { .. }
        )
    })
}
