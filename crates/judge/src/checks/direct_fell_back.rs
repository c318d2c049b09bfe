//! `O_DIRECT` that the filesystem took and did not keep.

use etalon_model::stack::FsDetail;
use etalon_model::{CacheHeld, Run, Severity};
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{FELL_BACK, Levels};
use crate::sentence::said;

/// Share of the run's own bytes, or of the files when they are smaller, that may turn up in the
/// cache by other ways.
const STRAY: Levels<'_> = &[(0.01, Severity::Invalid)];

pub(crate) const CHECK: Check = Check {
    code: "direct-fell-back",
    about: "O_DIRECT was accepted, yet the page cache grew by what was moved: the filesystem went through it all the same.",
    advice: "Read the figure as a buffered one; compression, checksums, encryption and inline data make filesystems do this (on btrfs, nodatacow avoids it).",
    short_about: Some("The filesystem answered direct I/O from the page cache."),
    short_advice: Some("On btrfs, a directory with chattr +C avoids it."),
    ..Check::of_run(run)
};

/// Of a filesystem that a process serves.
const BEHIND: &str =
    "Measure the directory that it shows, or read the figure as one with its memory.";
/// Of ZFS.
const ARC: &str = "Set primarycache=metadata on the dataset (ZFS 2.3 or later: direct=always), use a set far larger than the ARC, or read the figure as one with its memory.";

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    if !run.measurement.is_direct() {
        return None;
    }
    match is_of_a_process(run) {
        true => behind(run),
        false => grown(run).or_else(|| own_cache(run)),
    }
}

/// Whether a process serves the filesystem (FUSE), to which `O_DIRECT` goes and no further.
fn is_of_a_process(run: &Run) -> bool {
    let filesystem = run.environment().and_then(|e| e.stack.filesystem.as_ref());
    filesystem.is_some_and(|fs| matches!(fs.detail, FsDetail::Fuse { .. }))
}

/// ZFS takes `O_DIRECT` and serves it from its own cache before version 2.3, and later what does not fit its records or lies
/// there already (zfsprops(7), `direct`).
fn own_cache(run: &Run) -> Option<Outcome> {
    matches!(holder(run)?, FsDetail::Zfs { .. }).then(|| {
        let message = said!(
            "O_DIRECT may end at the cache of {filesystem} itself (ARC), and what that keeps in memory cannot be known.",
            filesystem = "ZFS",
        );
        Outcome::new(Severity::Warn, message, &[]).advising(ARC)
    })
}

/// What the page cache keeps of the files that the process shows; what it keeps itself nobody can look at.
fn behind(run: &Run) -> Option<Outcome> {
    let Some(after) = run.circumstances.cache_after else {
        let message = said!(
            "O_DIRECT ends at the process behind this filesystem, and what that keeps in memory cannot be known."
        );
        return Some(Outcome::new(Severity::Warn, message, &[]).advising(BEHIND));
    };
    let found = FELL_BACK.grade_missing(after.cached.as_f64(), reach(run, &after), STRAY)?;
    let message = said!(
        "O_DIRECT ends at the process behind this filesystem: the page cache held {cached} of the files' {size}.",
        cached = after.cached,
        size = after.size,
    );
    let evidence = [
        ("cached_bytes", after.cached.as_f64()),
        ("size_bytes", after.size.as_f64()),
    ];
    Some(Outcome::new(found.severity, found.say(message), &evidence).advising(BEHIND))
}

/// The run's own bytes, or those of the files where these are smaller.
fn reach(run: &Run, after: &CacheHeld) -> f64 {
    let own = run.measurement.bytes_with_warm_up.min(after.size);
    own.as_f64().max(1.0)
}

fn grown(run: &Run) -> Option<Outcome> {
    let circumstances = &run.circumstances;
    let (before, after) = (circumstances.cache_before, circumstances.cache_after?);
    let own = run.measurement.bytes_with_warm_up.min(after.size);
    let held = before.map_or(Bytes::ZERO, |held| held.cached);
    let grown = Bytes(after.cached.get().saturating_sub(held.get()));
    let share = grown.as_f64() / reach(run, &after);
    // In memory there is nothing to bypass. That no device is known, as beneath the root of a container, takes nothing
    // from the proof.
    let bypassable = run.device.is_some() || !may_be_memory(run);
    let found = FELL_BACK.grade_missing(grown.as_f64(), reach(run, &after), STRAY)?;
    bypassable.then(|| {
        let message = said!(
            "O_DIRECT was in force, and yet {grown} of the files came into the page cache, {share} of the {own} moved within them.",
            grown = grown,
            share = Percent::from_fraction(share),
            own = own,
        );
        let evidence = [
            ("grown_bytes", grown.as_f64()),
            ("own_bytes", own.as_f64()),
        ];
        Outcome::new(found.severity, found.say(message), &evidence)
    })
}

