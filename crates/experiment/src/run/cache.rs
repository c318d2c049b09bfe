//! The declared state of the page cache: set before a run; the checks verify it.

use std::fs::File;
use std::path::PathBuf;

use etalon_factor::{CacheLimit, Journal};
use etalon_model::CacheMode;
use etalon_stack::{Behind, behind, residency};
use etalon_units::Bytes;

use super::around::read_through;
use crate::ExperimentError;

/// A control group for a limited cache; `None` for any other state.
///
/// # Errors
/// When the machine offers none.
pub(crate) fn limit(mode: CacheMode) -> Result<Option<CacheLimit>, ExperimentError> {
    match mode {
        CacheMode::Limited(limit) => Ok(Some(CacheLimit::create(&Journal::open()?, limit.get())?)),
        _ => Ok(None),
    }
}

/// Brings the files into the declared state, as far as this user may; what was reached is recorded
/// when the run begins.
///
/// # Errors
/// When a file that is to be warm cannot be read.
pub(crate) fn set(mode: CacheMode, files: &[PathBuf]) -> Result<(), ExperimentError> {
    match mode {
        CacheMode::AsFound | CacheMode::Direct => {}
        CacheMode::Cold | CacheMode::Limited(_) => empty(files),
        CacheMode::Warm => {
            for path in files {
                read_through(path).map_err(|source| ExperimentError::CacheState {
                    path: path.clone(),
                    mode,
                    source,
                })?;
            }
        }
    }
    Ok(())
}

/// Per file first; where pages stay (another mapping, a batch of the processor not yet drained) the
/// whole cache goes, which needs root.
///
/// What lies behind a passthrough goes after its pages, whose dropping writes them back to it.
fn empty(files: &[PathBuf]) {
    drop_cache(files);
    let beneath = files.iter().map(|file| behind(file));
    let beneath: Vec<PathBuf> = beneath
        .filter_map(|behind| match behind {
            Behind::File(file) => Some(file),
            Behind::Nothing | Behind::Unknown => None,
        })
        .collect();
    drop_cache(&beneath);
    let is_held = |path: &PathBuf| residency(path).is_ok_and(|held| held.cached > Bytes::ZERO);
    if files.iter().chain(&beneath).any(is_held) {
        let _ = etalon_host::cache::drop_all();
    }
}

/// Takes the pages of the files out of the page cache.
/// A file that cannot be opened is left as it is: the device's share will tell.
pub(crate) fn drop_cache(files: &[PathBuf]) {
    for path in files {
        if let Ok(file) = File::open(path) {
            let _ = etalon_host::cache::drop_file(&file);
        }
    }
}
