//! One file with everything of an experiment, compressed: for archives and for readers of a result.
//!
//! A bundle is one JSON document in a Zstandard frame. It holds the records as they are stored, so that
//! what is taken back into a store and bundled again is the same file, byte for byte.

use std::io::Read as _;
use std::sync::Arc;

use etalon_model::{EnvironmentRecord, Experiment, RunId, SCHEMA_VERSION};
use serde::{Deserialize, Serialize};

use crate::{ExportError, ImportError};

/// What the document calls itself.
const FORMAT: &str = "etalon-bundle";
/// How hard is compressed: seconds for what took hours to measure.
const EFFORT: i32 = 9;
/// A bundle that unfolds to more than this is none of ours: an hour's series of 1000 runs are 1.2 GiB.
const MOST_BYTES: u64 = 4 << 30;

#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    schema_version: u32,
    experiment: &'a Experiment,
    environments: Vec<&'a EnvironmentRecord>,
}

#[derive(Deserialize)]
struct BundleMark {
    format: String,
    schema_version: u32,
}

#[derive(Deserialize)]
struct Read {
    experiment: Experiment,
    environments: Vec<EnvironmentRecord>,
}

/// Why a file is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// It is no Zstandard frame, or it is cut off.
    #[error(
        "this is no bundle, or it is damaged; name a file that `etalon export --bundle` wrote: {0}"
    )]
    Frame(#[from] std::io::Error),
    /// It unfolds to more than any experiment.
    #[error(
        "this bundle unfolds to more than 4 GiB; it is none that `etalon export --bundle` wrote"
    )]
    Endless,
    /// What it holds is no experiment.
    #[error("{0}")]
    Content(#[from] ImportError),
}

/// The bundle of an experiment. Its number and the process that made it are this store's alone and are
/// left out.
///
/// # Errors
/// [`ExportError`] when it cannot be written.
pub fn to_bundle(experiment: &Experiment) -> Result<Vec<u8>, ExportError> {
    let mut own = experiment.clone();
    own.header.id = RunId::default();
    own.header.begun.owner = None;
    let text = serde_json::to_vec(&Written {
        format: FORMAT,
        schema_version: SCHEMA_VERSION,
        experiment: &own,
        environments: experiment.environments(),
    })?;
    Ok(zstd::encode_all(text.as_slice(), EFFORT)?)
}

/// The experiment of a bundle.
///
/// # Errors
/// [`BundleError`] for any other file.
pub fn from_bundle(bytes: &[u8]) -> Result<Experiment, BundleError> {
    let mut text = String::new();
    let frame = zstd::Decoder::new(bytes)?;
    frame.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(BundleError::Endless);
    }
    Ok(parsed(&text)?)
}

fn parsed(text: &str) -> Result<Experiment, ImportError> {
    let mark: BundleMark = serde_json::from_str(text)?;
    if mark.format != FORMAT {
        return Err(ImportError::Format(mark.format));
    }
    if mark.schema_version > SCHEMA_VERSION {
        let found = mark.schema_version;
        return Err(ImportError::Newer { found });
    }
    let read: Read = serde_json::from_str(text)?;
    let environments = read.environments.into_iter().map(Arc::new).collect();
    let mut experiment = read.experiment;
    crate::read::restore_environments(&mut experiment.runs, environments);
    Ok(experiment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;

    #[test]
    fn what_is_read_is_bundled_to_the_same_bytes() {
        let bundle = to_bundle(&experiment()).unwrap();
        let back = from_bundle(&bundle).unwrap();
        assert_eq!(back.cells.len(), 1);
        assert_eq!(back.runs[0].measurement, experiment().runs[0].measurement);
        assert_eq!(back.environments(), experiment().environments());
        assert_eq!(to_bundle(&back).unwrap(), bundle);
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        let bundle = to_bundle(&experiment()).unwrap();
        let cut = &bundle[..bundle.len() / 2];
        let other = zstd::encode_all(&b"{\"format\":\"x\",\"schema_version\":1}"[..], 1).unwrap();
        for (bytes, word) in [
            (cut, "damaged"),
            (b"{}".as_slice(), "no bundle"),
            (&other, "'x'"),
        ] {
            let error = from_bundle(bytes).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
