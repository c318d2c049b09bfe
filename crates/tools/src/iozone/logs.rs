//! The logs that are written beside the measured files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etalon_factor::guard::{Existing, GuardError, Output, Readers};

use super::IozoneError;

/// Logs, claimed before the work or when they are first written.
#[derive(Debug)]
pub(crate) struct Logs {
    directory: PathBuf,
    claimed: BTreeMap<String, Output>,
}

impl Logs {
    /// Logs in `directory`, none of them claimed.
    pub(crate) fn in_directory(directory: &Path) -> Logs {
        Logs {
            directory: directory.to_owned(),
            claimed: BTreeMap::new(),
        }
    }

    /// The log of this name, which nobody else has made.
    pub(crate) fn claim(&mut self, name: &str) -> Result<&mut Output, IozoneError> {
        if !self.claimed.contains_key(name) {
            let path = self.directory.join(name);
            let output = Output::claim(&path, Existing::Refuse, Readers::ByUmask);
            let output = output.map_err(|error| told(&path, error))?;
            self.claimed.insert(name.to_owned(), output);
        }
        self.claimed.get_mut(name).ok_or_else(|| {
            let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
            IozoneError::Output(missing)
        })
    }

    /// Writes a log, over what this program wrote into it before.
    ///
    /// # Errors
    /// When it cannot or must not be written.
    pub(crate) fn write(&mut self, name: &str, text: &str) -> Result<(), IozoneError> {
        write(self.claim(name)?, text.as_bytes())
    }
}

pub(super) fn write(output: &mut Output, bytes: &[u8]) -> Result<(), IozoneError> {
    let written = output.write(bytes);
    written.map_err(|error| told(output.path(), error))
}

pub(super) fn told(path: &Path, error: GuardError) -> IozoneError {
    match error {
        GuardError::Refused(refusal) => IozoneError::Refused(refusal),
        GuardError::Failed(errno) => IozoneError::File {
            path: path.to_owned(),
            source: errno.into(),
        },
    }
}
