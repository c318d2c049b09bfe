//! Reads of what was never written, and copies that leave out what would be zero.

use etalon_model::{Run, Severity};
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{HOLES, Levels};
use crate::sentence::said;

/// Share of the files that may be missing without changing the figure.
const LEVELS: Levels<'_> = &[(0.01, Severity::Invalid)];

pub(crate) const CHECK: Check = Check {
    code: "holes",
    about: "Part of the files that were read or copied to has no blocks, or blocks that were never written: no device moves their bytes.",
    advice: "Write the files in full before reading them (dd without conv=sparse, not truncate or fallocate).",
    ..Check::of_run(run)
};

/// Of a copy whose output has holes.
const SPARSE: &str = "Leave conv=sparse out, or read the rate as that of the copy alone.";

fn run(facts: &Facts) -> Option<Outcome> {
    read(facts.run).or_else(|| sought_over(facts.run))
}

/// What dd counts as written and sought over: its rate is that of all blocks of the output.
fn sought_over(run: &Run) -> Option<Outcome> {
    let m = &run.measurement;
    let is_copy = run.workload.task().is_some_and(|task| task.work == "dd");
    if !is_copy || m.reads.operations > 0 {
        return None;
    }
    let counted = Bytes(m.jobs.iter().map(|job| job.bytes.get()).sum());
    let holes = Bytes(counted.get().saturating_sub(m.writes.bytes.get()));
    let found = HOLES.grade_missing(holes.as_f64(), counted.as_f64(), LEVELS)?;
    let message = said!(
        "of the {counted} that the rate counts, {holes} were sought over and not written ({share}): no device took them.",
        counted = counted,
        holes = holes,
        share = Percent::from_fraction(holes.as_f64() / counted.as_f64()),
    );
    let evidence = [
        ("counted_bytes", counted.as_f64()),
        ("hole_bytes", holes.as_f64()),
    ];
    Some(Outcome::new(found.severity, found.say(message), &evidence).advising(SPARSE))
}

fn read(run: &Run) -> Option<Outcome> {
    let files = run.circumstances.files?;
    if run.measurement.reads.bytes == Bytes::ZERO || files.size == Bytes::ZERO {
        return None;
    }
    let unwritten = files.unwritten.unwrap_or_default();
    let missing = files.holes.get().saturating_add(unwritten.get());
    let share = missing as f64 / files.size.as_f64();
    let found = HOLES.grade_missing(missing as f64, files.size.as_f64(), LEVELS)?;
    let message = said!(
        "of the files' {size}, {holes} are holes and {unwritten} were reserved and never written ({share} together): no device is read for them.",
        size = files.size,
        holes = files.holes,
        unwritten = unwritten,
        share = Percent::from_fraction(share),
    );
    let evidence = [
        ("size_bytes", files.size.as_f64()),
        ("hole_bytes", files.holes.as_f64()),
        ("unwritten_bytes", unwritten.as_f64()),
    ];
    Some(Outcome::new(found.severity, found.say(message), &evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run, task_run};
    use etalon_model::{FileFacts, JobTotals, TaskFigure, TaskWorkload};
    use etalon_units::Nanos;

    #[test]
    fn a_copy_that_sought_over_zeros_is_caught() {
        let of = |work: &str, written: u64| {
            let mut run = task_run(TaskFigure::Throughput);
            let texts = Default::default();
            run.workload =
                TaskWorkload::of_texts(work, "copy", TaskFigure::Throughput, texts).into();
            run.measurement.jobs = vec![JobTotals {
                operations: 100,
                bytes: Bytes::mib(100),
                duration: Nanos::secs(1),
            }];
            run.measurement.writes.bytes = Bytes::mib(written);
            super::run(&facts(&run))
        };
        for (written, is_caught) in [(100, false), (30, true), (0, true)] {
            assert_eq!(of("dd", written).is_some(), is_caught, "{written}");
        }
        let found = of("dd", 30).unwrap();
        assert_eq!(found.severity, Severity::Invalid);
        assert!(found.message.contains("70 MiB were sought over"));
        assert_eq!(of("archive", 30), None);
    }

    #[test]
    fn a_truncated_file_and_a_reserved_one_are_caught() {
        let mut run = read_run();
        let full = FileFacts {
            size: Bytes::mib(256),
            ..FileFacts::default()
        };
        let truncated = FileFacts {
            holes: Bytes::mib(256),
            ..full
        };
        let reserved = FileFacts {
            unwritten: Some(Bytes::mib(100)),
            ..full
        };
        for (files, caught) in [(full, false), (truncated, true), (reserved, true)] {
            run.circumstances.files = Some(files);
            assert_eq!(super::run(&facts(&run)).is_some(), caught);
        }
        for (holes, severity) in [(4, Severity::Info), (64, Severity::Invalid)] {
            run.circumstances.files = Some(FileFacts {
                size: Bytes::kib(64),
                holes: Bytes::kib(holes),
                ..FileFacts::default()
            });
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
    }
}
