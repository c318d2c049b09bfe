//! `etalon schema`.

use std::io::Read as _;

use clap::Args;
use etalon_tools::Exit;
use flate2::read::ZlibDecoder;

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

/// As `build.rs` packs them. What would derive them from the types is fifteen times as large, and stays in the tests.
const DOCUMENTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/documents.json.zlib"));
const PLAN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/plan.json.zlib"));

impl Subcommand for SchemaArgs {
    const NAME: &'static str = "schema";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self.of)
    }
}

fn run(of: Option<Described>) -> anyhow::Result<Exit> {
    let packed = match of {
        None => DOCUMENTS,
        Some(Described::Plan) => PLAN,
    };
    let mut schema = String::new();
    ZlibDecoder::new(packed).read_to_string(&mut schema)?;
    output::print(&schema)?;
    Ok(Exit::Done)
}
