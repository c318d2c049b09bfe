//! Random accesses over a small part of a disk.

use etalon_model::{Order, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{figure, said};

/// Below this share of a disk that turns, seeks are shorter by so much that the figure is another one.
const TURNING: f64 = 0.5;
/// Of a disk that does not say whether it turns.
const UNKNOWN: f64 = 0.1;

pub(crate) const CHECK: Check = Check {
    code: "short-stroked",
    about: "Random accesses over a small part of a disk that turns, or may turn: its arm moves less than in daily use.",
    advice: "Use a larger file (--file-size), or measure the device itself, which is read over all of its size.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let disks = run.circumstances.beneath.as_ref()?.disks?;
    let operation = run.workload.io()?.operation;
    let random = operation.order() == Order::Random && !operation.trims();
    let set = run.working_set()?;
    let share = set.as_f64() / disks.size.as_f64().max(1.0);
    let severity = match disks.rotational {
        Some(true) if share < TURNING => Severity::Warn,
        None if share < UNKNOWN => Severity::Info,
        _ => return None,
    };
    random.then(|| {
        let message = said!(
            "random accesses went over {set} of {size}, {share} of the disk.",
            set = set,
            size = disks.size,
            share = figure(Percent::from_fraction(share).in_needed_digits()),
        );
        let evidence = [
            ("working_set_bytes", set.as_f64()),
            ("disk_bytes", disks.size.as_f64()),
        ];
        Outcome::new(severity, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::{BeneathFacts, DiskFacts, FileFacts, Operation, Run};
    use etalon_units::Bytes;

    fn over(set: Bytes, rotational: Option<bool>) -> Run {
        let mut run = read_run();
        run.circumstances.files = Some(FileFacts {
            size: set,
            ..FileFacts::default()
        });
        run.circumstances.beneath = Some(BeneathFacts {
            disks: Some(DiskFacts {
                size: Bytes::gib(100),
                rotational,
                cache: None,
            }),
            ..BeneathFacts::default()
        });
        run
    }

    #[test]
    fn a_small_part_of_a_disk_that_turns_is_told_and_all_of_it_is_not() {
        for (gib, rotational, severity) in [
            (2, Some(true), Some(Severity::Warn)),
            (60, Some(true), None),
            (2, None, Some(Severity::Info)),
            (20, None, None),
            (2, Some(false), None),
        ] {
            let run = over(Bytes::gib(gib), rotational);
            let found = super::run(&facts(&run)).map(|outcome| outcome.severity);
            assert_eq!(found, severity, "{gib} {rotational:?}");
        }
    }

    #[test]
    fn streams_do_not_seek() {
        let mut run = over(Bytes::gib(2), Some(true));
        run.workload.io_mut().unwrap().operation = Operation::Read;
        assert_eq!(super::run(&facts(&run)), None);
    }
}
