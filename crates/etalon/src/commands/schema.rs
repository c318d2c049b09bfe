//! `etalon schema`.

use clap::Args;
use etalon_exchange::{json_schema, plan_schema};
use etalon_tools::{Exit, ToolRecord};

use super::subcommand::Subcommand;
use crate::output;

/// Print the JSON Schema of every document that --json writes, or that of a plan
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon schema > etalon.schema.json
  etalon schema plan > plan.schema.json")]
pub(crate) struct SchemaArgs {
    /// What to describe [default: what --json writes]
    #[arg(value_enum, value_name = "KIND")]
    of: Option<Described>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Described {
    /// A plan, as `etalon run` takes it
    Plan,
}

impl Subcommand for SchemaArgs {
    const NAME: &'static str = "schema";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self.of)
    }
}

fn run(of: Option<Described>) -> anyhow::Result<Exit> {
    let schema = match of {
        None => json_schema::<ToolRecord<'_>>(),
        Some(Described::Plan) => plan_schema(),
    };
    output::print(&(serde_json::to_string_pretty(&schema)? + "\n"))?;
    Ok(Exit::Done)
}
