//! Writes that the devices did not take.

use etalon_model::{
    FsyncPolicy, Run, ServedPath, Severity, SyncMode, TaskFigure, TaskWorkload, Workload,
};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::repeats::least_by_chance;
use crate::resolution::{Levels, UNWRITTEN};
use crate::sentence::{Sentence, said};
use crate::value::TOLERATED;

/// What may still be in memory at the end without changing the figure.
const MISSING: Levels<'_> = &[(TOLERATED, Severity::Invalid)];

/// Passes over the working set from which on blocks must have come again.
const AGAIN: f64 = 1.01;
const WRITE_ONCE: &str = "Write each block once (--one-pass), use a larger file, or bypass the page cache (leave --buffered out).";
/// Of overlayfs, the one filesystem that can be told to take fsync for done.
const NOT_VOLATILE: &str = "Mount without volatile.";

/// Of an export that is async.
const EXPORT_SYNC: &str =
    "On the server, export it with sync instead of async, and make that so by exportfs -ra.";
/// Of a target that buffers and tells of no cache.
const TARGET_CACHE: &str = "On the server, let the target tell of its cache (emulate_write_cache), or leave its page cache out.";

pub(crate) const CHECK: Check = Check {
    code: "not-durable",
    about: "The devices took less than 99 % of the bytes written; the rest was still in memory, or a layer shrank it.",
    advice: "Put what makes it durable inside the clock: --fsync end or O_DIRECT, for names `etalon metadata --durability phase`.",
    ..Check::of_run(run)
};

/// Operations that change names or what hangs on them.
const CHANGES: [&str; 13] = [
    "mkdir",
    "create",
    "write",
    "rename",
    "link",
    "symlink",
    "setxattr",
    "unlink",
    "rmdir",
    // Those of fdtree.
    "directories created",
    "files created",
    "files removed",
    "directories removed",
];

fn run(facts: &Facts) -> Option<Outcome> {
    if facts.run.measurement.is_without_storage() {
        return None;
    }
    let ignored = of_filesystem(facts.run).or_else(|| of_server(facts.run));
    if ignored.is_some() {
        return ignored;
    }
    let forced = match &facts.run.workload {
        // What is counted in bytes has a number of them that the devices must take.
        Workload::Task(task) if task.figure != TaskFigure::Throughput => {
            return of_names(facts.run, task);
        }
        Workload::Task(_) => facts.run.measurement.fsyncs > 0,
        Workload::Io(io) => io.fsync != FsyncPolicy::Never || io.sync != SyncMode::None,
    };
    // A mirror that took only one copy of each byte has not kept the promise either.
    let share = facts.run.kept_write_share()?;
    let own = facts.run.own_written()?.as_f64();
    let found = UNWRITTEN.grade_missing(own * (1.0 - share), own, MISSING)?;
    let outcome = rewritten(facts.run, share).unwrap_or_else(|| missing(share, forced));
    Some(Outcome {
        severity: found.severity,
        message: found.say(outcome.message),
        ..outcome
    })
}

/// What the devices did not take, whether or not something was to make them.
fn missing(share: f64, forced: bool) -> Outcome {
    let taken = Percent::from_fraction(share);
    let message = match forced {
        true => said!(
            "the devices took {share} of the bytes that were written, although fsync was inside the clock: a layer below compresses, deduplicates or ignores it.",
            share = taken,
        ),
        false => said!(
            "the devices took {share} of the bytes that were written, and no fsync was inside the clock: the rest was still in memory.",
            share = taken,
        ),
    };
    Outcome::new(Severity::Invalid, message, &[("device_write_share", share)])
}

/// A filesystem that takes fsync for done.
fn of_filesystem(run: &Run) -> Option<Outcome> {
    let beneath = run.circumstances.beneath.as_ref()?;
    let first = beneath.ignores_fsync.first()?;
    let writes = run.measurement.writes.operations > 0 || run.measurement.fsyncs > 0;
    writes.then(|| Outcome::new(Severity::Invalid, ignoring(first), &[]).advising(NOT_VOLATILE))
}

