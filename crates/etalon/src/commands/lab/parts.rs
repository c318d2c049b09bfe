//! A plan whose kernel is varied: each block boots a guest for each kernel, in random order, which makes the part of the
//! block that is this kernel's. What comes of them is one experiment.

use std::time::Instant;

use anyhow::bail;
use clap::{Args as _, Command, FromArgMatches as _};
use etalon_engine::Control;
use etalon_experiment::plan::{PlanRequest, PlanText, USUAL_BLOCKS, judge_parts};
use etalon_experiment::{Event, ExperimentError, Outcome, Witness as _, order_of_block};
use etalon_factor::condition::{KernelLevel, block_mark};
use etalon_judge::made_in_guest;
use etalon_lab::guest::RUN;
use etalon_model::{Choice, Experiment, ExperimentKind, Run, TargetRecord};
use etalon_store::Store;
use etalon_tools::Exit;
use etalon_units::Nanos;

use super::guest::{Ready, Station};
use super::kernel::ChosenKernel;
use super::network::MadeNetwork;
use super::run::{
    LabRunArgs, command_of, ended, is_stopped, kernel_factor, results_of, tell_last_lines,
    usual_target,
};
use crate::bench::{Bench, exit_of};
use crate::cli::{StrictArgs, WaitArgs};
use crate::commands::run::tell_plan;
use crate::exit::BadUsage;
use crate::plan::{Overrides, Stored, in_guest, request};

/// A plan that names its kernels.
pub(super) struct Parts<'a> {
    text: &'a str,
    /// The number of the factor.
    factor: usize,
}

/// What was measured so far.
#[derive(Default)]
struct Measured {
    target: TargetRecord,
    runs: Vec<Run>,
    choices: Vec<Choice>,
    interrupted: bool,
    failure: Option<String>,
}

/// Everything that boots a part.
struct Room<'a> {
    args: &'a LabRunArgs,
    network: Option<MadeNetwork>,
    text: &'a str,
    given: Overrides,
    request: PlanRequest,
    kernels: Vec<(KernelLevel, ChosenKernel)>,
    station: Station,
}

impl<'a> Parts<'a> {
    /// The parts of a plan with its text; none of one that leaves the kernel alone.
    pub(super) fn of((text, parsed): &'a (String, PlanText)) -> Option<Parts<'a>> {
        let factor = kernel_factor(parsed)?;
        Some(Parts { text, factor })
    }

    pub(super) fn run(
        &self,
        args: &LabRunArgs,
        network: Option<MadeNetwork>,
    ) -> anyhow::Result<Exit> {
        let given = overrides(args, network)?;
        let (request, parsed) = request(&args.plan, self.text, &given)?;
        if request.precision.is_some() {
            bail!(BadUsage(
                "--precision: a plan that varies the kernel makes the blocks that --blocks asks for; leave the precision out".to_owned()
            ));
        }
        let levels = parsed.plan.factor[self.factor].levels.iter();
        let kernels = levels.map(|level| {
            let level = KernelLevel::of(level)?;
            let chosen = ChosenKernel::of(&level)?;
            Ok((level, chosen))
        });
        let kernels = kernels.collect::<anyhow::Result<_>>()?;
        let mut bench = self.bench(args, &given, request.seed)?;
        let control = bench.control(WaitArgs::default())?;
        let room = Room {
            args,
            network,
            text: self.text,
            given,
            request,
            kernels,
            station: Station::stopped_by(control.stop.clone())?,
        };
        let begun = Instant::now();
        let measured = match room.measured(&mut bench, &control) {
            Ok(measured) => measured,
            Err(error) => {
                bench.rest();
                tell_last_lines(&error);
                return Err(error);
            }
        };
        let outcome = bench.keep(Ok(Outcome {
            target: measured.target,
            choices: measured.choices,
            forecast: None,
            cells: judge_parts(&room.request, &measured.runs)?,
            runs: measured.runs,
            seed: room.request.seed,
            elapsed: begun.elapsed().into(),
            interrupted: measured.interrupted,
            failure: measured.failure,
        }))?;
        tell_plan(&bench, (&parsed, &room.request), &outcome, args.json)?;
        Ok(exit_of(&outcome, StrictArgs::default()))
    }

    fn bench(&self, args: &LabRunArgs, given: &Overrides, seed: u64) -> anyhow::Result<Bench> {
        let mut settings = serde_json::to_value(Stored {
            name: args.plan.clone(),
            plan: self.text.to_owned(),
            file: None,
            given: given.clone(),
            precision: None,
            label: None,
            storage: Vec::new(),
        })?;
        in_guest(&mut settings);
        Bench::open(ExperimentKind::Plan, &args.store, seed, settings)
    }
}

fn tell(bench: &mut Bench, event: Event<'_>) -> anyhow::Result<()> {
    Ok(bench.event(event).map_err(ExperimentError::NotKept)?)
}

/// What stands behind `--`.
fn overrides(args: &LabRunArgs, network: Option<MadeNetwork>) -> anyhow::Result<Overrides> {
    let command = Overrides::augment_args(Command::new("run").no_binary_name(true));
    let read = command.try_get_matches_from(&args.given);
    let read = read.and_then(|matches| Overrides::from_arg_matches(&matches));
    let mut given = read.map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        BadUsage(format!(
            "behind --: {}; a plan that varies the kernel takes targets, --blocks, --budget, --seed and --destroy there",
            line.trim_start_matches("error: ")
        ))
    })?;
    if given.targets.is_empty() {
        given.targets.push(usual_target(network).into());
    }
    Ok(given)
}

