//! The files that are written beside the measured ones: the workbook of `-b`, the logs of `-Q` and
//! `-+T`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etalon_factor::guard::{Existing, GuardError, Output, Readers};

use super::{IozoneError, Options, latency_files, time_stamps};

/// All of them, claimed before the work: what must not be written is refused then.
#[derive(Debug)]
pub(crate) struct Files {
    directory: PathBuf,
    workbook: Option<Output>,
    logs: BTreeMap<String, Output>,
}

impl Files {
    /// Claims what `options` ask for. The user named the workbook, which replaces what is there; nobody
    /// named the logs, which replace nothing.
    ///
    /// # Errors
    /// What cannot or must not be written.
    pub(crate) fn claim(options: &Options) -> Result<Files, IozoneError> {
        let mut files = Files::in_directory(Path::new("."));
        let claim = |path: &PathBuf| {
            let output = Output::claim(path, Existing::Replace, Readers::ByUmask);
            output.map_err(|error| told(path, error))
        };
        files.workbook = options.workbook.as_ref().map(claim).transpose()?;
        if options.settings.latencies {
            for name in latency_files::names(&options.operations()) {
                files.log(name)?;
            }
        }
        let workers = options.workers().filter(|_| options.time_stamps);
        for worker in 0..workers.map_or(0, |workers| *workers.end()) {
            files.log(&time_stamps::name(worker))?;
        }
        Ok(files)
    }

    /// No workbook, and logs in `directory` when they are written.
    pub(crate) fn in_directory(directory: &Path) -> Files {
        Files {
            directory: directory.to_owned(),
            workbook: None,
            logs: BTreeMap::new(),
        }
    }

    /// The log of this name, which nobody else has made.
    fn log(&mut self, name: &str) -> Result<&mut Output, IozoneError> {
        if !self.logs.contains_key(name) {
            let path = self.directory.join(name);
            let output = Output::claim(&path, Existing::Refuse, Readers::ByUmask);
            let output = output.map_err(|error| told(&path, error))?;
            self.logs.insert(name.to_owned(), output);
        }
        self.logs.get_mut(name).ok_or_else(|| {
            let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
            IozoneError::Output(missing)
        })
    }

    /// Writes a log, over what this program wrote into it before.
    ///
    /// # Errors
    /// When it cannot or must not be written.
    pub(crate) fn write_log(&mut self, name: &str, text: &str) -> Result<(), IozoneError> {
        write(self.log(name)?, text.as_bytes())
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

fn write(output: &mut Output, bytes: &[u8]) -> Result<(), IozoneError> {
    let written = output.write(bytes);
    written.map_err(|error| told(output.path(), error))
}

fn told(path: &Path, error: GuardError) -> IozoneError {
    match error {
        GuardError::Refused(refusal) => IozoneError::Refused(refusal),
        GuardError::Failed(errno) => IozoneError::File {
            path: path.to_owned(),
            source: errno.into(),
        },
    }
}
