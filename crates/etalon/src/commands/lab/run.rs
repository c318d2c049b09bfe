//! `etalon lab run`.

use std::path::Path;

use anyhow::{Context as _, bail};
use clap::Args;
use etalon_exchange::ChangedExperiment;
use etalon_experiment::plan::PlanText;
use etalon_judge::made_in_guest;
use etalon_lab::guest::{Guest, GuestDisk, GuestError, Network, RUN, Results};
use etalon_store::Store;
use etalon_tools::Exit;
use etalon_units::visible_lines;

use super::guest::{GuestArgs, Ready, Station, tell_console};
use super::kernel::factor_of;
use super::network::{MadeNetwork, NetworkArgs, named};
use super::parts::Parts;
use crate::cli::{LookArgs, StoreArgs};
use crate::commands::merge::merged;
use crate::exit::BadUsage;
use crate::output;
use crate::plan::{in_guest, text_of};
use crate::stores;

/// Within the private directory.
const RESULTS: &str = "results";
/// Room for a store and for what was said; a file with holes.
const RESULTS_BYTES: u64 = 4 << 30;
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
        // A store that cannot keep runs is known before the first of them.
        let mut store = stores::open(&self.store)?;
        let (station, kernel) = (Station::open()?, self.guest.kernel()?);
        let mut ready = self.guest.ready(&station, &kernel, RUN, network)?;
        ready.tell();
        let text = plan.map_or_else(String::new, |(text, _)| text);
        self.pack(&mut ready, &text, self.command(network))?;
        let outcome = self.booted(&mut ready, &mut store);
        ready.close()?;
        let (changed, exit) = match outcome {
            Ok(done) => done,
            Err(error) if is_stopped(&error) => {
                output::note(&format!("etalon: {error}"));
                return Ok(Exit::Interrupted);
            }
            Err(error) => {
                tell_last_lines(&error);
                return Err(error);
            }
        };
        drop(store);
        for experiment in changed {
            self.show(experiment.id)?;
        }
        Ok(exit)
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

    /// Puts the command, its plan and a disk for what comes of it into the guest.
    pub(super) fn pack(
        &self,
        ready: &mut Ready,
        plan: &str,
        command: String,
    ) -> anyhow::Result<()> {
        let archive = &mut ready.archive;
        archive.file("command.sh", 0o644, command.as_bytes());
        archive.file("plan.toml", 0o644, plan.as_bytes());
        let guest = &mut ready.guest;
        Guest::make_disk(&guest.directory, RESULTS, RESULTS_BYTES)?;
        guest.disks.push(GuestDisk::Results(RESULTS.to_owned()));
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

    /// Boots the guest, and keeps what it has measured.
    fn booted(
        &self,
        ready: &mut Ready,
        store: &mut Store,
    ) -> anyhow::Result<(Vec<ChangedExperiment>, Exit)> {
        let results = results_of(ready)?;
        let made = match &results.store {
            Some(path) => keep(path, store, ready)?,
            None => Vec::new(),
        };
        let exit = ended(&results, &ready.guest.last_lines(), made.is_empty())?;
        Ok((made, exit))
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

/// Boots the guest, and gives what it left.
pub(super) fn results_of(ready: &mut Ready) -> anyhow::Result<Results> {
    let archive = std::mem::take(&mut ready.archive);
    let guest = &ready.guest;
    guest.boot(&ready.journal, archive, &ready.stop)?;
    let no_results = || GuestError::NoResults {
        console: guest.last_lines(),
    };
    let directory = &guest.directory;
    let results = Results::read(&directory.join(RESULTS), directory)?;
    Ok(results.ok_or_else(no_results)?)
}

/// Whether a guest was ended because somebody asked for it.
pub(super) fn is_stopped(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(GuestError::Stopped))
}

/// What the console of a guest that did not come to its end said last.
pub(super) fn tell_last_lines(error: &anyhow::Error) {
    let lines = error.downcast_ref().and_then(GuestError::last_lines);
    tell_console(lines.unwrap_or_default());
}

/// Merges the guest's store, with the guest that its runs were made in.
fn keep(path: &Path, store: &mut Store, ready: &Ready) -> anyhow::Result<Vec<ChangedExperiment>> {
    let guest = ready.record();
    let other = Store::open_read_only(path).context("the store of the guest")?;
    let (changed, _) = merged(store, &other, |experiment| {
        made_in_guest(experiment, &guest);
        in_guest(&mut experiment.header.begun.settings);
    })?;
    Ok(changed)
}

/// What the command in the guest ended with; where it has measured nothing, what it said.
pub(super) fn ended(results: &Results, console: &str, is_empty: bool) -> anyhow::Result<Exit> {
    let said = visible_lines(results.err.trim_end()).into_owned();
    let exit = match results.code {
        0 => Exit::Done,
        3 => Exit::NotValid,
        5 => Exit::Imprecise,
        2 if is_empty => bail!(crate::exit::BadUsage(format!("in the guest: {said}"))),
        code if code > 128 => {
            tell_console(console);
            let signal = code - 128;
            bail!("etalon was killed in the guest (signal {signal}); give it more by --memory")
        }
        _ => bail!("in the guest: {said}"),
    };
    Ok(exit)
}