impl Room<'_> {
    /// Block by block until it is enough. What one guest fails on costs its part; the second failure with one kernel ends it.
    fn measured(&self, bench: &mut Bench, control: &Control) -> anyhow::Result<Measured> {
        let (mut made, mut failed) = (Measured::default(), Vec::new());
        let (begun, blocks) = (Instant::now(), self.blocks());
        tell(bench, Event::Planned { blocks })?;
        for block in 0..u32::try_from(blocks)? {
            if !self.fits(begun, block) {
                break;
            }
            let (number, open) = (block + 1, self.kernels.len());
            let left = Nanos(u64::MAX);
            tell(bench, Event::Block { number, open, left })?;
            for level in self.order(block) {
                let error = match self.part(&mut made, bench, (block, level)) {
                    Err(error) if !is_stopped(&error) => error,
                    _ if control.stopped() => {
                        made.interrupted = true;
                        return Ok(made);
                    }
                    _ => continue,
                };
                // Nothing is lost where nothing was made, and nothing is left to go on with.
                if made.runs.is_empty() {
                    return Err(error);
                }
                made.choices.push(self.lost(block, level, &error));
                if failed.contains(&level) {
                    made.failure = Some(format!("{error:#}"));
                    return Ok(made);
                }
                failed.push(level);
            }
        }
        Ok(made)
    }

    fn blocks(&self) -> usize {
        self.request.blocks.unwrap_or(USUAL_BLOCKS)
    }

    /// Whether another block of the mean length fits into the budget.
    fn fits(&self, begun: Instant, block: u32) -> bool {
        let (Some(budget), true) = (self.request.budget, block > 0) else {
            return true;
        };
        let spent = begun.elapsed();
        spent + spent / block <= budget
    }

    /// In which order a block boots the kernels.
    fn order(&self, block: u32) -> Vec<usize> {
        match self.request.is_shuffled {
            true => order_of_block(self.kernels.len(), block, self.request.seed),
            false => (0..self.kernels.len()).collect(),
        }
    }

    /// Boots a kernel, and keeps the runs that it made of a block.
    fn part(
        &self,
        made: &mut Measured,
        bench: &mut Bench,
        (block, level): (u32, usize),
    ) -> anyhow::Result<()> {
        let (named, chosen) = &self.kernels[level];
        let cell = &format!("kernel {} boots", named.name);
        tell(bench, Event::Running { cell })?;
        let mut ready = self
            .args
            .guest
            .ready(&self.station, chosen, RUN, self.network)?;
        let marks = [named.mark(), block_mark(block)];
        ready.guest.parameters.extend(marks);
        let experiment = self.booted(&mut ready);
        ready.close()?;
        let experiment = experiment?;
        made.target = experiment.header.begun.target;
        let target = &made.target;
        let at_most = Nanos(u64::MAX);
        tell(bench, Event::Begun { target, at_most })?;
        for choice in experiment.header.choices {
            if !made.choices.contains(&choice) {
                made.choices.push(choice);
            }
        }
        for mut run in experiment.runs {
            run.position = u32::try_from(made.runs.len())?;
            tell(bench, Event::Ended { run: &run })?;
            made.runs.push(run);
        }
        Ok(())
    }

    fn booted(&self, ready: &mut Ready) -> anyhow::Result<Experiment> {
        self.args.pack(ready, self.text, self.command())?;
        let results = results_of(ready)?;
        let store = results.store.as_deref().map(Store::open_read_only);
        let store = store.transpose()?;
        let listed = store.as_ref().map(Store::list_sound).transpose()?;
        let first = listed.and_then(|listed| listed.records.first().map(|first| first.id));
        ended(&results, &ready.guest.last_lines(), first.is_none())?;
        let (Some(store), Some(id)) = (store, first) else {
            bail!("the guest has measured nothing: {}", results.err.trim());
        };
        let mut experiment = store.experiment(id)?;
        made_in_guest(&mut experiment, &ready.record());
        Ok(experiment)
    }

    /// What the guest carries out: the whole plan, of which it makes what its kernel and its block allow.
    fn command(&self) -> String {
        let mut words = ["run", "/plan.toml"].map(str::to_owned).to_vec();
        let targets = self.given.targets.iter();
        words.extend(targets.map(|target| target.display().to_string()));
        words.extend(["--seed".to_owned(), self.request.seed.to_string()]);
        for name in &self.given.destroy {
            words.extend(["--destroy".to_owned(), name.clone()]);
        }
        command_of(&words, self.network)
    }

    fn lost(&self, block: u32, level: usize, error: &anyhow::Error) -> Choice {
        let name = &self.kernels[level].0.name;
        Choice::note(format!("Block {}, kernel {name}: {error:#}.", block + 1))
    }
}
