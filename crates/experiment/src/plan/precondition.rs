//! The state that a device is brought into before it is measured (SNIA Solid State Storage Performance Test Specification
//! 2.0.2, purge, workload-independent and workload-dependent preconditioning).

use etalon_engine::Control;
use etalon_factor::condition::{Applied, Ground, factor};
use etalon_model::{Backend, BlockSizes, End, IoWorkload, LevelFact, LevelRecord, Operation, Run};
use etalon_stats::{SNIA_ROUNDS, snia_check};
use etalon_units::{ByteRate, Bytes, OpRate, Percent};
use etalon_workload::measurable::Pass;
use std::collections::HashSet;

use super::request::PlanRequest;
use super::standing::{Standing, hold};
use crate::run::{BegunPass, Runner};
use crate::witness::tell;
use crate::work_place::{self, WorkPlace};
use crate::{Event, ExperimentError, Site, Witness};

/// One write of a fill.
const FILL_BLOCK: Bytes = Bytes::kib(128);
/// Writes of a fill that are in flight.
const FILL_DEPTH: u32 = 32;

/// Brings the device of a plot into its state; what was done and what each round gave is its record. Nothing where the
/// plan asks for nothing.
pub(super) fn precondition(
    request: &PlanRequest,
    control: &Control,
    standing: &Standing,
    told: &mut HashSet<u64>,
    witness: &mut dyn Witness,
) -> Result<Option<LevelRecord>, ExperimentError> {
    let asked = request.precondition;
    if !asked.is_any() {
        return Ok(None);
    }
    let site = Site::look(&standing.factors.target)?;
    if !work_place::writes_device(&site, &request.io()) {
        return Err(ExperimentError::NoDeviceToPrecondition {
            target: site.path.clone(),
        });
    }
    let mut facts = Vec::new();
    // What lies on it is told before any of it goes.
    drop(hold(&site, &request.destroy, told, witness)?);
    if asked.purge {
        facts.extend(purge(&standing.factors)?);
    }
    let held = hold(&site, &request.destroy, told, witness)?;
    let state = State {
        request,
        control,
        site: &site,
        held: &held,
    };
    for number in 1..=asked.fills {
        facts.push(state.fill(number, witness)?);
    }
    if asked.rounds > 0 {
        facts.extend(state.rounds(asked.rounds, witness)?);
    }
    Ok(Some(LevelRecord {
        factor: "precondition".to_owned(),
        level: asked.name(),
        facts,
        rebuild: None,
    }))
}

/// Discards everything, as the factor `discard` does; a device that takes no discard says so in the record.
fn purge(ground: &Ground) -> Result<Vec<LevelFact>, ExperimentError> {
    let level = factor("discard").map(|factor| factor.parse(&"blkdiscard".into()));
    let Some(Ok(level)) = level else {
        return Ok(Vec::new());
    };
    let mut applied: Box<dyn Applied> = level.apply(ground)?;
    if let Err(why) = applied.before_run() {
        return Ok(vec![LevelFact::words("purged", format!("no: {why}"))]);
    }
    Ok(applied.facts().into_iter().take(2).collect())
}

/// A device that is held while it is written over.
struct State<'a> {
    request: &'a PlanRequest,
    control: &'a Control,
    site: &'a Site,
    held: &'a WorkPlace,
}

