//! The state that a device is brought into before it is measured (SNIA Solid State Storage Performance Test Specification
//! 2.0.2, purge, workload-independent and workload-dependent preconditioning).

use etalon_engine::Control;
use etalon_factor::condition::{Applied, Ground, factor};
use etalon_model::{
    Backend, BlockSizes, End, FactValue, IoWorkload, LevelFact, LevelRecord, Operation, Run,
};
use etalon_units::{ByteRate, Bytes, OpRate};
use etalon_workload::measurable::Pass;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

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

/// The factor of its records.
const PRECONDITION: &str = "precondition";
/// The fact that says how long all of it took.
const TOOK: &str = "took";

/// What was done to the targets of a plan before their runs.
#[derive(Default)]
pub(super) struct Preconditioned {
    /// By the number of the target in the plan.
    records: HashMap<usize, LevelRecord>,
    /// What it took of devices that keep their state from plot to plot, for which it is done once.
    pub(super) once: Duration,
}

impl Preconditioned {
    /// What was done to a device that has kept its state since.
    pub(super) fn of(&self, request: &PlanRequest, target: usize) -> Option<LevelRecord> {
        let record = self.records.get(&target).cloned();
        record.filter(|_| !request.makes_the_target())
    }

    /// Keeps what was done to a target, and tells how long it took.
    pub(super) fn keep(
        &mut self,
        request: &PlanRequest,
        target: usize,
        record: &LevelRecord,
    ) -> Duration {
        let took = time_of(record);
        self.records.insert(target, record.clone());
        if !request.makes_the_target() {
            self.once += took;
        }
        took
    }
}

/// What all that was done before these runs took: their own time is without it.
pub(super) fn time_before(runs: &[Run]) -> Duration {
    let levels = runs.iter().flat_map(|run| &run.circumstances.levels);
    let mut told: Vec<&LevelRecord> = Vec::new();
    for record in levels.filter(|level| level.factor == PRECONDITION) {
        // All runs behind it carry the same record.
        if !told.contains(&record) {
            told.push(record);
        }
    }
    told.into_iter().map(time_of).sum()
}

fn time_of(record: &LevelRecord) -> Duration {
    let took = record.facts.iter().find(|fact| fact.name == TOOK);
    match took.map(|fact| &fact.value) {
        Some(FactValue::Figure { value, .. }) => {
            Duration::try_from_secs_f64(*value).unwrap_or_default()
        }
        _ => Duration::ZERO,
    }
}

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
    let (begun, mut facts) = (Instant::now(), Vec::new());
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
    facts.push(LevelFact::seconds(TOOK, begun.elapsed(), 1));
    Ok(Some(LevelRecord {
        factor: PRECONDITION.to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::request;
    use etalon_model::Measurement;
    use etalon_units::Nanos;

    fn record(seconds: u64) -> LevelRecord {
        LevelRecord {
            factor: PRECONDITION.to_owned(),
            facts: vec![LevelFact::seconds(TOOK, Nanos::secs(seconds), 1)],
            ..LevelRecord::default()
        }
    }

    #[test]
    fn each_target_has_its_own_state_and_one_that_is_made_anew_has_none() {
        let plan = |factor: &str| {
            let head = "question = \"Which?\"\n[[workload]]\nop = \"read\"\n[[factor]]\nname = ";
            request(&format!("{head}{factor}\n"))
        };
        let lasting = plan("\"nomerges\"\nlevels = [0, 2]");
        let mut known = Preconditioned::default();
        assert_eq!(known.keep(&lasting, 0, &record(5)), Duration::from_secs(5));
        assert_eq!(known.of(&lasting, 0), Some(record(5)));
        assert_eq!(known.of(&lasting, 1), None);
        known.keep(&lasting, 1, &record(7));
        assert_eq!(known.of(&lasting, 1), Some(record(7)));
        assert_eq!(known.once, Duration::from_secs(12));
        let made = plan("\"disk\"\nlevels = [\"zram\"]");
        assert_eq!(known.of(&made, 0), None);
        known.keep(&made, 0, &record(5));
        assert_eq!(known.once, Duration::from_secs(12), "it comes again");
    }

    #[test]
    fn what_was_done_before_many_runs_took_its_time_once() {
        let run = |seconds| {
            let mut run = Run::of(
                "r",
                IoWorkload::default(),
                Measurement::of_nothing(Nanos::secs(1)),
            );
            run.circumstances.levels = vec![record(seconds)];
            run
        };
        let runs = [run(5), run(5), run(7), run(5)];
        assert_eq!(time_before(&runs), Duration::from_secs(12));
        assert_eq!(time_before(&[]), Duration::ZERO);
    }
}
