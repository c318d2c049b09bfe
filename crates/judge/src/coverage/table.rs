//! What each check is about and looks at: a line a check, in the order of the registry.

use super::Scope;
use super::about::*;
use super::needs::Need::{self, *};

/// A line of the table.
const fn of(code: &'static str, about: About, needs: &'static [Need]) -> Scope {
    Scope {
        code,
        about,
        needs,
        of_one_run: false,
    }
}

impl Scope {
    const fn of_one_run(self) -> Scope {
        Scope {
            of_one_run: true,
            ..self
        }
    }
}

pub(super) static SCOPES: &[Scope] = &[
    of("run-failed", EVERY_RUN, &[]),
    of("data-corrupt", VERIFIED, &[Verify]),
    of("in-memory", STORAGE, &[Stack]),
    of("no-device", STORAGE, &[]),
    of("direct-refused", DIRECT_ASKED, &[]),
    of("direct-left", DIRECT_ASKED, &[]),
    of("direct-fell-back", DIRECT, &[CacheAfter]),
    of("cache-state", DECLARED_CACHE, &[CacheBefore]),
    of("page-cache", SERVED_READS, &[ReadTraffic]),
    of("working-set", CACHED_RANDOM_READS, &[CacheLimit, Files]),
    of("readahead-waste", CACHED_PURE_READS, &[Traffic]),
    of("holes", READS_AND_COPIES, &[Files]),
    of("easy-data", CONTENT, &[]),
    of("reducing-layer", STORAGE, &[Stack]),
    of("sparse-loop", STORAGE, &[Stack]),
    of("freed-inodes", LATER_CREATES, &[Stack]),
    of("buffered-loop", STORAGE, &[Stack]),
    of("cache-below", STORAGE, &[Stack]),
    of("server-cache", STORAGE, &[Stack]),
    of("device-cache", IO, &[Disks]),
    of("short-stroked", RANDOM_IO, &[Disks]),
    of("not-durable", CHANGES, &[Traffic]),
    of("dirty-left", WRITES, &[CacheAfter, Dirty]),
    of("no-flush", DURABLE_WRITES, &[Stack, Counters]),
    of("returned-early", CLOSING_FSYNC, &[]),
    of("commits-not-durable", SERVICE, &[]),
    of("cached-in-server", SERVICE, &[]),
    of("server-bound", SERVICE, &[]),
    of("checkpoint-in-run", SERVICE, &[]),
    of("failed-requests", SERVICE, &[]),
    of("network-bound", OVER_NETWORK, &[]),
    of("write-amplification", PURE_WRITES, &[Traffic]),
    of("sibling-idle", SIBLINGS, &[Stack, Counters]),
    of("not-together", TOGETHER, &[]),
    of("foreign-io", BYTES, &[Counters]),
    of("earlier-writes", BEHIND_WRITES, &[Counters]),
    of("background-work", STORAGE, &[Stack]),
    of("rebuild-over", REBUILDING, &[]),
    of("discards", BYTES, &[Counters, Discards]),
    of("trimmed-before", TRIMS, &[]),
    of("environment-changed", STORAGE, &[Environment]),
    of("nearly-full", FILESYSTEM, &[Stack]),
    of("failing-disk", STORAGE, &[Stack, Health]),
    of("capped", STORAGE, &[Stack, Counters]),
    of("stalled", COURSE, &[]),
    of("steal", STORAGE, &[Machine]),
    of("throttled", STORAGE, &[Machine, Heat]),
    of("memory-pressure", STORAGE, &[Machine]),
    of("clock-trouble", STORAGE, &[Machine]),
    of("lab-guest", LABORATORY, &[]),
    of("lab-late", LABORATORY, &[]),
    of("process-settings", STORAGE, &[Process]),
    of("io-uring-refused", IO_URING, &[]),
    of("depth-one", DEEP, &[]),
    of("buffers-not-registered", IO_URING, &[]),
    of("cpu-bound", REAL_CLOCK, &[ProcessorTime]),
    of("cpu-starved", REAL_CLOCK, &[RunDelay]),
    of("generator-late", RATED, &[]),
    of("few-operations", COUNTED, &[]),
    of("warm-up", COURSE, &[Windows]),
    of("regimes", COURSE, &[Windows]),
    of("unsteady", COURSE, &[Windows]),
    of("one-run", COURSE, &[Windows]).of_one_run(),
    of("two-modes", EVERY_RUN, &[Runs(10)]),
    of("outlying-run", EVERY_RUN, &[Runs(6)]),
    of("own-work", OWN_FILES, &[]),
    of("interrupted", OWN_FILES, &[]),
];
