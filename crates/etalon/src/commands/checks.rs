//! `etalon checks`.

use clap::Args;
use etalon_exchange::{ChecksBody, DocumentFormat, Envelope, ListedCheck};
use etalon_judge::{CHECKS, Check, check_of};
use etalon_report::{CheckWords, described};
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use crate::cli::LookArgs;
use crate::exit::BadUsage;
use crate::output;
use crate::usage::nearest;

/// List the checks that every run goes through
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon checks
  etalon checks page-cache")]
pub(crate) struct ChecksArgs {
    /// Only this check, by the code that a finding has
    #[arg(value_name = "CODE")]
    code: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: LookArgs,
}

impl Subcommand for ChecksArgs {
    const NAME: &'static str = "checks";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &ChecksArgs) -> anyhow::Result<Exit> {
    if args.json {
        output::print(&document(&chosen(args)?)?)?;
        return Ok(Exit::Done);
    }
    let row = |check: &Check| (check.code, told(check));
    let checks = chosen(args)?.into_iter();
    let rows: Vec<_> = output::look().speak(|| checks.map(row).collect());
    output::print_page(&described("", &rows, output::width()))?;
    Ok(Exit::Done)
}

/// What it means and what to do; in another language the short texts that pages have.
fn told(check: &Check) -> String {
    match CheckWords::spoken(check) {
        Some(own) => format!("{} {}", own.about, own.advice),
        None => format!("{} {}", check.about, check.advice),
    }
}

/// All checks, or the one that was named.
fn chosen(args: &ChecksArgs) -> Result<Vec<&'static Check>, BadUsage> {
    let Some(code) = &args.code else {
        return Ok(CHECKS.to_vec());
    };
    let codes = || CHECKS.iter().map(|check| check.code);
    let unknown = || match nearest(code, codes()) {
        Some(near) => format!("unknown check '{code}'; did you mean '{near}'?"),
        None => format!("unknown check '{code}'; `etalon checks` lists them"),
    };
    check_of(code)
        .map(|check| vec![check])
        .ok_or_else(|| BadUsage(unknown()))
}

fn document(checks: &[&Check]) -> anyhow::Result<String> {
    let listed = |check: &Check| ListedCheck {
        code: check.code,
        about: check.about,
        advice: check.advice,
    };
    let checks = checks.iter().copied().map(listed);
    let body = ChecksBody {
        checks: checks.collect(),
    };
    Ok(Envelope::new(DocumentFormat::Checks, "checks", body).to_text()?)
}
