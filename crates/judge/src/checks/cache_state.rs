//! A declared state of the page cache that was not there.

use etalon_model::stack::FsDetail;
use etalon_model::{CacheHeld, CacheMode, Run, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{Levels, STATE};
use crate::sentence::said;
use crate::value::TOLERATED;

/// What may be missing of a warm file: it is reclaimed now and then.
const WARM: Levels<'_> = &[(TOLERATED, Severity::Invalid)];
/// Of a cold one nothing may be there.
const COLD: Levels<'_> = &[(0.0, Severity::Invalid)];
/// Of the input of real work, which others may have open or mapped, what decides nothing may be there.
const COLD_INPUT: Levels<'_> = &[(TOLERATED, Severity::Invalid), (0.0, Severity::Info)];

/// For real work, which has no option of its own for the page cache.
const OTHER_INPUT: &str = "Name an input that no other program has open or mapped (startup: --set copy=yes), on a filesystem whose data can leave memory and whose cache can be looked at: not on tmpfs, ZFS or FUSE.";

pub(crate) const CHECK: Check = Check {
    code: "cache-state",
    about: "The page cache was not in the state that the workload declares.",
    advice: "Run as root so that the cache can be emptied, give the warm file enough memory, or declare another state (--cache).",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let declared = run.workload.cache()?;
    if matches!(declared, CacheMode::AsFound | CacheMode::Direct) {
        return None;
    }
    let outcome = match run.circumstances.cache_before {
        None => Some(unknown(run, declared)),
        Some(held) => graded(run, declared, &held),
    };
    match run.workload.task() {
        Some(_) => outcome.map(|outcome| of_task(run, outcome)),
        None => outcome,
    }
}

/// Real work begins cold unless it is told otherwise. Files of a filesystem in memory have no other place, and that the
/// figure is one of memory is told of it anyway.
fn of_task(run: &Run, outcome: Outcome) -> Outcome {
    let most = match detail(run) {
        Some(FsDetail::Memory { .. }) => Severity::Warn,
        _ => Severity::Invalid,
    };
    Outcome {
        severity: outcome.severity.min(most),
        ..outcome.advising(OTHER_INPUT)
    }
}

/// What was found where the kernel could be asked.
fn graded(run: &Run, declared: CacheMode, held: &CacheHeld) -> Option<Outcome> {
    let (size, cached) = (held.size.as_f64().max(1.0), held.cached.as_f64());
    let found = match declared {
        CacheMode::Warm => STATE.grade_missing(size - cached, size, WARM)?,
        _ if run.workload.task().is_some() => STATE.grade_missing(cached, size, COLD_INPUT)?,
        _ => STATE.grade_missing(cached, size, COLD)?,
    };
    let outcome = broken(declared, held);
    Some(Outcome {
        severity: found.severity,
        message: found.say(outcome.message),
        ..outcome
    })
}

/// What a process holds behind a filesystem of its own was not emptied, as far as anybody knows.
fn unknown(run: &Run, declared: CacheMode) -> Outcome {
    let is_fuse = matches!(detail(run), Some(FsDetail::Fuse { .. }));
    let declared_as = declared.to_string();
    match is_fuse && declared != CacheMode::Warm {
        true => Outcome::new(
            Severity::Invalid,
            said!(
                "the cache was declared {declared}, and what the process behind this filesystem holds in memory cannot be known.",
                declared = declared_as,
            ),
            &[],
        ),
        false => Outcome::new(
            Severity::Warn,
            said!(
                "the cache was declared {declared}, and nothing tells whether it was.",
                declared = declared_as,
            ),
            &[],
        ),
    }
}

/// What the filesystem of the target is.
fn detail(run: &Run) -> Option<&FsDetail> {
    let stack = run.environment().map(|now| &now.stack)?;
    stack.filesystem.as_ref().map(|fs| &fs.detail)
}

fn broken(declared: CacheMode, held: &CacheHeld) -> Outcome {
    let message = said!(
        "the cache was declared {declared}, but held {cached} of the files' {size} ({share}) when the run began.",
        declared = declared.to_string(),
        cached = held.cached,
        size = held.size,
        share = Percent::from_fraction(held.share()),
    );
    let evidence = [
        ("cached_bytes", held.cached.as_f64()),
        ("size_bytes", held.size.as_f64()),
    ];
    Outcome::new(Severity::Invalid, message, &evidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, over, read_run, task_run};
    use etalon_model::{TaskFigure, Workload};
    use etalon_units::Bytes;

    #[test]
    fn cold_over_a_process_whose_memory_nobody_can_look_at_is_refused() {
        let fuse = || FsDetail::Fuse {
            subtype: Some("unknown".to_owned()),
            max_read: None,
        };
        for (detail, cache, severity) in [
            (fuse(), CacheMode::Cold, Severity::Invalid),
            (fuse(), CacheMode::Limited(Bytes::mib(8)), Severity::Invalid),
            (fuse(), CacheMode::Warm, Severity::Warn),
            (FsDetail::Other, CacheMode::Cold, Severity::Warn),
        ] {
            let mut run = over(detail);
            run.workload.io_mut().unwrap().cache = cache;
            let outcome = super::run(&facts(&run)).unwrap();
            assert_eq!(outcome.severity, severity, "{}", outcome.message);
        }
    }

    #[test]
    fn input_of_real_work_that_stayed_in_memory_is_not_cold() {
        let mut run = task_run(TaskFigure::Time);
        let found = |run: &Run| super::run(&facts(run)).map(|outcome| outcome.severity);
        assert_eq!(found(&run), None);
        let Workload::Task(task) = &mut run.workload else {
            panic!("{:?}", run.workload)
        };
        task.cache = Some(CacheMode::Cold);
        assert_eq!(found(&run), Some(Severity::Warn));
        // A library that another program has mapped is a small part of a large tree.
        for (cached, severity) in [
            (Bytes::ZERO, None),
            (Bytes::mib(2), Some(Severity::Info)),
            (Bytes::mib(200), Some(Severity::Invalid)),
        ] {
            run.circumstances.cache_before = Some(CacheHeld {
                size: Bytes::gib(1),
                cached,
                ..CacheHeld::default()
            });
            assert_eq!(found(&run), severity, "{cached}");
        }
        let memory = over(FsDetail::Memory {
            limit: None,
            huge: None,
        });
        run.circumstances.environment = memory.circumstances.environment;
        assert_eq!(found(&run), Some(Severity::Warn));
        let advice = super::run(&facts(&run)).unwrap().advice.unwrap();
        assert!(!advice.contains("--cache"), "{advice}");
    }

    #[test]
    fn a_cold_run_with_pages_in_memory_and_a_warm_one_without_are_caught() {
        let mut run = read_run();
        let held = |cached| {
            Some(CacheHeld {
                size: Bytes::mib(256),
                cached: Bytes(cached),
                ..CacheHeld::default()
            })
        };
        run.circumstances.cache_before = held(4096);
        assert_eq!(super::run(&facts(&run)), None);
        for (mode, good, bad) in [
            (CacheMode::Cold, 0, 20_480),
            (CacheMode::Limited(Bytes::mib(8)), 0, 20_480),
            (CacheMode::Warm, 256 << 20, 250 << 20),
        ] {
            run.workload.io_mut().unwrap().cache = mode;
            run.circumstances.cache_before = held(good);
            assert_eq!(super::run(&facts(&run)), None, "{mode}");
            run.circumstances.cache_before = held(bad);
            let outcome = super::run(&facts(&run)).unwrap();
            assert_eq!(outcome.severity, Severity::Invalid, "{mode}");
        }
        // One page decides nothing, unless it is all of the file.
        run.workload.io_mut().unwrap().cache = CacheMode::Cold;
        run.circumstances.cache_before = held(4096);
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Info);
        run.circumstances.cache_before.as_mut().unwrap().size = Bytes(4096);
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        run.circumstances.cache_before = None;
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
    }
}
