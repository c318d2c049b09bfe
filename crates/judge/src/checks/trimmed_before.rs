//! Trims of what was free already.

use etalon_model::{Run, Severity};
use etalon_units::{Bytes, Percent};

use crate::check::{CellFacts, Check, Outcome};
use crate::sentence::said;

/// Share of the trims that may come to blocks that were trimmed before.
const FEW: f64 = 0.05;

pub(crate) const CHECK: Check = Check {
    code: "trimmed-before",
    about: "Blocks were trimmed again without having been written in between: what is free already costs a device next to nothing.",
    advice: "Trim each block once, in fewer or shorter runs or over a larger range, and write the device before it is done again.",
    short_about: Some("Blocks that were free already were trimmed again."),
    short_advice: Some("Write the device, or trim each block once."),
    ..Check::of_cell(cell)
};

fn cell(facts: &CellFacts) -> Option<Outcome> {
    let first = facts.runs.first()?;
    // What is written after each trim is not free when its turn comes again.
    if !first.measurement.writes.is_none() {
        return None;
    }
    let of = |run: &&Run| run.measurement.trims.bytes.get();
    let trimmed = Bytes(facts.runs.iter().map(of).sum());
    let set = range(first)?;
    let again = trimmed.get().saturating_sub(set.get()) as f64 / trimmed.as_f64().max(1.0);
    (again > FEW).then(|| {
        let message = said!(
            "{trimmed} were trimmed of {set}: {share} of it, at least, had been trimmed before.",
            trimmed = trimmed,
            set = set,
            share = Percent::from_fraction(again),
        );
        let evidence = [
            ("trimmed_bytes", trimmed.as_f64()),
            ("range_bytes", set.as_f64()),
        ];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

/// What the trims went over: a part that was asked for, or the device.
fn range(run: &Run) -> Option<Bytes> {
    let device = || Some(run.environment()?.stack.top_devices().first()?.size);
    run.working_set().or_else(device)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::read_run;
    use etalon_model::{OpTotals, Operation};
    use etalon_stats::Sample;

    fn found(each: Bytes, runs: usize, range: Bytes) -> bool {
        let mut run = read_run();
        let io = run.workload.io_mut().unwrap();
        (io.operation, io.range) = (Operation::RandTrim, range);
        run.measurement.trims = OpTotals {
            operations: 1,
            bytes: each,
            ..OpTotals::default()
        };
        let runs: Vec<&Run> = std::iter::repeat_n(&run, runs).collect();
        let facts = CellFacts {
            runs: &runs,
            sample: &Sample::new(vec![1.0]).unwrap(),
        };
        cell(&facts).is_some()
    }

    #[test]
    fn a_range_that_is_trimmed_once_is_and_one_that_is_trimmed_again_is_told() {
        let range = Bytes::gib(1);
        assert!(!found(Bytes::mib(128), 8, range));
        assert!(found(Bytes::mib(256), 8, range));
        assert!(found(Bytes::gib(3), 1, range));
        // Reads trim nothing.
        assert!(!found(Bytes::ZERO, 8, range));
    }

    #[test]
    fn a_block_that_is_written_after_each_trim_is_not_trimmed_before() {
        let mut run = read_run();
        run.workload.io_mut().unwrap().range = Bytes::gib(1);
        let pairs = OpTotals {
            operations: 1,
            bytes: Bytes::gib(4),
            ..OpTotals::default()
        };
        (run.measurement.trims, run.measurement.writes) = (pairs.clone(), pairs);
        let facts = CellFacts {
            runs: &[&run],
            sample: &Sample::new(vec![1.0]).unwrap(),
        };
        assert!(cell(&facts).is_none());
    }
}
