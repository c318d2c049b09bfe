//! The options of `etalon lab run`, and what each of its guests is given.

use anyhow::bail;
use clap::Args;
use etalon_experiment::plan::PlanText;
use etalon_lab::guest::{Network, PORT_MODULE};

use super::guest::{GuestArgs, Ready};
use super::kernel::factor_of;
use super::network::{MadeNetwork, NetworkArgs, named};
use crate::cli::{LookArgs, StoreArgs};
use crate::exit::BadUsage;
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
    pub(super) network: NetworkArgs,
    #[command(flatten)]
    pub(super) look: LookArgs,
    #[command(flatten)]
    pub(super) guest: GuestArgs,
    #[command(flatten)]
    pub(super) store: StoreArgs,
}

impl LabRunArgs {
    /// The plan's text with what it says; several kernels that options name are one of its factors.
    pub(super) fn plan(&self) -> anyhow::Result<(String, PlanText)> {
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
    pub(super) fn is_quick(&self) -> bool {
        self.plan == "quick" || named(&self.plan).is_some()
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
