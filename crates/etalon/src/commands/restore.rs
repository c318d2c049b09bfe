//! `etalon restore`.

use clap::Args;
use etalon_exchange::{DocumentFormat, Envelope, InUseBody, RestoredBody};
use etalon_factor::{Journal, RestoreReport};
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use crate::output;
use crate::put_back::{restored, text};

/// Remove what a killed etalon left behind, and put back what it changed
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon restore      (every measurement begins with the same)")]
pub(crate) struct RestoreArgs {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Subcommand for RestoreArgs {
    const NAME: &'static str = "restore";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self.json)
    }
}

fn run(json: bool) -> anyhow::Result<Exit> {
    let report = restored(&Journal::open()?);
    if json {
        output::print(&document(&report)?)?;
    } else if report.is_empty() {
        output::print("nothing was left behind\n")?;
    } else {
        output::print_page(&text(&report))?;
    }
    Ok(if report.kept.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn document(report: &RestoreReport) -> anyhow::Result<String> {
    let in_use = report.in_use.iter().map(|used| InUseBody {
        path: used.path.display().to_string(),
        owner: used.owner.to_string(),
    });
    let removed = report.removed.iter();
    let ended = report.ended.iter();
    let put_back = report.put_back.iter();
    let undone = report.undone_by_reboot.iter();
    let body = RestoredBody {
        put_back: put_back.map(|path| path.display().to_string()).collect(),
        undone_by_reboot: undone.map(|path| path.display().to_string()).collect(),
        removed: removed.map(|path| path.display().to_string()).collect(),
        ended: ended
            .map(|server| server.directory.display().to_string())
            .collect(),
        in_use: in_use.collect(),
        left: report.kept.iter().map(ToString::to_string).collect(),
    };
    Ok(Envelope::new(DocumentFormat::Restored, "restore", body).to_text()?)
}
