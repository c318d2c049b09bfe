//! `etalon lab run`.

use anyhow::bail;
use clap::Args;
use etalon_experiment::Outcome;
use etalon_experiment::plan::PlanText;
use etalon_lab::guest::{Network, PORT_MODULE, RUN};
use etalon_model::{ExperimentKind, ExperimentState};
use etalon_tools::Exit;
use etalon_units::Nanos;
use serde_json::Value;

use super::ended::{ended, is_stopped, lost, tell_last_lines};
use super::guest::{GuestArgs, Ready, Station};
use super::heard::{GuestShare, Heard, Listener};
use super::kernel::factor_of;
use super::network::{MadeNetwork, NetworkArgs, named};
use super::parts::Parts;
use crate::bench::Bench;
use crate::cli::{LookArgs, StoreArgs, WaitArgs};
use crate::exit::BadUsage;
use crate::output;
use crate::plan::text_of;

/// What a guest measures where nothing else is named.
const FIRST_DISK: &str = "/dev/vda";
/// The factor that each block boots anew.
const KERNEL: &str = "kernel";

/// Options of `etalon lab run`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon lab run quick --disk hdd-7200:8G
  etalon lab run plan.toml --disk sd:4G --disk usb:4G -- /dev/vda /dev/vdb
  etalon lab run plan.toml --kernel ./unpacked -- --budget 10m --seed 7
  etalon lab run plan.toml --kernel ./linux-6.1 --kernel ./linux-6.12
  etalon lab run plan.toml --kernel host --kernel 'host mitigations=off'
  etalon lab run nfs --delay 1ms               the quick check over NFS
  etalon lab run plan.toml --over nvme-tcp

The disks are /dev/vda, /dev/vdb and so on there, and hold noise; without a
name behind -- the first of them is measured. Over a network the first disk is
served and reached by the guest itself, and measured is /net, a filesystem on
it. Several kernels are a factor of the plan: each block boots each of them, and
one experiment compares them. The experiments are kept here, each run with the
guest that it was made in.")]
pub(super) struct LabRunArgs {
    /// A plan's file, the name of a preset, quick, or a network for quick over it
    #[arg(value_name = "PLAN")]
    pub(super) plan: String,
    /// Words for the command in the guest: targets and options of etalon run, or of etalon quick
    #[arg(last = true, value_name = "OPTIONS")]
    pub(super) given: Vec<String>,
    /// Print one JSON document for each experiment instead of its page
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    pub(super) guest: GuestArgs,
    #[command(flatten)]
    pub(super) store: StoreArgs,
}

