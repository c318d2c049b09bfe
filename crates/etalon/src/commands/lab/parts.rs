//! A plan that takes another machine for each level: each block boots a guest for each kernel, or for each guest that this
//! machine is compared with, in random order, which makes the part of the block that is its own. What comes of them is one
//! experiment.

use std::time::Instant;

use anyhow::bail;
use clap::{Args as _, Command, FromArgMatches as _};
use etalon_engine::Control;
use etalon_experiment::plan::{PlanRequest, PlanText, USUAL_BLOCKS, judge_parts};
use etalon_experiment::{Event, Outcome, order_of_block};
use etalon_factor::condition::block_mark;
use etalon_lab::guest::RUN;
use etalon_model::ExperimentKind;
use etalon_tools::Exit;
use etalon_units::Nanos;

use super::ended::{ended, is_stopped, lost, tell_last_lines};
use super::guest::{Ready, Station};
use super::heard::{GuestShare, Listener};
use super::here::Here;
use super::kernel::ChosenKernel;
use super::network::MadeNetwork;
use super::part_levels::{PartFactor, PartLevel};
use super::run_args::LabRunArgs;
use crate::bench::{Bench, exit_of};
use crate::cli::{StrictArgs, WaitArgs};
use crate::commands::run::tell_plan;
use crate::exit::BadUsage;
use crate::plan::{Overrides, Stored, in_guest, request};

/// A plan that is made in parts.
pub(super) struct Parts<'a> {
    text: &'a str,
    factor: PartFactor,
}

/// Everything that boots a part.
struct PartRunner<'a> {
    args: &'a LabRunArgs,
    network: Option<MadeNetwork>,
    text: &'a str,
    given: Overrides,
    request: PlanRequest,
    levels: Vec<PartLevel>,
    station: Station,
    /// The directory of this machine that is measured; none where kernels are compared.
    here: Option<Here>,
}