impl State<'_> {
    fn run(&self, name: &str, workload: &IoWorkload) -> Result<Run, ExperimentError> {
        self.held.check()?;
        let runner = Runner::new(self.site, self.control, false);
        let mut work = runner.ready(name, workload, &self.held.place)?;
        runner.run(&mut work, BegunPass::now(Pass::default()), None)
    }

    fn fill(&self, number: u32, witness: &mut dyn Witness) -> Result<LevelFact, ExperimentError> {
        let name = format!("fill {number}");
        tell(witness, Event::Running { cell: &name })?;
        let workload = IoWorkload {
            operation: Operation::Write,
            block_size: BlockSizes::One(FILL_BLOCK),
            queue_depth: FILL_DEPTH,
            backend: Backend::IoUring,
            direct: true,
            end: End::Pass,
            seed: self.request.seed.wrapping_add(u64::from(number)),
            ..IoWorkload::default()
        };
        let run = self.run(&name, &workload)?;
        let m = &run.measurement;
        let amount = format!(
            "{} in {}, {}",
            m.bytes(),
            m.duration,
            ByteRate(run.figure())
        );
        Ok(LevelFact::words(&name, amount))
    }

    /// Rounds of every workload until the last five of the first one pass the specification's rule and wrote as much as the
    /// device holds: five rounds that are short against it pass while it still drifts.
    fn rounds(
        &self,
        most: u32,
        witness: &mut dyn Witness,
    ) -> Result<Vec<LevelFact>, ExperimentError> {
        let size = self.held_size();
        let mut rounds: Vec<Round> = Vec::new();
        let mut facts = Vec::new();
        while rounds.len() < most as usize && !is_steady(&rounds, size) {
            let number = rounds.len() as u32 + 1;
            let round = self.round(number, witness)?;
            facts.push(LevelFact {
                name: format!("round {number}"),
                value: round.text.clone().into(),
            });
            rounds.push(round);
        }
        facts.push(LevelFact::words("steady", outcome(&rounds, size)));
        Ok(facts)
    }

    fn held_size(&self) -> Bytes {
        let path = self.site.path.as_path();
        etalon_factor::guard::device_size(path).unwrap_or(Bytes(u64::MAX))
    }

    fn round(&self, number: u32, witness: &mut dyn Witness) -> Result<Round, ExperimentError> {
        let mut round = Round::default();
        for (place, named) in self.request.workloads.iter().enumerate() {
            let name = format!("round {number}: {}", named.name);
            tell(witness, Event::Running { cell: &name })?;
            // Real work takes a directory, and this is a device.
            let Some(workload) = named.task.io() else {
                continue;
            };
            let run = self.run(&name, &self.of_round(workload, number))?;
            round.written += run.measurement.writes.bytes.get();
            if place == 0 {
                round.figure = run.figure();
                round.text = match run.unit() {
                    etalon_model::Unit::BytesPerSecond => ByteRate(run.figure()).to_string(),
                    _ => OpRate(run.figure()).to_string(),
                };
            }
        }
        Ok(round)
    }

    fn of_round(&self, workload: &IoWorkload, number: u32) -> IoWorkload {
        let mut workload = workload.clone();
        // Other places than those of the measured runs.
        workload.seed = !self.request.seed.wrapping_add(u64::from(number));
        workload
    }
}

/// What a round gave.
#[derive(Debug, Clone, Default)]
struct Round {
    /// Of the first workload.
    figure: f64,
    text: String,
    /// Bytes that all workloads wrote.
    written: u64,
}

/// The last five.
fn window(rounds: &[Round]) -> Option<&[Round]> {
    rounds
        .len()
        .checked_sub(SNIA_ROUNDS)
        .map(|from| &rounds[from..])
}

fn is_steady(rounds: &[Round], size: Bytes) -> bool {
    let Some(window) = window(rounds) else {
        return false;
    };
    let written: u64 = window.iter().map(|round| round.written).sum();
    check(window).is_some_and(|found| found.passes()) && written >= size.get()
}

fn check(window: &[Round]) -> Option<etalon_stats::SniaCheck> {
    let figures: Vec<f64> = window.iter().map(|round| round.figure).collect();
    let figures: [f64; SNIA_ROUNDS] = figures.try_into().ok()?;
    Some(snia_check(&figures))
}

fn outcome(rounds: &[Round], size: Bytes) -> String {
    let Some((window, found)) = window(rounds).and_then(|w| Some((w, check(w)?))) else {
        return format!("not known: {} rounds, and 5 are the fewest", rounds.len());
    };
    let written: u64 = window.iter().map(|round| round.written).sum();
    let is_reached = match is_steady(rounds, size) {
        true => format!("yes, after {} rounds", rounds.len()),
        false => format!("not reached in {} rounds", rounds.len()),
    };
    format!(
        "{is_reached}: of the last five the range is {}, the rise {}, and they wrote {} of the device",
        Percent::from_fraction(found.range),
        Percent::from_fraction(found.rise),
        Percent::from_fraction(written as f64 / size.as_f64()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(figures: &[f64], written: u64) -> Vec<Round> {
        let round = |&figure: &f64| Round {
            figure,
            written,
            ..Round::default()
        };
        figures.iter().map(round).collect()
    }

    #[test]
    fn five_rounds_are_steady_that_pass_the_rule_and_wrote_the_device() {
        let size = Bytes::mib(100);
        let flat = [300.0, 100.0, 101.0, 99.0, 100.0, 100.0];
        let whole = size.get() / 5;
        assert!(is_steady(&rounds(&flat, whole), size));
        assert!(
            !is_steady(&rounds(&flat, whole - 1), size),
            "too little was written"
        );
        assert!(
            !is_steady(&rounds(&flat[..5], whole), size),
            "the range is too wide"
        );
        assert!(
            !is_steady(&rounds(&flat[2..], whole), size),
            "four are no window"
        );
        let falls = [110.0, 107.0, 104.0, 101.0, 98.0];
        assert!(!is_steady(&rounds(&falls, whole), size), "it falls by 12 %");
        let told = outcome(&rounds(&flat, whole), size);
        assert!(
            told.starts_with("yes, after 6 rounds: of the last five"),
            "{told}"
        );
        let told = outcome(&rounds(&falls, whole), size);
        assert!(told.starts_with("not reached in 5 rounds"), "{told}");
    }
}
