//! Exported experiments, read from files.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use etalon_exchange::from_json;
use etalon_model::Experiment;

/// The experiment of a document; `None` for a file of another kind, such as a store.
pub(crate) fn read(path: &Path) -> anyhow::Result<Option<Experiment>> {
    let cannot = || format!("cannot read '{}'", path.display());
    let mut file = File::open(path).with_context(cannot)?;
    let mut first = [0];
    if file.read(&mut first).with_context(cannot)? == 0 || first != *b"{" {
        return Ok(None);
    }
    let mut text = String::from("{");
    file.read_to_string(&mut text).with_context(cannot)?;
    let experiment = from_json(&text).with_context(|| format!("'{}'", path.display()))?;
    Ok(Some(experiment))
}
