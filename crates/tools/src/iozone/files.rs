//! The files that are written beside the measured ones: the workbook of `-b`, the logs of `-Q` and
//! `-+T`.

use std::path::{Path, PathBuf};

use etalon_factor::guard::{Existing, Output, Readers};

use super::logs::{Logs, told, write};
use super::{IozoneError, Options, latency_files, time_stamps};

/// All of them, claimed before the work: what must not be written is refused then.
#[derive(Debug)]
pub(crate) struct Files {
    workbook: Option<Output>,
    pub(crate) logs: Logs,
}

impl Files {
    /// Claims what `options` ask for. The user named the workbook, which replaces what is there; nobody
    /// named the logs, which replace nothing.
    ///
    /// # Errors
    /// What cannot or must not be written.
    pub(crate) fn claim(options: &Options) -> Result<Files, IozoneError> {
        let claim = |path: &PathBuf| {
            let output = Output::claim(path, Existing::Replace, Readers::ByUmask);
            output.map_err(|error| told(path, error))
        };
        let workbook = options.workbook.as_ref().map(claim).transpose()?;
        let mut logs = Logs::in_directory(Path::new("."));
        if options.settings.latencies {
            for name in latency_files::names(&options.operations()) {
                logs.claim(name)?;
            }
        }
        let workers = options.most_workers().filter(|_| options.time_stamps);
        for worker in 0..workers.unwrap_or(0) {
            logs.claim(&time_stamps::name(worker))?;
        }
        Ok(Files { workbook, logs })
    }

    /// Writes the workbook, if one is wanted.
    ///
    /// # Errors
    /// When it cannot be made, or cannot or must not be written.
    pub(crate) fn write_workbook(
        &mut self,
        bytes: impl FnOnce(&Path) -> Result<Vec<u8>, IozoneError>,
    ) -> Result<(), IozoneError> {
        match &mut self.workbook {
            Some(output) => {
                let bytes = bytes(output.path())?;
                write(output, &bytes)
            }
            None => Ok(()),
        }
    }
}
