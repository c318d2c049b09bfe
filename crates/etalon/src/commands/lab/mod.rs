//! `etalon lab`: disks whose behaviour is known.

mod check;
mod list;
mod simulate;

use clap::{Args, Subcommand as Choice};
use etalon_exchange::{DocumentFormat, Envelope, LabBody};
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use crate::output;

/// Simulate arrays of modelled disks; list the models and what a laboratory needs
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon lab list                                 the disk models
  etalon lab simulate                             md's layouts on four disks
  etalon lab simulate raid5 f2 --disk hdd-10k --disks 5
  etalon lab simulate raid5 --rebuild --size 1T   how a dead member comes back
  etalon lab check                                what is missing on this machine")]
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
    /// List the disk models with the source of each figure
    List(list::ListArgs),
    /// Tell what guests need and what of it is missing here
    Check(check::CheckArgs),
}

impl Subcommand for LabArgs {
    const NAME: &'static str = "lab";

    fn run(&self) -> anyhow::Result<Exit> {
        match &self.action {
            Action::Simulate(args) => args.run(),
            Action::List(args) => args.run(),
            Action::Check(args) => args.run(),
        }
    }
}
