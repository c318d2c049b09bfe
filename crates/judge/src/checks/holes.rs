//! Reads of what was never written.

use etalon_model::Severity;
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{HOLES, Levels};
use crate::sentence::said;

/// Share of the files that may be missing without changing the figure.
const LEVELS: Levels<'_> = &[(0.01, Severity::Invalid)];

pub(crate) const CHECK: Check = Check {
    code: "holes",
    about: "Part of the files that were read has no blocks, or blocks that were never written: reading them touches no device.",
    advice: "Write the files in full before reading them (dd without conv=sparse, not truncate or fallocate).",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
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
    use crate::samples::{facts, read_run};
    use etalon_model::FileFacts;

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
