//! What is made of devices for a time, as the journal keeps it: step by step.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::filesystem_mark::FilesystemMark;
use crate::path_text;
use crate::token::Token;

/// The steps of one entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrySteps {
    /// When it was begun, in nanoseconds since 1970: what was made later is undone first.
    pub begun_ns: u64,
    /// In the order in which they were made.
    pub steps: Vec<EntryStep>,
}

/// One thing that is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case", deny_unknown_fields)]
pub enum EntryStep {
    /// An empty directory, in which something is mounted.
    Directory {
        /// Where; its name begins with the token.
        #[serde(with = "path_text")]
        path: PathBuf,
        /// The filesystem that it lies on; none where it is not known, and before form 3.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filesystem: Option<FilesystemMark>,
    },
    /// A file that backs a device.
    File {
        /// Where; its name begins with the token.
        #[serde(with = "path_text")]
        path: PathBuf,
        /// The filesystem that it lies on; none where it is not known, and before form 3.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filesystem: Option<FilesystemMark>,
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
    /// A device of bcache; its members are formats of their own.
    Bcache {
        /// The UUID of its cache set.
        uuid: Token,
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

impl EntrySteps {
    /// Where filesystems are mounted.
    pub(crate) fn mounts(&self) -> impl Iterator<Item = &PathBuf> {
        self.steps.iter().filter_map(|step| match step {
            EntryStep::Mount { point } => Some(point),
            _ => None,
        })
    }
}

/// A disk that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeZram {
    /// Its number.
    pub index: u32,
    /// The disk's own number (`/sys/block/DISK/diskseq`, Linux 5.15), by which another one under the same name is known.
    #[serde(with = "diskseq_text")]
    pub diskseq: Option<String>,
}

/// Stored as text that is empty where the kernel gives disks no numbers, as every etalon has written and reads it.
mod diskseq_text {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(
        diskseq: &Option<String>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        diskseq.as_deref().unwrap_or_default().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
        let text = String::deserialize(d)?;
        Ok(Some(text).filter(|text| !text.is_empty()))
    }
}

impl EntrySteps {
    /// What a person would call it: its last path, or the device that was made.
    pub(crate) fn shown(&self) -> PathBuf {
        let path = self.steps.iter().rev().find_map(EntryStep::paths);
        let device = self.steps.iter().rev().find_map(|step| match step {
            EntryStep::Zram {
                made: Some(made), ..
            } => Some(format!("/dev/zram{}", made.index)),
            _ => None,
        });
        let path = path.map(Path::to_owned);
        path.or(device.map(PathBuf::from))
            .unwrap_or_else(|| PathBuf::from("a virtual device"))
    }
}

impl EntryStep {
    /// Every path that it names.
    pub(crate) fn paths(&self) -> Option<&Path> {
        match self {
            EntryStep::Directory { path, .. } | EntryStep::File { path, .. } => Some(path),
            EntryStep::Loop { file } => Some(file),
            EntryStep::Mount { point } => Some(point),
            EntryStep::Format { device, .. } => Some(device),
            EntryStep::Zram { .. }
            | EntryStep::Md { .. }
            | EntryStep::Bcache { .. }
            | EntryStep::VolumeGroup { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_path_is_called_by_its_device_and_never_the_root() {
        let of = |made| EntrySteps {
            begun_ns: 1,
            steps: vec![EntryStep::Zram {
                before: Vec::new(),
                made,
            }],
        };
        let made = MadeZram {
            index: 3,
            diskseq: Some("9".to_owned()),
        };
        assert_eq!(of(Some(made)).shown(), Path::new("/dev/zram3"));
        assert_eq!(of(None).shown(), Path::new("a virtual device"));
    }

    #[test]
    fn a_disk_without_a_number_of_its_own_is_stored_as_ever() {
        for (text, diskseq) in [
            (r#"{"index":1,"diskseq":""}"#, None),
            (r#"{"index":1,"diskseq":"12"}"#, Some("12".to_owned())),
        ] {
            let made: MadeZram = serde_json::from_str(text).unwrap();
            assert_eq!((made.index, &made.diskseq), (1, &diskseq));
            assert_eq!(serde_json::to_string(&made).unwrap(), text);
        }
    }
}
