//! `etalon schema`.

use etalon_exchange::json_schema;

use crate::exit::Exit;
use crate::output;

pub(crate) fn run() -> anyhow::Result<Exit> {
    output::print(&(serde_json::to_string_pretty(&json_schema())? + "\n"))?;
    Ok(Exit::Done)
}
