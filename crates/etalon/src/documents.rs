//! Exported experiments, read from files.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use etalon_exchange::from_json;
use etalon_model::Experiment;

/// Opens a file to read; a pipe would be waited for, and a device would never end.
pub(crate) fn open(path: &Path) -> anyhow::Result<File> {
    let Some(file) = open_regular(path)? else {
        bail!("cannot read '{}': it is not a file", path.display());
    };
    Ok(file)
}

/// `None` for what is no file.
fn open_regular(path: &Path) -> anyhow::Result<Option<File>> {
    let cannot = || format!("cannot read '{}'", path.display());
    if !std::fs::metadata(path).with_context(cannot)?.is_file() {
        return Ok(None);
    }
    Ok(Some(File::open(path).with_context(cannot)?))
}

/// The experiment of a document; `None` for a file of another kind, such as a store.
pub(crate) fn read(path: &Path) -> anyhow::Result<Option<Experiment>> {
    let cannot = || format!("cannot read '{}'", path.display());
    let Some(mut file) = open_regular(path)? else {
        return Ok(None);
    };
    let mut first = [0];
    if file.read(&mut first).with_context(cannot)? == 0 || first != *b"{" {
        return Ok(None);
    }
    let mut text = String::from("{");
    file.read_to_string(&mut text).with_context(cannot)?;
    let experiment = from_json(&text).with_context(|| format!("'{}'", path.display()))?;
    Ok(Some(experiment))
}
