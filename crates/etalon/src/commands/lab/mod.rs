//! `etalon lab`: disks whose behaviour is known.

mod cases;
mod check;
mod ended;
mod faults;
mod guest;
mod heard;
mod here;
mod kernel;
mod list;
mod made_image;
mod model;
mod network;
mod part_levels;
mod parts;
mod powercut;
mod run;
mod run_args;
mod serve;
mod shell;
mod simulate;

use clap::{Args, Subcommand as Choice};
use etalon_exchange::{DocumentFormat, Envelope, LabBody};
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use crate::output;

/// Measure in guests with modelled disks; simulate arrays of them, serve and list them
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon lab list                                disk models and kernels
  etalon lab simulate                            md's layouts on four disks
  etalon lab simulate raid5 f2 --disk hdd-10k --disks 5
  etalon lab simulate raid5 --rebuild --size 1T  how a dead member comes back
  etalon lab serve hdd-7200 --size 8G --socket /tmp/disk
  etalon lab powercut                            what 200 power cuts leave
  etalon lab run quick --disk hdd-7200:8G        the quick check, in a guest
  etalon lab run nfs --delay 1ms                 the same, over NFS in there
  etalon lab run raid-layouts                    md's layouts on four disks
  etalon lab check                               what this machine lacks")]
pub(super) struct LabArgs {
    #[command(subcommand)]
    action: Action,
}

/// Prints what was asked for as one document.
fn print_document(body: LabBody) -> anyhow::Result<()> {
    output::print(&Envelope::new(DocumentFormat::Lab, LabArgs::NAME, body).to_text()?)
}

/// What is to be done.
#[derive(Debug, Clone, Choice)]
enum Action {
    /// Carry reads, writes and rebuilds through arrays of modelled disks, on a virtual clock
    Simulate(simulate::SimulateArgs),
    /// Carry out a plan in a guest with modelled disks, and keep its experiments here
    Run(run_args::LabRunArgs),
    /// Open the console of such a guest on this terminal
    Shell(shell::ShellArgs),
    /// Cut a disk's power while records are written, and tell what was promised and lost
    Powercut(powercut::PowercutArgs),
    /// Serve a disk that answers as its model says, in real time, to clients of NBD
    Serve(serve::ServeArgs),
    /// List the disk models with the source of each figure
    List(list::ListArgs),
    /// Tell what guests need and what of it is missing here
    Check(check::CheckArgs),
}

impl Subcommand for LabArgs {
    const NAME: &'static str = "lab";

    fn speaks(&self) -> bool {
        matches!(
            self.action,
            Action::Run(_) | Action::Shell(_) | Action::Serve(_)
        )
    }

    fn run(&self) -> anyhow::Result<Exit> {
        match &self.action {
            Action::Simulate(args) => args.run(),
            Action::Run(args) => args.run(),
            Action::Shell(args) => args.run(),
            Action::Powercut(args) => args.run(),
            Action::Serve(args) => args.run(),
            Action::List(args) => args.run(),
            Action::Check(args) => args.run(),
        }
    }
}
