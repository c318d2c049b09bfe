//! `etalon report [ID…]`.

mod charts;
mod compared;
mod planned;
mod subjects;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use clap::Args;
use etalon_factor::guard::{Existing, Output, Readers};
use etalon_tools::Exit;
use etalon_units::shell_line;

use super::subcommand::Subcommand;
use crate::cli::{LanguageArgs, StoreArgs};
use crate::exit::BadUsage;
use crate::output;
pub(super) use compared::Compared;
pub(super) use subjects::Subjects;

/// Write a report that opens in a browser: one file with table, pictures and findings
///
/// Several experiments are held against the first: their workloads of the same name are compared.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon report 7 -o report.html
  etalon report 7 8 -o report.html --open
  etalon report 7 --charts charts
  etalon report 7 --charts charts -o report.html")]
pub(super) struct ReportArgs {
    /// Experiments, as `etalon list` shows them, or files of `etalon export --json` [default: the newest]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// The file to write; one that is there is replaced [default: etalon-ID.html, which must not be there]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Open it in the browser
    #[arg(long)]
    open: bool,
    /// Write each picture as SVG and as PNG into this directory, which is made where it is missing; and a report only where -o names it
    #[arg(long, value_name = "DIR", conflicts_with = "open")]
    charts: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArgs,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for ReportArgs {
    const NAME: &'static str = "report";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    output::language().speak(|| written(args))
}

fn written(args: &ReportArgs) -> anyhow::Result<Exit> {
    // What cannot be written is known before anything is read.
    let named = args
        .output
        .as_ref()
        .map(|path| claim(path, Existing::Replace));
    let named = named.transpose()?;
    let subjects = Subjects::read(&args.experiments, &args.store)?;
    let side_by_side = subjects.side_by_side()?;
    let compared = Compared::of(&subjects, side_by_side.as_ref());
    let command = command(args, subjects.first_id());
    let report = compared.report(&command);
    if let Some(directory) = &args.charts {
        charts::write(&report.pictures(), directory)?;
        if args.output.is_none() {
            return Ok(Exit::Done);
        }
    }
    let usual = PathBuf::from(format!("etalon-{}.html", subjects.first_id()));
    let mut file = match named {
        Some(file) => file,
        None => claim(&usual, Existing::Refuse)?,
    };
    let written = file.write(report.page().as_bytes());
    written.with_context(|| format!("cannot write '{}'", file.path().display()))?;
    output::print(&format!("{}\n", file.path().display()))?;
    if args.open {
        open(file.path())?;
    }
    Ok(Exit::Done)
}

fn claim(path: &Path, existing: Existing) -> anyhow::Result<Output> {
    let claimed = Output::claim(path, existing, Readers::ByUmask);
    claimed.with_context(|| {
        format!(
            "cannot write '{}'; name another file with -o",
            path.display()
        )
    })
}

/// The command that makes this report again.
fn command(args: &ReportArgs, id: i64) -> String {
    let mut words = vec!["etalon".to_owned(), "report".to_owned()];
    match args.experiments.is_empty() {
        true => words.push(id.to_string()),
        false => words.extend(args.experiments.iter().cloned()),
    }
    words.extend(["-o", "report.html"].map(str::to_owned));
    if let Some(language) = args.language.lang {
        words.extend(["--lang", language.tag()].map(str::to_owned));
    }
    shell_line(&words)
}

/// Hands the file to the desktop, whose answer is not waited for.
fn open(path: &Path) -> anyhow::Result<()> {
    let path = std::fs::canonicalize(path).context("cannot find the report again")?;
    let mut browser = Command::new("xdg-open");
    let quiet = browser
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if quiet.spawn().is_err() {
        bail!(BadUsage(
            "--open: there is no 'xdg-open' here; open the file in a browser yourself".to_owned()
        ));
    }
    Ok(())
}