fn ignoring(filesystem: &str) -> Sentence {
    let overlay = filesystem.strip_prefix("the overlay at ");
    match overlay.and_then(|rest| rest.strip_suffix(" (volatile)")) {
        Some(place) => said!(
            "the overlay at {place} (volatile) ignores fsync: nothing that was written is durable.",
            place = place,
        ),
        None => said!(
            "{filesystem} ignores fsync: nothing that was written is durable.",
            filesystem = filesystem,
        ),
    }
}

/// A server that says what is not so.
fn of_server(run: &Run) -> Option<Outcome> {
    let served = run.circumstances.served();
    let first = served.iter().find(|path| path.syncs == Some(false))?;
    let writes = run.measurement.writes.operations > 0 || run.measurement.fsyncs > 0;
    writes.then(|| promised(first))
}

fn promised(path: &ServedPath) -> Outcome {
    let (message, advice) = match path.files {
        true => (
            said!(
                "the server of {export} (async) calls durable what is in its memory alone: nothing that was written is durable.",
                export = &path.what,
            ),
            EXPORT_SYNC,
        ),
        false => (
            said!(
                "the server of {disk} calls durable what is in its memory alone: nothing that was written is durable.",
                disk = &path.what,
            ),
            TARGET_CACHE,
        ),
    };
    Outcome::new(Severity::Invalid, message, &[]).advising(advice)
}

/// Writes that came to the same blocks again and again, or by chance within one pass, where a page cache is on their way: memory took them, and the
/// devices what was left at the end. Nothing is compressed or left out.
fn rewritten(run: &Run, share: f64) -> Option<Outcome> {
    let (written, set) = (run.own_written()?, run.working_set()?);
    let passes = written.as_f64() / set.as_f64();
    let cache = cache_on_the_way(run)?;
    let by_chance = least_by_chance(run, set).is_some_and(|least| share >= least - TOLERATED);
    if passes < AGAIN && !by_chance {
        return None;
    }
    let taken = Percent::from_fraction(share);
    let (message, advice) = match cache {
        Cache::Own => (
            said!(
                "the devices took {share} of the {written} that were written into {set}: the page cache took blocks that came again before they reached a device.",
                share = taken,
                written = written,
                set = set,
            ),
            WRITE_ONCE,
        ),
        Cache::Beneath(loops) => (
            said!(
                "the devices took {share} of the {written} that were written into {set}: the page cache beneath {loops} took blocks that came again before they reached a device.",
                share = taken,
                written = written,
                set = set,
                loops = loops,
            ),
            super::buffered_loop::CHECK.advice,
        ),
    };
    let evidence = [("device_write_share", share), ("passes", passes)];
    Some(Outcome::new(Severity::Invalid, message, &evidence).advising(advice))
}

/// A page cache through which writes go.
enum Cache {
    /// That of the filesystem.
    Own,
    /// That beneath loop devices, by their names.
    Beneath(String),
}

fn cache_on_the_way(run: &Run) -> Option<Cache> {
    let each_durable = run.workload.io()?.sync != SyncMode::None;
    if !run.measurement.is_direct() && !each_durable {
        return Some(Cache::Own);
    }
    let loops = &run.circumstances.beneath.as_ref()?.buffered_loops;
    (!loops.is_empty()).then(|| Cache::Beneath(loops.join(", ")))
}

