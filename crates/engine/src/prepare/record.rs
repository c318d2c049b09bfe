//! The record of what the files of a private directory hold.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::EngineError;

/// Its name within the directory.
const RECORD: &str = ".layout.json";

/// What each file holds, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) files: BTreeMap<String, Laid>,
}

/// What one file holds: stamped data from its start to `size`, without a hole; nothing is known of
/// the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Laid {
    pub(super) seed: u64,
    pub(super) size: u64,
    /// True while it is as it was laid out.
    pub(super) pristine: bool,
    /// Number of the last run that wrote to it, or to a file of its name before it.
    pub(super) epoch: u16,
}

/// The name under which a file is recorded.
fn key(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

impl Record {
    /// The directory's record; an empty one where there is none or it is damaged.
    pub(super) fn read(directory: &Path) -> Self {
        std::fs::read_to_string(directory.join(RECORD))
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    /// Replaces the directory's record.
    pub(super) fn write(&self, directory: &Path) -> Result<(), EngineError> {
        let path = directory.join(RECORD);
        let text = serde_json::to_vec(self).unwrap_or_default();
        let mut create = OpenOptions::new();
        create.write(true).create(true).truncate(true).mode(0o600);
        let written = create
            .open(&path)
            .and_then(|mut file| file.write_all(&text));
        written.map_err(|source| EngineError::Io {
            action: "write",
            path,
            source,
        })
    }

    /// What is known of a file.
    pub(super) fn of(&self, path: &Path) -> Option<Laid> {
        self.files.get(&key(path)).copied()
    }

    /// Replaces what is known of a file.
    pub(super) fn set(&mut self, path: &Path, laid: Laid) {
        self.files.insert(key(path), laid);
    }
}