impl<'a> Parts<'a> {
    /// The parts of a plan with its text; none of one that a single guest can make.
    pub(super) fn of((text, parsed): &'a (String, PlanText)) -> anyhow::Result<Option<Parts<'a>>> {
        let factor = PartFactor::of(parsed)?;
        Ok(factor.map(|factor| Parts { text, factor }))
    }

    pub(super) fn run(
        &self,
        args: &LabRunArgs,
        network: Option<MadeNetwork>,
    ) -> anyhow::Result<Exit> {
        let mut given = overrides(args)?;
        let here = match self.factor {
            PartFactor::Machine(_) => Some(Here::of(args, network, &mut given)?),
            PartFactor::Kernel(_) => None,
        };
        if given.targets.is_empty() {
            let usual = args.usual_targets(network).iter();
            given.targets.extend(usual.map(Into::into));
        }
        let (request, parsed) = request(&args.plan, self.text, &given)?;
        if request.precision.is_some() {
            bail!(BadUsage(
                "--precision: a plan that is made in parts makes the blocks that --blocks asks for; leave the precision out".to_owned()
            ));
        }
        let levels = self.factor.levels(args, &parsed)?;
        let mut bench = self.bench(args, &given, request.seed)?;
        let control = bench.control(WaitArgs::default())?;
        let runner = PartRunner {
            args,
            network,
            text: self.text,
            given,
            request,
            levels,
            station: Station::stopped_by(control.stop.clone())?,
            here,
        };
        runner.refuse()?;
        let begun = Instant::now();
        let mut listener = Listener::new(&mut bench, GuestShare::Part);
        listener.heard.target = runner.here.as_ref().map(Here::target).unwrap_or_default();
        let measured = runner.measured(&mut listener, &control);
        let heard = listener.heard;
        let (interrupted, failure) = match measured {
            Ok(()) => (control.stopped(), None),
            Err(error) if heard.runs.is_empty() => {
                bench.rest();
                tell_last_lines(&error);
                return Err(error);
            }
            Err(error) => (false, Some(format!("{error:#}"))),
        };
        let outcome = bench.keep(Ok(Outcome {
            cells: judge_parts(&runner.request, &heard.runs)?,
            target: heard.target,
            choices: heard.choices,
            forecast: None,
            runs: heard.runs,
            seed: runner.request.seed,
            elapsed: begun.elapsed().into(),
            interrupted,
            failure,
        }))?;
        tell_plan(&bench, (&parsed, &runner.request), &outcome, args.json)?;
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

/// What stands behind `--`.
fn overrides(args: &LabRunArgs) -> anyhow::Result<Overrides> {
    let command = Overrides::augment_args(Command::new("run").no_binary_name(true));
    let read = command.try_get_matches_from(&args.given);
    let read = read.and_then(|matches| Overrides::from_arg_matches(&matches));
    let given = read.map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        BadUsage(format!(
            "behind --: {}; a plan that is made in parts takes targets, --blocks, --budget, --seed and --destroy there",
            line.trim_start_matches("error: ")
        ))
    })?;
    Ok(given)
}

impl PartRunner<'_> {
    /// Block by block until it is enough. What one guest fails on costs the rest of its part; the second failure with one
    /// level ends it, and the first where no run was made yet.
    fn measured(&self, listener: &mut Listener<'_>, control: &Control) -> anyhow::Result<()> {
        let (begun, blocks, mut failed) = (Instant::now(), self.blocks(), Vec::new());
        listener.tell(Event::Planned { blocks })?;
        for block in 0..u32::try_from(blocks)? {
            if !self.fits(begun, block) {
                break;
            }
            let (number, open, left) = (block + 1, self.levels.len(), Nanos(u64::MAX));
            listener.tell(Event::Block { number, open, left })?;
            for level in self.order(block) {
                if control.stopped() {
                    return Ok(());
                }
                let Err(error) = self.part(listener, control, (block, level)) else {
                    continue;
                };
                if control.stopped() && is_stopped(&error) {
                    return Ok(());
                }
                let name = self.levels[level].name();
                let error = error.context(format!("block {number}, {name}"));
                listener.choose(vec![lost(&error)]);
                if failed.contains(&level) || listener.heard.runs.is_empty() {
                    return Err(error);
                }
                failed.push(level);
            }
        }
        Ok(())
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

    /// In which order a block comes to the levels.
    fn order(&self, block: u32) -> Vec<usize> {
        match self.request.is_shuffled {
            true => order_of_block(self.levels.len(), block, self.request.seed),
            false => (0..self.levels.len()).collect(),
        }
    }

    /// What this machine itself cannot do is refused before anything is done.
    fn refuse(&self) -> anyhow::Result<()> {
        let own = self.levels.iter().find(|level| is_here(level));
        match (&self.here, own) {
            (Some(here), Some(own)) => here.refuse(&self.args.plan, &self.part_here(own, 0)?),
            _ => Ok(()),
        }
    }

    /// Makes the part of a block that is a level's.
    fn part(
        &self,
        listener: &mut Listener<'_>,
        control: &Control,
        (block, level): (u32, usize),
    ) -> anyhow::Result<()> {
        let level = &self.levels[level];
        listener.tell(Event::Running {
            cell: &level.part(),
        })?;
        match (level, &self.here) {
            (PartLevel::Machine(machine, chosen), Some(here)) => match machine.image {
                None => here.make(&self.part_here(level, block)?, control, listener),
                Some(image) => here.with_image(&self.station, image, |image| {
                    let ready = self.args.guest.with_image(&self.station, chosen, image)?;
                    let command = Here::command(&self.seed_words());
                    self.boot(listener, ready, (level, block), &command)
                }),
            },
            (PartLevel::Kernel(_, chosen) | PartLevel::Machine(_, chosen), _) => {
                let ready = self.ready(chosen)?;
                self.boot(listener, ready, (level, block), &self.command())
            }
        }
    }

    /// A guest on modelled disks.
    fn ready(&self, chosen: &ChosenKernel) -> anyhow::Result<Ready> {
        let guest = &self.args.guest;
        guest.ready(&self.station, chosen, RUN, self.network)
    }

    fn boot(
        &self,
        listener: &mut Listener<'_>,
        mut ready: Ready,
        (level, block): (&PartLevel, u32),
        command: &str,
    ) -> anyhow::Result<()> {
        let marks = [level.mark(), block_mark(block)];
        ready.guest.parameters.extend(marks);
        self.args.pack(&mut ready, self.text, command)?;
        let booted = listener.boot(&mut ready);
        let console = ready.guest.last_lines();
        ready.close()?;
        ended(&booted?, &console).map(drop)
    }

    /// The plan as this machine itself makes a part of it.
    fn part_here(&self, level: &PartLevel, block: u32) -> anyhow::Result<PlanRequest> {
        let (request, _) = request(&self.args.plan, self.text, &self.given)?;
        Ok(PlanRequest {
            seed: self.request.seed,
            only_block: Some(block),
            part: Some(level.mark()),
            ..request
        })
    }

    fn seed_words(&self) -> [String; 2] {
        ["--seed".to_owned(), self.request.seed.to_string()]
    }

    /// What the guest carries out: the whole plan, of which it makes what its kernel and its block allow.
    fn command(&self) -> String {
        let mut words = ["run", "/plan.toml"].map(str::to_owned).to_vec();
        let targets = self.given.targets.iter();
        words.extend(targets.map(|target| target.display().to_string()));
        words.extend(self.seed_words());
        for name in &self.given.destroy {
            words.extend(["--destroy".to_owned(), name.clone()]);
        }
        self.args.command_of(&words, self.network)
    }
}

/// Whether the level is this machine itself.
fn is_here(level: &PartLevel) -> bool {
    matches!(level, PartLevel::Machine(level, _) if level.image.is_none())
}