/// A name has no number of bytes, so that only whether anything was synced can be told.
fn of_names(run: &Run, task: &TaskWorkload) -> Option<Outcome> {
    let device = run.device.as_ref()?;
    let changes = task.figure == TaskFigure::Rate && CHANGES.contains(&task.step.as_str());
    (changes && run.measurement.fsyncs == 0).then(|| {
        let message = said!(
            "nothing was synced inside the clock: the figure is the rate at which memory took the changes."
        );
        let evidence = [("device_written_bytes", device.written_bytes.as_f64())];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run, task_run, write_run};
    use etalon_model::{Backend, BeneathFacts, DeviceTraffic, Distribution, Operation, ServedPath};
    use etalon_units::Bytes;

    #[test]
    fn durability_that_a_filesystem_ignores_is_none() {
        let mut run = write_run();
        run.circumstances.beneath = Some(BeneathFacts {
            ignores_fsync: vec!["the overlay at /mnt (volatile)".to_owned()],
            ..BeneathFacts::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        assert!(outcome.message.contains("ignores fsync"), "{outcome:?}");
        let mut reads = read_run();
        reads.circumstances.beneath = run.circumstances.beneath.clone();
        assert_eq!(super::run(&facts(&reads)), None);
    }

    #[test]
    fn durability_that_a_server_only_claims_is_none() {
        let mut run = write_run();
        let mut served = ServedPath {
            what: "nas:/ (NFS 4.2)".to_owned(),
            files: true,
            syncs: Some(false),
            ..ServedPath::default()
        };
        let mut found = |served: &ServedPath| {
            run.circumstances.beneath = Some(BeneathFacts {
                write_copies: 1.0,
                served: vec![served.clone()],
                ..BeneathFacts::default()
            });
            super::run(&facts(&run))
        };
        let outcome = found(&served).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        assert!(outcome.message.contains("nas:/ (NFS 4.2) (async)"));
        assert!(outcome.advice.unwrap().contains("exportfs"));
        served.files = false;
        let advice = found(&served).unwrap().advice.unwrap();
        assert!(advice.contains("emulate_write_cache"));
        for kept in [Some(true), None] {
            served.syncs = kept;
            assert_eq!(found(&served), None);
        }
    }

    #[test]
    fn a_write_left_in_memory_is_caught_and_a_durable_one_is_not() {
        let mut run = write_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.workload.io_mut().unwrap().fsync = FsyncPolicy::Never;
        run.device.as_mut().unwrap().written_bytes = Bytes::ZERO;
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("took 0 %") && outcome.message.contains("in memory"));
        // What a modelled device is given never reaches one.
        run.measurement.backend = Some(Backend::Fake);
        assert_eq!(super::run(&facts(&run)), None);
    }

    /// 256 MiB written, of which the top and the bottom took these, and the copies of both.
    fn on(top: (u64, Option<f64>), bottom: Option<u64>, copies: f64) -> Run {
        let mut run = write_run();
        let traffic = |mib| DeviceTraffic {
            written_bytes: Bytes::mib(mib),
            ..DeviceTraffic::default()
        };
        run.device = Some(traffic(top.0));
        run.leaves = bottom.map(traffic);
        run.circumstances.beneath = Some(BeneathFacts {
            write_copies: copies,
            top_write_copies: top.1,
            ..BeneathFacts::default()
        });
        run
    }

    #[test]
    fn each_level_of_a_mirror_is_held_against_its_own_copies() {
        let share = |run: &Run| {
            let outcome = super::run(&facts(run))?;
            Some(outcome.evidence[0].value)
        };
        for (what, run, found) in [
            ("md raid1", on((256, Some(1.0)), Some(512), 2.0), None),
            (
                "its second disk took none",
                on((256, Some(1.0)), Some(256), 2.0),
                Some(0.5),
            ),
            (
                "its cache took half",
                on((128, Some(1.0)), Some(512), 2.0),
                Some(0.5),
            ),
            (
                "md raid10 of three copies",
                on((256, Some(1.0)), Some(768), 3.0),
                None,
            ),
            (
                "an LVM mirror and its metadata",
                on((256, Some(1.0)), Some(520), 2.0),
                None,
            ),
            ("btrfs raid1", on((512, Some(2.0)), None, 2.0), None),
            (
                "one of its disks took none",
                on((256, Some(2.0)), None, 2.0),
                Some(0.5),
            ),
            (
                "btrfs raid1 on loop devices",
                on((512, Some(2.0)), Some(512), 2.0),
                None,
            ),
            (
                "an old record of md raid1",
                on((256, None), Some(512), 2.0),
                None,
            ),
            (
                "an old record of btrfs raid1",
                on((512, None), None, 2.0),
                None,
            ),
            (
                "an old one that lacks a copy",
                on((256, None), None, 2.0),
                Some(0.5),
            ),
        ] {
            assert_eq!(share(&run), found, "{what}");
        }
    }

    #[test]
    fn what_memory_took_again_is_no_layer_that_shrinks() {
        let mut run = write_run();
        run.measurement.direct = Some(false);
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(8);
        run.workload.io_mut().unwrap().file_size = Bytes::mib(8);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(
            outcome.message.contains("came again"),
            "{}",
            outcome.message
        );
        assert!(outcome.advice.unwrap().contains("--one-pass"));
        // In one pass nothing comes again, and past the page cache nothing stays there.
        run.workload.io_mut().unwrap().file_size = Bytes::mib(256);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("layer below") && outcome.advice.is_none());
        run.workload.io_mut().unwrap().file_size = Bytes::mib(8);
        run.measurement.direct = Some(true);
        assert!(super::run(&facts(&run)).unwrap().advice.is_none());
        // Past this filesystem's page cache, and through that of the loop device beneath it.
        run.circumstances.beneath = Some(BeneathFacts {
            buffered_loops: vec!["loop3".to_owned()],
            ..BeneathFacts::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(
            outcome.message.contains("the page cache beneath loop3"),
            "{outcome:?}"
        );
        assert!(outcome.advice.unwrap().contains("--direct-io=on"));
    }

    #[test]
    fn a_copy_by_dd_is_advised_in_operands_of_dd() {
        let mut run = task_run(TaskFigure::Throughput);
        run.measurement.bytes_with_warm_up = Bytes::mib(64);
        run.measurement.writes.bytes = Bytes::mib(64);
        run.device = write_run().device;
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(1);
        run.workload.task_mut().unwrap().work = "dd".to_owned();
        let found = crate::check_run(&facts(&run));
        let found = found.iter().find(|finding| finding.code == "not-durable");
        let advice = &found.unwrap().advice;
        assert!(
            advice.contains("conv=fsync") && !advice.contains("--"),
            "{advice}"
        );
    }

    #[test]
    fn a_page_of_a_short_run_is_its_resolution() {
        let mut run = write_run();
        run.measurement.bytes_with_warm_up = Bytes::kib(64);
        for (kib, severity) in [(60, Severity::Info), (0, Severity::Invalid)] {
            run.device.as_mut().unwrap().written_bytes = Bytes::kib(kib);
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
    }

    #[test]
    fn by_chance_blocks_come_again_within_one_pass() {
        // 65536 draws of 131072 blocks find 78.7 % of them for the first time.
        let mut run = write_run();
        run.measurement.direct = Some(false);
        let io = run.workload.io_mut().unwrap();
        (io.operation, io.block_size) = (Operation::RandWrite, Bytes::kib(4).into());
        io.file_size = Bytes::mib(512);
        let mut told = |distribution, mib| {
            run.workload.io_mut().unwrap().distribution = distribution;
            run.device.as_mut().unwrap().written_bytes = Bytes::mib(mib);
            let message = super::run(&facts(&run)).unwrap().message;
            message.contains("came again")
        };
        assert!(told(Distribution::Uniform, 201));
        // Less than chance leaves, and drawn so that none comes again: that is a layer's doing.
        assert!(!told(Distribution::Uniform, 190));
        assert!(!told(Distribution::Permutation, 201));
        assert!(told(Distribution::Zipf { theta: 1.0 }, 60));
    }

    #[test]
    fn changed_names_carry_a_reservation_until_they_are_synced() {
        let mut run = task_run(TaskFigure::Rate);
        for (step, is_told) in [("create", true), ("stat", false), ("readdir", false)] {
            run.workload.task_mut().unwrap().step = step.to_owned();
            let outcome = super::run(&facts(&run));
            assert_eq!(outcome.is_some(), is_told, "{step}");
        }
        run.workload.task_mut().unwrap().step = "create".to_owned();
        run.measurement.fsyncs = 1;
        assert_eq!(super::run(&facts(&run)), None);
        let step = task_run(TaskFigure::Time);
        assert_eq!(super::run(&facts(&step)), None);
    }
}
