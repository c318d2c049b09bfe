//! `etalon export ID --json|--csv`.

use anyhow::Context as _;
use etalon_exchange::{to_csv, to_json};

use super::subcommand::Subcommand;
use crate::cli::ExportArgs;
use crate::exit::Exit;
use crate::output;
use crate::stores;

impl Subcommand for ExportArgs {
    const NAME: &'static str = "export";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let experiment = stores::open_read_only(&args.store)?.experiment(args.id)?;
    let mut text = Vec::new();
    if args.json {
        to_json(&experiment, &mut text)?;
    } else {
        to_csv(&experiment, &mut text)?;
    }
    let text = String::from_utf8(text).context("the export is not UTF-8")?;
    match args.json {
        true => output::print(&text)?,
        false => output::print_data(&text)?,
    }
    Ok(Exit::Done)
}
