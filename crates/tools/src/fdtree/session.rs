//! Trees one after the other, observed and judged like every other measurement.

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use etalon_experiment::run::{self, BegunPass, Observer, Step};
use etalon_experiment::{ExperimentError, Witness};
use etalon_factor::Journal;
use etalon_model::Run;
use etalon_workload::measurable::{EndedPart, PassReport};
use etalon_workload::tree::{PhaseRecord, TreeError, TreeSettings, root_of, run_in};
use etalon_workload::{Measurable, PartWitness};
use jiff::Zoned;

use super::kept;
use super::options::Options;
use super::output;

/// All trees of a command line.
pub(super) struct FdtreeSession<'a> {
    pub(super) options: &'a Options,
    /// None where the starting directory cannot be looked at, which the first tree will say.
    pub(super) observer: Option<Observer<'a>>,
    pub(super) out: &'a mut dyn Write,
    pub(super) err: &'a mut dyn Write,
    pub(super) stop: &'a AtomicBool,
    pub(super) journal: Option<&'a Journal>,
    /// Whether the lines could be written.
    pub(super) output: io::Result<()>,
    pub(super) failure: Option<Failure>,
}

/// What ended the work.
pub(super) struct Failure {
    pub(super) error: TreeError,
    /// How many phases of that tree were done; none where it could not be begun.
    pub(super) phases: Option<usize>,
}

impl FdtreeSession<'_> {
    fn head(&mut self, root: &std::path::Path) -> io::Result<()> {
        let shape = &self.options.tree.shape;
        output::header(self.out, root, shape)?;
        if self.options.debug {
            output::levels(self.err, shape)?;
        }
        self.out.flush()
    }

    /// One tree at `root`, with its lines.
    fn tree(&mut self, root: PathBuf, begun: BegunPass) -> Result<Vec<Run>, ExperimentError> {
        let origin = Zoned::now();
        let mut tree = Tree {
            options: self.options,
            seed: begun.pass.seed(0),
            stop: self.stop,
            journal: self.journal,
            root,
            phases: Vec::new(),
            made: None,
        };
        let runs = match &self.observer {
            Some(observer) => observer.observe(&mut tree, begun, None)?.runs,
            None => {
                tree.make(&());
                Vec::new()
            }
        };
        let Tree { phases, made, .. } = tree;
        self.output = output::show(self.options, &phases, &origin, self.out, self.err);
        if let Some(Err(error)) = made {
            self.failure = Some(Failure {
                error,
                phases: Some(phases.len()),
            });
        }
        Ok(runs)
    }
}

impl run::Session for FdtreeSession<'_> {
    fn open(
        &mut self,
        block: u32,
        _runs: &[Run],
        _witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        let goes_on = block < self.options.runs;
        Ok(if goes_on { vec![0] } else { Vec::new() })
    }

    fn pass(
        &mut self,
        step: Step,
        _witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let root = match root_of(&self.options.tree, step.begun.pass.block + 1) {
            Ok(root) => root,
            Err(error) => {
                let phases = None;
                self.failure = Some(Failure { error, phases });
                return Ok(Vec::new());
            }
        };
        self.output = self.head(&root);
        match self.output {
            Ok(()) => self.tree(root, step.begun),
            Err(_) => Ok(Vec::new()),
        }
    }

    fn is_over(&self) -> bool {
        self.failure.is_some() || self.output.is_err()
    }
}

/// One tree.
struct Tree<'t> {
    options: &'t Options,
    seed: u64,
    stop: &'t AtomicBool,
    journal: Option<&'t Journal>,
    root: PathBuf,
    phases: Vec<PhaseRecord>,
    made: Option<Result<(), TreeError>>,
}

impl Tree<'_> {
    fn make(&mut self, witness: &dyn PartWitness) {
        let root = self.root.clone();
        let settings = TreeSettings {
            seed: self.seed,
            ..self.options.tree.clone()
        };
        let made = run_in(&settings, root, (self.stop, witness), self.journal);
        self.made = Some(match made {
            Ok(record) => {
                self.phases = record.phases;
                Ok(())
            }
            Err((error, phases)) => {
                self.phases = phases;
                Err(error)
            }
        });
    }
}

impl Measurable for Tree<'_> {
    type Error = Infallible;

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), Infallible> {
        self.make(witness);
        Ok(())
    }

    fn report(&mut self, _ended: &[EndedPart]) -> PassReport {
        let phases = self.phases.iter();
        PassReport {
            parts: phases
                .map(|phase| kept::report(phase, self.options))
                .collect(),
            ..PassReport::default()
        }
    }
}
