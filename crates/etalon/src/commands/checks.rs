//! `etalon checks`.

use clap::Args;
use etalon_exchange::{ChecksBody, DocumentFormat, Envelope, ListedCheck};
use etalon_judge::{CHECKS, Check};
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use crate::output;

/// List the checks that every run goes through
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon checks | grep page-cache")]
pub(crate) struct ChecksArgs {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Subcommand for ChecksArgs {
    const NAME: &'static str = "checks";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self.json)
    }
}

fn run(json: bool) -> anyhow::Result<Exit> {
    if json {
        output::print(&document()?)?;
        return Ok(Exit::Done);
    }
    let width = CHECKS
        .iter()
        .map(|check| check.code.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for check in CHECKS {
        text.push_str(&format!(
            "{:width$}  {} {}\n",
            check.code, check.about, check.advice
        ));
    }
    output::print_page(&text)?;
    Ok(Exit::Done)
}

fn document() -> anyhow::Result<String> {
    let listed = |check: &Check| ListedCheck {
        code: check.code,
        about: check.about,
        advice: check.advice,
    };
    let checks = CHECKS.iter().copied().map(listed);
    let body = ChecksBody {
        checks: checks.collect(),
    };
    Ok(Envelope::new(DocumentFormat::Checks, "checks", body).to_text()?)
}
