//! Data that was still in memory when the clock stopped.

use etalon_model::{Run, Severity};
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{LEFT, Levels};
use crate::sentence::said;
use crate::value::TOLERATED;

/// What may still be in memory without changing the figure.
const LEVELS: Levels<'_> = &[(TOLERATED, Severity::Invalid), (0.0, Severity::Info)];

pub(crate) const CHECK: Check = Check {
    code: "dirty-left",
    about: "When the run ended, part of what it wrote was dirty in the page cache.",
    advice: "Write with fsync inside the clock (--fsync end) or with O_DIRECT.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let own = written(run);
    let after = run.circumstances.cache_after?;
    let left = Bytes(after.dirty?.get().saturating_add(after.writeback?.get()));
    if own == Bytes::ZERO || left == Bytes::ZERO {
        return None;
    }
    let share = left.as_f64() / own.as_f64();
    let found = LEFT.grade_missing(left.as_f64(), own.as_f64(), LEVELS)?;
    let message = said!(
        "{left} of the {own} written were still in memory when the run ended, {share} of them.",
        left = left,
        own = own,
        share = Percent::from_fraction(share),
    );
    let evidence = [("left_bytes", left.as_f64()), ("own_bytes", own.as_f64())];
    Some(Outcome::new(found.severity, found.say(message), &evidence))
}

/// Bytes that it wrote, warm-up included: of all of them pages may be left.
fn written(run: &Run) -> Bytes {
    let timed = run.measurement.writes.bytes;
    run.own_written().map_or(timed, |all| all.max(timed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, task_run, write_run};
    use etalon_model::{CacheHeld, TaskFigure};

    #[test]
    fn dirty_pages_are_told_and_many_of_them_invalidate() {
        let mut run = write_run();
        let held = |dirty| {
            Some(CacheHeld {
                dirty: Some(dirty),
                writeback: Some(Bytes::ZERO),
                ..CacheHeld::default()
            })
        };
        run.circumstances.cache_after = held(Bytes::ZERO);
        assert_eq!(super::run(&facts(&run)), None);
        for (dirty, severity) in [(1, Severity::Info), (128, Severity::Invalid)] {
            run.circumstances.cache_after = held(Bytes::mib(dirty));
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
        run.measurement.writes.bytes = Bytes::kib(64);
        run.measurement.bytes_with_warm_up = Bytes::kib(64);
        for (kib, severity) in [
            (4, Severity::Info),
            (32, Severity::Invalid),
            (64, Severity::Invalid),
        ] {
            run.circumstances.cache_after = held(Bytes::kib(kib));
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
    }

    #[test]
    fn pages_of_the_warm_up_are_held_against_its_bytes_too() {
        let mut run = write_run();
        run.measurement.bytes_with_warm_up = Bytes::mib(1024);
        run.circumstances.cache_after = Some(CacheHeld {
            dirty: Some(Bytes::mib(512)),
            writeback: Some(Bytes::ZERO),
            ..CacheHeld::default()
        });
        let message = super::run(&facts(&run)).unwrap().message.to_string();
        let told = "512 MiB of the 1 GiB written were still in memory when the run ended, 50 %";
        assert!(message.starts_with(told), "{message}");
    }

    #[test]
    fn real_work_that_read_as_well_is_held_against_what_it_wrote() {
        let mut run = task_run(TaskFigure::Time);
        run.measurement.reads.bytes = Bytes::mib(64);
        run.measurement.writes.bytes = Bytes::mib(64);
        run.circumstances.cache_after = Some(CacheHeld {
            dirty: Some(Bytes::mib(32)),
            writeback: Some(Bytes::ZERO),
            ..CacheHeld::default()
        });
        let message = super::run(&facts(&run)).unwrap().message.to_string();
        assert!(message.starts_with("32 MiB of the 64 MiB"), "{message}");
    }
}