impl LabRunArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        let network = self.network.wanted(&self.plan)?;
        let plan = match self.is_quick() {
            true => None,
            false => Some(self.plan()?),
        };
        if let Some(parts) = plan.as_ref().and_then(Parts::of) {
            return parts.run(self, network);
        }
        let text = plan.map_or_else(String::new, |(text, _)| text);
        self.whole(&text, network)
    }

    /// Boots one guest, and keeps the experiment that it makes.
    fn whole(&self, text: &str, network: Option<MadeNetwork>) -> anyhow::Result<Exit> {
        let kind = match self.is_quick() {
            true => ExperimentKind::Quick,
            false => ExperimentKind::Plan,
        };
        // A store that cannot keep runs is known before the first of them.
        let mut bench = Bench::open(kind, &self.store, 0, Value::Null)?;
        let control = bench.control(WaitArgs::default())?;
        bench.says("a guest is made ready");
        let (station, kernel) = (Station::stopped_by(control.stop)?, self.guest.kernel()?);
        let mut ready = self.guest.ready(&station, &kernel, RUN, network)?;
        bench.steps(&ready.boots());
        self.pack(&mut ready, text, &self.command(network))?;
        let mut listener = Listener::new(&mut bench, GuestShare::Whole);
        let booted = listener.boot(&mut ready);
        let heard = listener.heard;
        let console = ready.guest.last_lines();
        ready.close()?;
        let ended = booted.and_then(|booted| ended(&booted, &console, heard.runs.is_empty()));
        self.close(bench, heard, ended)
    }

    /// Keeps what a guest has judged, or what it left; shows the experiment, if there is one.
    fn close(
        &self,
        mut bench: Bench,
        mut heard: Heard,
        ended: anyhow::Result<Exit>,
    ) -> anyhow::Result<Exit> {
        let interrupted = ended.as_ref().is_err_and(is_stopped);
        let failed = ended.as_ref().err().filter(|_| !interrupted);
        heard.choices.extend(failed.map(lost));
        let whole = heard.state == Some(ExperimentState::Finished);
        let outcome = Outcome {
            cells: heard.judged(),
            target: heard.target,
            choices: heard.choices,
            forecast: None,
            runs: heard.runs,
            seed: bench.new_experiment().seed,
            elapsed: Nanos::ZERO,
            interrupted,
            failure: (!whole).then(|| "the guest".to_owned()),
        };
        bench.keep(Ok(outcome))?;
        if let Some(id) = bench.kept_as() {
            self.show(id)?;
        }
        match ended {
            Err(error) if interrupted => {
                output::note(&format!("etalon: {error}"));
                Ok(Exit::Interrupted)
            }
            Err(error) => {
                tell_last_lines(&error);
                Err(error)
            }
            Ok(exit) => Ok(exit),
        }
    }

    /// The plan's text with what it says; several kernels that options name are one of its factors.
    fn plan(&self) -> anyhow::Result<(String, PlanText)> {
        let (mut text, _) = text_of(&self.plan)?;
        let parsed = |text: &str| {
            PlanText::parse(text).map_err(|error| BadUsage(format!("{}: {error}", self.plan)))
        };
        let of_plan = parsed(&text)?;
        match (self.guest.kernels(), kernel_factor(&of_plan)) {
            ([first, ..], Some(_)) => bail!(BadUsage(format!(
                "--kernel '{first}': the plan has a factor kernel; leave one of them out"
            ))),
            ([] | [_], _) => return Ok((text, of_plan)),
            (several, None) => text.push_str(&factor_of(several)?),
        }
        let with_kernels = parsed(&text)?;
        Ok((text, with_kernels))
    }

    /// Puts the command and its plan into the guest, with a port by which it tells what it measures.
    pub(super) fn pack(&self, ready: &mut Ready, plan: &str, command: &str) -> anyhow::Result<()> {
        let archive = &mut ready.archive;
        archive.file("command.sh", 0o644, command.as_bytes());
        archive.file("plan.toml", 0o644, plan.as_bytes());
        let (guest, port) = (&mut ready.guest, PORT_MODULE.to_owned());
        if !guest.kernel.lacks(std::slice::from_ref(&port)).is_empty() {
            bail!(
                "the kernel {} has no module {port}, by which runs come back from a guest: take one that has it (CONFIG_VIRTIO_CONSOLE)",
                guest.kernel.release()
            );
        }
        guest.more_modules.push(port);
        guest.has_port = true;
        Ok(())
    }

    /// Whether it is the quick check that is asked for.
    fn is_quick(&self) -> bool {
        self.plan == "quick" || named(&self.plan).is_some()
    }

    /// What the guest carries out.
    fn command(&self, network: Option<MadeNetwork>) -> String {
        let mut words: Vec<String> = match self.is_quick() {
            true => vec!["quick".to_owned()],
            false => ["run", "/plan.toml"].map(str::to_owned).to_vec(),
        };
        if !self.given.iter().any(|word| word.starts_with('/')) {
            words.push(usual_target(network).to_owned());
        }
        words.extend(self.given.iter().cloned());
        command_of(&words, network)
    }

    fn show(&self, id: i64) -> anyhow::Result<()> {
        super::super::show::page_of(id, self.json, self.look, &self.store).map(drop)
    }
}

/// Where the plan varies the kernel, among its factors.
pub(super) fn kernel_factor(plan: &PlanText) -> Option<usize> {
    let mut factors = plan.factors.iter();
    factors.position(|chosen| chosen.factor.name() == KERNEL)
}

/// What is measured where nothing is named.
pub(super) fn usual_target(network: Option<MadeNetwork>) -> &'static str {
    match network {
        None => FIRST_DISK,
        Some(_) => Network::POINT,
    }
}

/// The words of a command of etalon as the guest's shell takes them, behind what the network needs.
pub(super) fn command_of(words: &[String], network: Option<MadeNetwork>) -> String {
    let store = ["--store", "/tmp/store.sqlite"].map(str::to_owned);
    let words = ["etalon".to_owned()].into_iter().chain(words.to_vec());
    let quoted = words
        .chain(store)
        .map(|word| format!("'{}'", word.replace('\'', "'\\''")));
    let before = network.map(|network| network.script(FIRST_DISK));
    before.unwrap_or_default() + &quoted.collect::<Vec<_>>().join(" ") + "\n"
}
