//! The options of `etalon lab run`, and what each of its guests is given.

use anyhow::bail;
use clap::Args;
use etalon_experiment::plan::PlanText;
use etalon_lab::guest::{Network, PORT_MODULE};

use super::cases::Case;
use super::guest::{GuestArgs, Ready};
use super::kernel::factor_of;
use super::network::{FIRST_DISK, MadeNetwork, NetworkArgs, named};
use crate::cli::{LookArgs, StoreArgs};
use crate::exit::BadUsage;
use crate::plan::text_of;

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
  etalon lab run plan.toml --over nvme-tcp --apart
  etalon lab run raid-layouts                  a preset, on disks of its own
  etalon lab run host-vs-guest -- /srv         this machine and its guests
  etalon lab run quick --root debian.qcow2     with the programs of an image

The disks are /dev/vda, /dev/vdb and so on there, and hold noise; without a
name behind -- the first of them is measured. A preset has disks of its own
where no --disk is given, and a filesystem or an array on them where it measures
files. Over a network the guest itself serves the first disk and reaches it, or
reaches that of another guest with --apart; measured is /net, a filesystem on
it. Several kernels are a factor of the plan: each block boots each of them, and
one experiment compares them; so is this machine beside guests whose disks are
files in the directory behind --. The experiments are kept here, each run with
the guest that it was made in.")]
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
    pub(super) network: NetworkArgs,
    #[command(flatten)]
    pub(super) look: LookArgs,
    #[command(flatten)]
    pub(super) guest: GuestArgs,
    #[command(flatten)]
    pub(super) store: StoreArgs,
}

impl LabRunArgs {
    /// What the guests of a preset are like; none for a plan of a file.
    fn case(&self) -> Option<Case> {
        Case::of(&self.plan)
    }

    /// The same on the disks that a preset stands on, where no option names any.
    pub(super) fn on_usual_disks(&self) -> anyhow::Result<LabRunArgs> {
        let Some(case) = self.case() else {
            return Ok(self.clone());
        };
        if self.guest.kernels().len() < case.kernels {
            bail!(BadUsage(format!(
                "{} compares kernels: name {} or more, such as --kernel host --kernel 'host mitigations=off'",
                self.plan, case.kernels
            )));
        }
        Ok(LabRunArgs {
            guest: self.guest.clone().with_usual(&case.usual_disks())?,
            ..self.clone()
        })
    }

    /// The plan's text with what it says; several kernels that options name are one of its factors.
    pub(super) fn plan(&self) -> anyhow::Result<(String, PlanText)> {
        let mut text = match self.case() {
            Some(case) => case.plan(self.guest.disks()),
            None => text_of(&self.plan)?.0,
        };
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
        let of_case = self.case().map_or(&[][..], |case| case.modules);
        guest
            .more_modules
            .extend(of_case.iter().map(|&name| name.to_owned()));
        guest.has_port = true;
        Ok(())
    }

    /// What is measured where nothing is named.
    pub(super) fn usual_targets(&self, network: Option<MadeNetwork>) -> &'static [&'static str] {
        match (network, self.case()) {
            (Some(_), _) => &[Network::POINT],
            (None, Some(case)) => case.targets,
            (None, None) => &[FIRST_DISK],
        }
    }

    /// Whether words behind `--` name what is measured.
    pub(super) fn names_target(&self) -> bool {
        self.given.iter().any(|word| word.starts_with('/'))
    }

    /// The words of a command of etalon as the guest's shell takes them, behind what its target needs.
    pub(super) fn command_of(&self, words: &[String], network: Option<MadeNetwork>) -> String {
        let before = match (network, self.case()) {
            (Some(network), _) => network.script(),
            (None, Some(case)) if !self.names_target() => case.before.to_owned(),
            (None, _) => String::new(),
        };
        command_line(&before, words)
    }

    /// Whether it is the quick check that is asked for.
    pub(super) fn is_quick(&self) -> bool {
        self.plan == "quick" || named(&self.plan).is_some()
    }
}

/// The words of a command of etalon as the guest's shell takes them, behind what comes before it.
pub(super) fn command_line(before: &str, words: &[String]) -> String {
    let store = ["--store", "/tmp/store.sqlite"].map(str::to_owned);
    let words = ["etalon".to_owned()].into_iter().chain(words.to_vec());
    let quoted = words
        .chain(store)
        .map(|word| format!("'{}'", word.replace('\'', "'\\''")));
    before.to_owned() + &quoted.collect::<Vec<_>>().join(" ") + "\n"
}

/// Where the plan varies the kernel, among its factors.
pub(super) fn kernel_factor(plan: &PlanText) -> Option<usize> {
    let mut factors = plan.factors.iter();
    factors.position(|chosen| chosen.factor.name() == KERNEL)
}
