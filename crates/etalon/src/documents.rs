//! Exported experiments and texts of others, read from files.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use etalon_exchange::from_json;
use etalon_judge::gather_again;
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
    let text = text_of_document(path)?;
    text.map(|text| of_document(&text, path)).transpose()
}

/// The experiment of the text of a document, with what that leaves to its runs.
pub(crate) fn of_document(text: &str, path: &Path) -> anyhow::Result<Experiment> {
    let mut experiment = from_json(text).with_context(|| format!("'{}'", path.display()))?;
    let cells = experiment.cells.iter();
    let again: Vec<_> = cells.map(|cell| gather_again(&experiment, cell)).collect();
    for (cell, again) in experiment.cells.iter_mut().zip(again) {
        if let Some((latency, share)) = again {
            (cell.latency, cell.device_share) = (latency, share);
        }
    }
    Ok(experiment)
}

/// The text of a file that is a document; `None` for another.
pub(crate) fn text_of_document(path: &Path) -> anyhow::Result<Option<String>> {
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
    Ok(Some(text))
}

/// No page that people read, and no text of a program, is larger.
const LARGEST_MIB: u64 = 64;

/// The first bytes of a file, by which its kind is known.
pub(crate) fn begin(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let cannot = || format!("cannot read '{}'", path.display());
    let begin = open(path)?.take(4096).read_to_end(&mut bytes);
    begin.with_context(cannot)?;
    Ok(bytes)
}

/// The bytes of a file of so much at most, or of standard input for `-`.
pub(crate) fn page_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = match path == Path::new("-") {
        true => limited(std::io::stdin())?,
        false => limited(open(path)?)?,
    };
    if bytes.len() as u64 > LARGEST_MIB << 20 {
        bail!(
            "'{}' has more than {LARGEST_MIB} MiB, which no page has: cut out the part with the measurement",
            path.display()
        );
    }
    Ok(bytes)
}

fn limited(from: impl std::io::Read) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take((LARGEST_MIB << 20) + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// UTF-8, or else Latin 1, in which old pages are written.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}
