//! Passes one after the other, until enough were made.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use etalon_model::Run;
use etalon_workload::measurable::Pass;

use super::schedule::Schedule;
use crate::witness::tell;
use crate::{Event, ExperimentError, Witness};

/// The groups of cells of one experiment, and how a pass over each is made.
pub trait Session {
    /// The groups that block number `block` has, which `runs` leave open; none when it is enough.
    ///
    /// # Errors
    /// Whatever ends the experiment.
    fn open(
        &mut self,
        block: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError>;

    /// The block to begin with, where `runs` were made before: the one behind them, unless blocks may
    /// have been left incomplete and are filled up. A run that was cut short is made anew.
    fn first_block(&self, runs: &[Run]) -> u32 {
        let whole = runs.iter().filter(|run| !run.is_cut());
        whole.map(|run| run.block + 1).max().unwrap_or(0)
    }

    /// How many passes a group has, which follow one another.
    fn steps(&self, _group: usize) -> usize {
        1
    }

    /// Makes one pass and judges its runs.
    ///
    /// # Errors
    /// Whatever ends the experiment.
    fn pass(&mut self, step: Step, witness: &mut dyn Witness) -> Result<Vec<Run>, ExperimentError>;

    /// Whether nothing may follow the pass that was just made.
    fn is_over(&self) -> bool {
        false
    }

    /// The runs of passes that were made and not handed on yet.
    fn rest(&mut self) -> Vec<Run> {
        Vec::new()
    }
}

/// One pass of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The group.
    pub group: usize,
    /// Which of its passes, from 0.
    pub step: usize,
    /// The pass, which begins now.
    pub begun: BegunPass,
}

/// A pass and since when it is got ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BegunPass {
    /// Which one.
    pub pass: Pass,
    /// What lies behind this moment belongs to the time that it took.
    pub since: Instant,
}

impl BegunPass {
    /// That pass, which begins now.
    pub fn now(pass: Pass) -> BegunPass {
        let since = Instant::now();
        BegunPass { pass, since }
    }
}

/// Makes passes until no group is open, `stop` is set or the session is over. Runs that stand in `runs`
/// already are counted, and the blocks go on behind them. Each run is told to
/// `witness` the moment it is judged and stands in `runs`, also where an error ends the rest.
///
/// # Errors
/// That of the session or of the witness.
pub fn repeat(
    session: &mut dyn Session,
    schedule: Schedule,
    stop: &AtomicBool,
    witness: &mut dyn Witness,
    runs: &mut Vec<Run>,
) -> Result<(), ExperimentError> {
    let made = passes(session, schedule, stop, witness, runs);
    for run in session.rest() {
        tell(witness, Event::Ended { run: &run })?;
        runs.push(run);
    }
    made
}

fn passes(
    session: &mut dyn Session,
    schedule: Schedule,
    stop: &AtomicBool,
    witness: &mut dyn Witness,
    runs: &mut Vec<Run>,
) -> Result<(), ExperimentError> {
    for block in session.first_block(runs).. {
        let open = session.open(block, runs, witness)?;
        if open.is_empty() {
            break;
        }
        for at in schedule.order(open.len(), block) {
            let group = open[at];
            for step in 0..session.steps(group) {
                let pass = Pass {
                    block,
                    position: u32::try_from(runs.len()).unwrap_or(u32::MAX),
                };
                let begun = BegunPass::now(pass);
                for run in session.pass(Step { group, step, begun }, witness)? {
                    tell(witness, Event::Ended { run: &run })?;
                    runs.push(run);
                }
                if session.is_over() || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}
