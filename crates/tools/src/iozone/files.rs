//! The files that are written beside the measured ones: the workbook of `-b`, the logs of `-Q` and
//! `-+T`.

use std::path::{Path, PathBuf};

use etalon_factor::guard::{Existing, Output, Readers};

use super::logs::{Logs, told, write};
use super::{IozoneError, Options, latency_files, time_stamps};

/// The logs that `options` ask for; those of a group are its workers'.
pub(crate) fn log_names(options: &Options) -> Vec<String> {
    let operations = options.operations();
    let latencies = latency_files::names(&operations).filter(|_| options.settings.latencies);
    let latencies: Vec<&str> = latencies.collect();
    let Some(workers) = options.most_workers() else {
        return latencies.into_iter().map(str::to_owned).collect();
    };
    let of_worker = |worker| {
        let stamps = options.time_stamps.then(|| time_stamps::name(worker));
        let latencies = latencies.iter();
        let latencies = latencies.map(move |name| latency_files::name_of_worker(name, worker));
        latencies.chain(stamps)
    };
    (0..workers).flat_map(of_worker).collect()
}

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
        for name in log_names(options) {
            logs.claim(&name)?;
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
