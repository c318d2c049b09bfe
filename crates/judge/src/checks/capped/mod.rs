//! Limits that are not the storage's.

mod device;
mod processor;
mod queue;

use etalon_model::{Run, Severity};
use etalon_units::Bytes;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

pub(crate) const CHECK: Check = Check {
    code: "capped",
    about: "A limit set on this machine held the figure, not the storage.",
    advice: "Lift the limit and measure again.",
    ..Check::of_run_and_cell(run, device::together)
};

/// What to do about a limit that a plan sets.
const DECLARED: &str = "Read it as the figure of that level.";

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let reached = [
        device::of_device(run),
        processor::of_processor(run),
        queue::of_queue(run),
    ];
    let reached = reached.into_iter().flatten();
    reached.max_by_key(|outcome| outcome.severity)
}

/// Whether a plan set the limit, as a level of this factor: one of this amount, or one with a name of its own.
fn is_level(run: &Run, factor: &str, amount: u64) -> bool {
    let levels = run.circumstances.levels.iter();
    let mut own = levels.filter(|level| level.factor == factor && level.level != "none");
    own.any(|level| match level.level.parse::<Bytes>() {
        Ok(said) => said.get() == amount,
        Err(_) => true,
    })
}

/// What is being compared is no lie.
fn as_declared(factor: &str, message: Sentence, evidence: &[(&str, f64)]) -> Outcome {
    let message = said!("as the plan declares ({factor}):", factor = factor).then(message);
    Outcome::new(Severity::Info, message, evidence).advising(DECLARED)
}
