//! The state that a device is brought into before it is measured (SNIA Solid State Storage Performance Test Specification
//! 2.0.2, purge, workload-independent and workload-dependent preconditioning).

use etalon_engine::Control;
use etalon_factor::condition::{Applied, Ground, factor};
use etalon_model::{Backend, BlockSizes, End, IoWorkload, LevelFact, LevelRecord, Operation, Run};
use etalon_units::{ByteRate, Bytes, OpRate};
use etalon_workload::measurable::Pass;
use std::collections::HashSet;
use std::time::Instant;

use super::request::PlanRequest;
use super::rounds::{Round, is_steady, outcome};
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
/// plan asks for nothing. No round begins beyond `until`, where the plan's budget ends.
pub(super) fn precondition(
    request: &PlanRequest,
    control: &Control,
    standing: &Standing,
    until: Option<Instant>,
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
        until,
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
    until: Option<Instant>,
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

    /// Rounds of every workload until the first one is steady by its last five.
    fn rounds(
        &self,
        most: u32,
        witness: &mut dyn Witness,
    ) -> Result<Vec<LevelFact>, ExperimentError> {
        let size = self.held_size();
        let mut rounds: Vec<Round> = Vec::new();
        let mut facts = Vec::new();
        while rounds.len() < most as usize && !is_steady(&rounds, size) {
            if self.until.is_some_and(|end| Instant::now() >= end) {
                facts.push(LevelFact::words("rounds ended by", "the budget"));
                break;
            }
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
                round.course = whole_slices(&run);
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

/// Operations in each slice of the run; the last one is cut off by its end.
fn whole_slices(run: &Run) -> Vec<f64> {
    let series = &run.measurement.series;
    let whole = series.iter().take(series.len().saturating_sub(1));
    whole.map(|point| point.operations as f64).collect()
}
