//! What the tools write beside cells where one JSON document is asked for.

use schemars::JsonSchema;

use crate::dd::CopyRun;
use crate::hdparm::ReadingsDocument;

/// What a tool says of each copy or reading: [`dd`](crate::dd) and [`hdparm`](crate::hdparm) do.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
pub enum ToolRecord<'a> {
    /// The passes of `dd`, each with its copies.
    Copies(Vec<Vec<CopyRun>>),
    /// The readings of `hdparm`.
    Readings(ReadingsDocument<'a>),
}
