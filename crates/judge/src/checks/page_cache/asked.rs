//! Reads beneath which no device is seen, as in a container whose root is an overlay over directories of its host: what
//! storage was asked for is counted of this process as well.

use etalon_model::stack::{FsDetail, StackTree};
use etalon_model::{CacheHeld, CacheMode, Run, Severity};
use etalon_units::Percent;

use super::MISSING;
use crate::check::Outcome;
use crate::resolution::UNASKED;
use crate::sentence::{Sentence, said};
use crate::value::TOLERATED;

/// What the count of this process says of a run's reads.
pub(super) fn run(run: &Run) -> Option<Outcome> {
    let (own, asked) = (run.own_read()?.as_f64(), asked(run)?);
    let found = UNASKED.grade_missing(own - asked, own, MISSING)?;
    let (severity, message) = weighed(run, asked);
    let evidence = [("asked_read_share", asked / own)];
    let message = found.say(message);
    Some(Outcome::new(
        found.severity.min(severity),
        message,
        &evidence,
    ))
}

/// Bytes that this process had storage read; `None` where they are not known or say nothing.
pub(crate) fn asked(run: &Run) -> Option<f64> {
    let io = run.circumstances.counters.as_ref()?.process?;
    // Another program may do the work of a task, and its reads are not of this process.
    let is_own = run.workload.io().is_some() || io.rchar as f64 >= run.own_read()?.as_f64();
    let is_counted = is_own && counts(&run.environment()?.stack);
    is_counted.then_some(io.read_bytes as f64)
}

/// Whether reads of these files reach storage as requests to a block device (bio), which are counted of the process that
/// makes them (`submit_bio` in block/blk-core.c).
fn counts(tree: &StackTree) -> bool {
    let holder = tree.holder();
    let Some(fs) = &holder.filesystem else {
        return !holder.devices.is_empty();
    };
    match fs.detail {
        FsDetail::Overlay { .. } | FsDetail::Btrfs { .. } => true,
        FsDetail::Memory { .. }
        | FsDetail::Network { .. }
        | FsDetail::Fuse { .. }
        | FsDetail::Zfs { .. } => false,
        _ => holder
            .mount
            .as_ref()
            .is_some_and(|mount| mount.devno.major != 0),
    }
}

/// A cache that was asked for is part of the figure, not a fault of it.
fn weighed(run: &Run, asked: f64) -> (Severity, Sentence) {
    let own = run.own_read().unwrap_or_default().as_f64().max(1.0);
    let share = Percent::from_fraction(asked / own);
    match run.workload.cache().unwrap_or_default() {
        CacheMode::Warm => (
            Severity::Info,
            said!(
                "as declared, memory served the reads: this process asked storage for {share} of the bytes.",
                share = share,
            ),
        ),
        CacheMode::Limited(limit) => (
            Severity::Warn,
            said!(
                "a page cache of {limit} took part: this process asked storage for {share} of the bytes.",
                limit = limit,
                share = share,
            ),
        ),
        _ if memory_had(run, asked) => (
            Severity::Invalid,
            said!(
                "this process asked storage for {share} of the bytes that were read; the page cache had the rest.",
                share = share,
            ),
        ),
        _ => (
            Severity::Warn,
            said!(
                "this process asked storage for {share} of the bytes that were read; where the rest came from cannot be known.",
                share = share,
            ),
        ),
    }
}

/// Whether the files lay in the page cache, and all that came into it during the run was asked for by this process, so that
/// nobody else fetched what is missing.
fn memory_had(run: &Run, asked: f64) -> bool {
    let seen = &run.circumstances;
    let (Some(before), Some(after)) = (seen.cache_before, seen.cache_after) else {
        return false;
    };
    let cached = |held: CacheHeld| held.cached.as_f64();
    let own = run.own_read().unwrap_or_default().min(after.size).as_f64();
    let most = cached(before).max(cached(after));
    most > TOLERATED * own && cached(after) - cached(before) <= asked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, over, with_layers};
    use etalon_model::stack::ProcessIo;
    use etalon_units::Bytes;

    fn overlay() -> FsDetail {
        FsDetail::Overlay {
            lower: vec!["/var/lib/docker/overlay2/l/A".to_owned()],
            upper: None,
            work: None,
        }
    }

    fn held(mib: u64) -> Option<CacheHeld> {
        Some(CacheHeld {
            size: Bytes::mib(64),
            cached: Bytes::mib(mib),
            ..CacheHeld::default()
        })
    }

    /// 256 MiB read from a file of 64 MiB, of which storage was asked for so many.
    fn read(detail: FsDetail, asked_mib: u64) -> Run {
        let mut run = over(detail);
        run.device = None;
        with_layers(&mut run, Vec::new());
        run.circumstances.counters.as_mut().unwrap().process = Some(ProcessIo {
            rchar: 256 << 20,
            read_bytes: asked_mib << 20,
            ..ProcessIo::default()
        });
        run
    }

    fn severity(run: &Run) -> Option<Severity> {
        super::super::run(&facts(run)).map(|outcome| outcome.severity)
    }

    #[test]
    fn what_lay_in_memory_and_was_asked_of_no_storage_is_the_page_cache() {
        let mut run = read(overlay(), 0);
        assert_eq!(severity(&run), Some(Severity::Warn), "nobody looked");
        for (before, after, asked, found) in [
            (64, 64, 0, Some(Severity::Invalid)),
            (64, 64, 256, None),
            // It came in at the first reading, and the others had it.
            (0, 64, 64, Some(Severity::Invalid)),
            // Nobody knows who fetched it.
            (0, 64, 0, Some(Severity::Warn)),
            (0, 0, 0, Some(Severity::Warn)),
        ] {
            run = read(overlay(), asked);
            (
                run.circumstances.cache_before,
                run.circumstances.cache_after,
            ) = (held(before), held(after));
            assert_eq!(severity(&run), found, "{before} {after} {asked}");
        }
        run.workload.io_mut().unwrap().cache = CacheMode::Warm;
        assert_eq!(severity(&run), Some(Severity::Info));
    }

    #[test]
    fn where_requests_are_not_those_of_a_process_its_count_says_nothing() {
        let memory = FsDetail::Memory {
            limit: None,
            huge: None,
        };
        let zfs = FsDetail::Zfs {
            dataset: "tank".to_owned(),
        };
        for detail in [memory, zfs, FsDetail::Other] {
            let mut run = read(detail, 0);
            (
                run.circumstances.cache_before,
                run.circumstances.cache_after,
            ) = (held(64), held(64));
            assert_eq!(severity(&run), None);
        }
    }

    #[test]
    fn the_reads_of_another_program_are_not_counted_here() {
        let mut run = read(overlay(), 0);
        run.workload = crate::samples::task_run(etalon_model::TaskFigure::Time).workload;
        assert_eq!(severity(&run), Some(Severity::Warn));
        let counters = run.circumstances.counters.as_mut().unwrap();
        counters.process.as_mut().unwrap().rchar = 4096;
        assert_eq!(severity(&run), None);
    }
}
