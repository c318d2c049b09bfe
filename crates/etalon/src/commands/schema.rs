//! `etalon schema`.

use clap::Args;
use etalon_exchange::json_schema;

use super::subcommand::Subcommand;
use crate::exit::Exit;
use crate::output;

/// Print the JSON Schema of every document that --json writes
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon schema > etalon.schema.json")]
pub(crate) struct SchemaArgs {}

impl Subcommand for SchemaArgs {
    const NAME: &'static str = "schema";

    fn run(&self) -> anyhow::Result<Exit> {
        run()
    }
}

fn run() -> anyhow::Result<Exit> {
    output::print(&(serde_json::to_string_pretty(&json_schema())? + "\n"))?;
    Ok(Exit::Done)
}