/// Whether the filesystem keeps its data in memory, or it is not known which one it is.
fn may_be_memory(run: &Run) -> bool {
    let beneath = run.circumstances.beneath.as_ref();
    let is_told = beneath.is_some_and(|beneath| !beneath.in_memory.is_empty());
    is_told || holder(run).is_none_or(|detail| matches!(detail, FsDetail::Memory { .. }))
}

/// The filesystem that holds the data.
fn holder(run: &Run) -> Option<&FsDetail> {
    let tree = run.environment()?.stack.holder();
    tree.filesystem.as_ref().map(|fs| &fs.detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, over, over_tree, read_run};

    /// What a direct run without a device gives, after which the page cache held so much of its 256 MiB.
    fn without_device(detail: FsDetail, after: Option<u64>) -> Option<Severity> {
        let mut run = over(detail);
        run.device = None;
        let held = |mib| CacheHeld {
            size: Bytes::mib(256),
            cached: Bytes::mib(mib),
            ..CacheHeld::default()
        };
        run.circumstances.cache_before = after.map(|_| held(0));
        run.circumstances.cache_after = after.map(held);
        super::run(&facts(&run)).map(|outcome| outcome.severity)
    }

    #[test]
    fn growth_of_the_page_cache_proves_it_where_no_device_is_known() {
        let overlay = || FsDetail::Overlay {
            lower: vec!["/var/lib/docker/overlay2/l/A".to_owned()],
            upper: None,
            work: None,
        };
        let memory = FsDetail::Memory {
            limit: None,
            huge: None,
        };
        assert_eq!(without_device(overlay(), Some(0)), None);
        assert_eq!(without_device(overlay(), None), None);
        let found = without_device(overlay(), Some(256));
        assert_eq!(found, Some(Severity::Invalid));
        assert_eq!(without_device(memory, Some(256)), None);
        let mut unknown = read_run();
        unknown.device = None;
        unknown.circumstances.cache_after = Some(CacheHeld {
            size: Bytes::mib(256),
            cached: Bytes::mib(256),
            ..CacheHeld::default()
        });
        assert_eq!(super::run(&facts(&unknown)), None);
    }

    #[test]
    fn the_cache_of_zfs_itself_is_told_also_beneath_an_overlay() {
        let zfs = || FsDetail::Zfs {
            dataset: "tank/data".to_owned(),
        };
        assert_eq!(without_device(zfs(), None), Some(Severity::Warn));
        let mut run = over(zfs());
        let stack = |run: &Run| run.environment().unwrap().stack.clone();
        let (beneath, mut overlay) = (stack(&run), stack(&over(FsDetail::Other)));
        overlay.filesystem.as_mut().unwrap().beneath = Some(Box::new(beneath));
        run.circumstances.environment = over_tree(overlay).circumstances.environment;
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        assert!(outcome.message.contains("of ZFS itself"), "{outcome:?}");
        run.measurement.direct = Some(false);
        assert_eq!(super::run(&facts(&run)), None);
    }

    #[test]
    fn direct_io_that_ends_at_a_process_is_told() {
        let fuse = || FsDetail::Fuse {
            subtype: None,
            max_read: None,
        };
        let mut run = over(fuse());
        run.device = None;
        assert_eq!(super::run(&facts(&run)).unwrap().severity, Severity::Warn);
        for (mib, severity) in [(0, None), (256, Some(Severity::Invalid))] {
            run.circumstances.cache_after = Some(CacheHeld {
                size: Bytes::mib(256),
                cached: Bytes::mib(mib),
                ..CacheHeld::default()
            });
            let found = super::run(&facts(&run)).map(|outcome| outcome.severity);
            assert_eq!(found, severity, "{mib}");
        }
        run.measurement.direct = Some(false);
        assert_eq!(super::run(&facts(&run)), None);
        assert_eq!(super::run(&facts(&over(FsDetail::Other))), None);
    }

    #[test]
    fn a_cache_that_fills_under_direct_reads_is_caught() {
        let mut run = read_run();
        let held = |mib| {
            Some(CacheHeld {
                size: Bytes::gib(1),
                cached: Bytes::mib(mib),
                ..CacheHeld::default()
            })
        };
        run.circumstances.cache_before = held(100);
        run.circumstances.cache_after = held(100);
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.cache_after = held(356);
        assert!(super::run(&facts(&run)).is_some());
        run.measurement.bytes_with_warm_up = Bytes::mib(1);
        run.circumstances.cache_after = Some(CacheHeld {
            cached: Bytes::kib((100 << 10) + 16),
            ..held(100).unwrap()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Info);
        run.circumstances.cache_after = held(101);
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        run.measurement.direct = Some(false);
        assert_eq!(super::run(&facts(&run)), None);
    }
}
