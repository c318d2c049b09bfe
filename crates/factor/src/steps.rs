//! What is made of devices for a time, as the journal keeps it: step by step.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::path_text;
use crate::token::Token;

/// The steps of one entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// When it was begun, in nanoseconds since 1970: what was made later is undone first.
    pub begun_ns: u64,
    /// In the order in which they were made.
    pub steps: Vec<Step>,
}

/// One thing that is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Step {
    /// An empty directory, in which something is mounted.
    Directory {
        /// Where; its name begins with the token.
        #[serde(with = "path_text")]
        path: PathBuf,
    },
    /// A file that backs a device.
    File {
        /// Where; its name begins with the token.
        #[serde(with = "path_text")]
        path: PathBuf,
    },
    /// A loop device on such a file.
    Loop {
        /// The file, by which the device is known.
        #[serde(with = "path_text")]
        file: PathBuf,
    },
    /// A disk of compressed memory.
    Zram {
        /// The devices that were there before.
        before: Vec<u32>,
        /// The one that was made, once the kernel has told its number.
        made: Option<MadeZram>,
    },
    /// A filesystem that is mounted.
    Mount {
        /// Where; its name begins with the token.
        #[serde(with = "path_text")]
        point: PathBuf,
    },
    /// An md array; its members are formats of their own.
    Md {
        /// Its UUID.
        uuid: Token,
    },
    /// A volume group of LVM; its members are formats of their own.
    VolumeGroup {
        /// Its name, which holds the token.
        name: String,
    },
    /// A filesystem or another format on a device, which is taken away again.
    Format {
        /// The device.
        #[serde(with = "path_text")]
        device: PathBuf,
        /// The UUID that it was given, by which it is known.
        uuid: Token,
    },
}

/// A disk that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeZram {
    /// Its number.
    pub index: u32,
    /// The disk's own number, by which another one under the same name is known.
    pub diskseq: String,
}

impl Step {
    /// Every path that it names.
    pub(crate) fn paths(&self) -> Option<&Path> {
        match self {
            Step::Directory { path } | Step::File { path } => Some(path),
            Step::Loop { file } => Some(file),
            Step::Mount { point } => Some(point),
            Step::Format { device, .. } => Some(device),
            Step::Zram { .. } | Step::Md { .. } | Step::VolumeGroup { .. } => None,
        }
    }
}
