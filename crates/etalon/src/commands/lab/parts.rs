//! A plan whose kernel is varied: each block boots a guest for each kernel, in random order, which makes the part of the
//! block that is this kernel's. What comes of them is one experiment.

use std::time::Instant;

use anyhow::bail;
use clap::{Args as _, Command, FromArgMatches as _};
use etalon_engine::Control;
use etalon_experiment::plan::{PlanRequest, PlanText, USUAL_BLOCKS, judge_parts};
use etalon_experiment::{Event, Outcome, order_of_block};
use etalon_factor::condition::{KernelLevel, block_mark};
use etalon_lab::guest::RUN;
use etalon_model::ExperimentKind;
use etalon_tools::Exit;
use etalon_units::Nanos;

use super::ended::{ended, is_stopped, lost, tell_last_lines};
use super::guest::Station;
use super::heard::{GuestShare, Listener};
use super::kernel::ChosenKernel;
use super::network::MadeNetwork;
use super::run_args::{LabRunArgs, kernel_factor};
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

/// Everything that boots a part.
struct PartRunner<'a> {
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
        let runner = PartRunner {
            args,
            network,
            text: self.text,
            given,
            request,
            kernels,
            station: Station::stopped_by(control.stop.clone())?,
        };
        let begun = Instant::now();
        let mut listener = Listener::new(&mut bench, GuestShare::Part);
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
        let usual = args.usual_targets(network).iter();
        given.targets.extend(usual.map(Into::into));
    }
    Ok(given)
}

impl PartRunner<'_> {
    /// Block by block until it is enough. What one guest fails on costs the rest of its part; the second failure with one
    /// kernel ends it, and the first where no run was made yet.
    fn measured(&self, listener: &mut Listener<'_>, control: &Control) -> anyhow::Result<()> {
        let (begun, blocks, mut failed) = (Instant::now(), self.blocks(), Vec::new());
        listener.tell(Event::Planned { blocks })?;
        for block in 0..u32::try_from(blocks)? {
            if !self.fits(begun, block) {
                break;
            }
            let (number, open, left) = (block + 1, self.kernels.len(), Nanos(u64::MAX));
            listener.tell(Event::Block { number, open, left })?;
            for level in self.order(block) {
                let Err(error) = self.part(listener, block, level) else {
                    continue;
                };
                if control.stopped() && is_stopped(&error) {
                    return Ok(());
                }
                let name = &self.kernels[level].0.name;
                let error = error.context(format!("block {number}, kernel {name}"));
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

    /// In which order a block boots the kernels.
    fn order(&self, block: u32) -> Vec<usize> {
        match self.request.is_shuffled {
            true => order_of_block(self.kernels.len(), block, self.request.seed),
            false => (0..self.kernels.len()).collect(),
        }
    }

    /// Boots a kernel, which makes its part of a block.
    fn part(&self, listener: &mut Listener<'_>, block: u32, level: usize) -> anyhow::Result<()> {
        let (named, chosen) = &self.kernels[level];
        let cell = &format!("kernel {} boots", named.name);
        listener.tell(Event::Running { cell })?;
        let guest = &self.args.guest;
        let mut ready = guest.ready(&self.station, chosen, RUN, self.network)?;
        let marks = [named.mark(), block_mark(block)];
        ready.guest.parameters.extend(marks);
        self.args.pack(&mut ready, self.text, &self.command())?;
        let booted = listener.boot(&mut ready);
        let console = ready.guest.last_lines();
        ready.close()?;
        ended(&booted?, &console).map(drop)
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
        self.args.command_of(&words, self.network)
    }
}
