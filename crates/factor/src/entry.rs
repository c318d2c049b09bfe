//! One entry of the journal: what is changed, by whom, and how to know it again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::filesystem_mark::FilesystemMark;
use crate::former_mount::FormerMount;
use crate::identity::Identity;
use crate::path_text;
use crate::process::ProcessStamp;
use crate::saved_value::SavedValue;
use crate::steps::{EntryStep, EntrySteps};
use crate::token::Token;

/// The form of the entries that this etalon writes and the newest that it reads.
const VERSION: u32 = 6;

/// One change that has to be put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The form of the entry.
    journal: u32,
    /// Who makes the change; while it lives, the change is its own affair.
    pub owner: ProcessStamp,
    /// Tells the change from anything that looks like it.
    pub token: Token,
    /// When it was entered, in nanoseconds since 1970, later than all that this process entered before: values of the
    /// kernel that hang on one another are put back from the last to the first. None in form 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entered_ns: Option<u64>,
    /// What is changed.
    pub change: Change,
}

/// What is changed on the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Change {
    /// A directory for test files, named after the token.
    ScratchDirectory {
        /// The directory in which it lies, absolute and without symbolic links.
        #[serde(with = "path_text")]
        parent: PathBuf,
        /// The filesystem of that directory.
        filesystem: FilesystemMark,
        /// The other user to whom that filesystem has given it, once it is made; never before form 6.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        given_to: Option<u32>,
    },
    /// A file or a tree under a name of the user's.
    Named {
        /// The directory in which it lies, absolute and without symbolic links.
        #[serde(with = "path_text")]
        parent: PathBuf,
        /// Its name there.
        #[serde(with = "path_text")]
        name: PathBuf,
        /// The filesystem of that directory.
        filesystem: FilesystemMark,
        /// Which inode it is, once that is made.
        identity: Option<Identity>,
        /// Whether it is a directory.
        is_tree: bool,
    },
    /// A control group that limits memory, named after the token.
    CacheLimit {
        /// The group in which it lies, absolute.
        #[serde(with = "path_text")]
        parent: PathBuf,
    },
    /// Something that a command of the user's has changed.
    Command {
        /// The command that puts it back; empty where nothing does.
        reset: String,
        /// Whether it is due once all that this process made is gone, as what was there before it; never before form 4.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        at_the_end: bool,
    },
    /// A filesystem that was mounted anew with other options.
    MountOptions {
        /// Where it is mounted.
        #[serde(with = "path_text")]
        point: PathBuf,
        /// Its options before.
        before: String,
    },
    /// A filesystem that was unmounted, to be mounted again; never before form 5.
    Unmounted {
        /// How it was mounted.
        mount: FormerMount,
    },
    /// Files of the kernel that were given other values; they last until the machine is started anew.
    KernelValues {
        /// What stood in them, in the order in which it is put back.
        values: Vec<SavedValue>,
    },
    /// Devices, filesystems and mounts that were made for a time.
    Made {
        /// Step by step.
        made: EntrySteps,
    },
    /// A process that goes on until it is told to end.
    Server {
        /// Its working directory, absolute and without symbolic links.
        #[serde(with = "path_text")]
        directory: PathBuf,
        /// The process, once it is there.
        process: Option<ProcessStamp>,
    },
}

impl Change {
    /// The directory in which the change lies, or the file that was changed first.
    pub fn parent(&self) -> &Path {
        match self {
            Change::ScratchDirectory { parent, .. }
            | Change::Named { parent, .. }
            | Change::CacheLimit { parent } => parent,
            Change::Server { directory, .. } => directory,
            // Commands are run by the shell.
            Change::Command { .. } => Path::new("/bin/sh"),
            Change::MountOptions { point, .. } => point,
            Change::Unmounted { mount } => &mount.point,
            Change::KernelValues { values } => {
                values.first().map_or(Path::new("/"), |value| &value.path)
            }
            Change::Made { made } => {
                let last = made.steps.iter().rev().find_map(EntryStep::paths);
                last.unwrap_or(Path::new("/"))
            }
        }
    }

    /// Whether something was made, which is removed; what was there before is only put back.
    pub fn is_made(&self) -> bool {
        !matches!(
            self,
            Change::KernelValues { .. }
                | Change::MountOptions { .. }
                | Change::Unmounted { .. }
                | Change::Command { .. }
        )
    }

    /// Whether a command of the user's puts it back, which may be what ends a program that the other one started.
    pub(crate) fn is_command(&self) -> bool {
        matches!(self, Change::Command { .. })
    }

    /// Every path that it names.
    fn paths(&self) -> Vec<&Path> {
        match self {
            Change::KernelValues { values } => values.iter().map(|v| v.path.as_path()).collect(),
            Change::Made { made } => made.steps.iter().filter_map(EntryStep::paths).collect(),
            _ => vec![self.parent()],
        }
    }
}

/// Why a file of the journal is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseEntryError {
    /// A newer etalon wrote it.
    #[error(
        "it has form {found}, and this etalon knows forms up to {VERSION}; use the newer etalon that wrote it"
    )]
    Newer {
        /// Its form.
        found: u32,
    },
    /// It is cut short, or not an entry at all.
    #[error(
        "it is damaged or no entry (line {line}, column {column}); look for a left-over directory '.etalon-...' yourself, then delete this file"
    )]
    Unreadable {
        /// Where reading stopped, from 1; 0 when nothing could be read.
        line: usize,
        /// Where in that line.
        column: usize,
    },
    /// Its name is a path, which no etalon writes.
    #[error("'{0}' is no name in a directory, which etalon never writes; delete this file")]
    NoName(String),
    /// Its path is not absolute, which no etalon writes.
    #[error("its path '{0}' is not absolute, which etalon never writes; delete this file")]
    Relative(String),
}

impl Entry {
    /// An entry for a change that this process is about to make.
    pub fn new(owner: ProcessStamp, token: Token, change: Change) -> Entry {
        Entry {
            journal: VERSION,
            owner,
            token,
            entered_ns: Some(next_moment()),
            change,
        }
    }

    /// Whether it is about a process that may still write.
    pub(crate) fn is_server(&self) -> bool {
        matches!(self.change, Change::Server { .. })
    }

    /// The entry as it is stored, one JSON object.
    pub(crate) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }

    /// Reads what is stored.
    ///
    /// # Errors
    /// [`ParseEntryError`] for anything that this or an older etalon has not written.
    pub fn parse(bytes: &[u8]) -> Result<Entry, ParseEntryError> {
        #[derive(Deserialize)]
        struct Form {
            journal: u32,
        }
        let unreadable = |e: serde_json::Error| ParseEntryError::Unreadable {
            line: e.line(),
            column: e.column(),
        };
        let text = std::str::from_utf8(bytes).map_err(|e| ParseEntryError::Unreadable {
            line: 1,
            column: e.valid_up_to() + 1,
        })?;
        let form: Form = serde_json::from_str(text).map_err(unreadable)?;
        if form.journal > VERSION {
            return Err(ParseEntryError::Newer {
                found: form.journal,
            });
        }
        let entry: Entry = serde_json::from_str(text).map_err(unreadable)?;
        let paths = entry.change.paths();
        if let Some(path) = paths.iter().find(|path| !path.is_absolute()) {
            return Err(ParseEntryError::Relative(path.display().to_string()));
        }
        if let Change::Named { name, .. } = &entry.change
            && name.file_name() != Some(name.as_os_str())
        {
            return Err(ParseEntryError::NoName(name.display().to_string()));
        }
        Ok(entry)
    }
}

/// Now, or a nanosecond after the last such moment where the clock has been set back or is too coarse.
fn next_moment() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since.map_or(0, |since| since.as_nanos() as u64);
    let later = |last: u64| now.max(last.saturating_add(1));
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
        Some(later(last))
    });
    later(last.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    use proptest::prelude::*;

    fn entry(parent: PathBuf) -> Entry {
        let filesystem = FilesystemMark {
            id: u64::MAX,
            volatile: false,
        };
        Entry::new(
            ProcessStamp::current().unwrap(),
            Token::random().unwrap(),
            Change::ScratchDirectory {
                parent,
                filesystem,
                given_to: None,
            },
        )
    }

    fn text() -> String {
        String::from_utf8(entry("/srv".into()).to_bytes().unwrap()).unwrap()
    }

    #[test]
    fn a_newer_form_is_named_even_with_unknown_fields() {
        let error = Entry::parse(br#"{"journal": 9, "what": []}"#).unwrap_err();
        assert_eq!(error, ParseEntryError::Newer { found: 9 });
        assert!(error.to_string().contains("form 9"));
    }

    #[test]
    fn unknown_kinds_and_fields_are_not_guessed_at() {
        let text = text();
        for (from, to) in [
            ("scratch-directory", "scheduler"),
            ("\"parent\"", "\"path\""),
            ("\"token\":\"", "\"token\":\"../"),
            ("{\"journal\"", "{\"more\":1,\"journal\""),
        ] {
            let changed = text.replace(from, to);
            assert_ne!(changed, text);
            assert!(Entry::parse(changed.as_bytes()).is_err(), "{changed}");
        }
        let relative = text.replace("\"/srv\"", "\"srv\"");
        let error = Entry::parse(relative.as_bytes()).unwrap_err();
        assert_eq!(error, ParseEntryError::Relative("srv".into()));
    }

    /// As etalon 0.1 wrote them: what a killed one left must be put back by each that follows.
    #[test]
    fn entries_of_every_kind_are_read_and_written_as_ever() {
        let mark = r#"{"id":18446744073709551615,"volatile":true}"#;
        let token = "0123456789abcdef0123456789abcdef";
        let owner = r#"{"machine":"m","boot":"b","pid_namespace":4,"pid":7,"start_ticks":9}"#;
        let steps = [
            r#"{"step":"directory","path":"/a"}"#.to_owned(),
            format!(r#"{{"step":"file","path":"/a","filesystem":{mark}}}"#),
            r#"{"step":"file","path":[47,255]}"#.to_owned(),
            r#"{"step":"loop","file":"/a"}"#.to_owned(),
            r#"{"step":"zram","before":[0],"made":{"index":1,"diskseq":"12"}}"#.to_owned(),
            r#"{"step":"zram","before":[],"made":null}"#.to_owned(),
            r#"{"step":"mount","point":"/a"}"#.to_owned(),
            format!(r#"{{"step":"md","uuid":"{token}"}}"#),
            r#"{"step":"volume-group","name":"vg"}"#.to_owned(),
            format!(r#"{{"step":"bcache","uuid":"{token}"}}"#),
            format!(r#"{{"step":"format","device":"/dev/sdz","uuid":"{token}"}}"#),
        ];
        let steps = steps.join(",");
        let value = r#"{"path":"/sys/x","before":"none","diskseq":null}"#;
        for change in [
            format!(r#"{{"kind":"scratch-directory","parent":"/a","filesystem":{mark}}}"#),
            format!(
                r#"{{"kind":"named","parent":"/a","name":"b","filesystem":{mark},"identity":{{"inode":3,"born":[1,2],"marked":true}},"is_tree":false}}"#
            ),
            format!(
                r#"{{"kind":"scratch-directory","parent":"/a","filesystem":{mark},"given_to":65534}}"#
            ),
            format!(
                r#"{{"kind":"named","parent":"/a","name":"b","filesystem":{mark},"identity":{{"inode":3,"born":null,"marked":true,"given_to":65534}},"is_tree":true}}"#
            ),
            r#"{"kind":"cache-limit","parent":"/a"}"#.to_owned(),
            r#"{"kind":"command","reset":"true"}"#.to_owned(),
            r#"{"kind":"command","reset":"true","at_the_end":true}"#.to_owned(),
            r#"{"kind":"mount-options","point":"/a","before":"rw"}"#.to_owned(),
            r#"{"kind":"unmounted","mount":{"point":"/a","source":"/dev/sdz","kind":"ext4","before":"rw","diskseq":"12"}}"#.to_owned(),
            format!(r#"{{"kind":"kernel-values","values":[{value}]}}"#),
            format!(r#"{{"kind":"made","made":{{"begun_ns":5,"steps":[{steps}]}}}}"#),
            format!(r#"{{"kind":"server","directory":"/a","process":{owner}}}"#),
        ] {
            let text =
                format!(r#"{{"journal":1,"owner":{owner},"token":"{token}","change":{change}}}"#);
            let read = Entry::parse(text.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(read.to_bytes().unwrap()), Ok(text));
        }
    }

    #[test]
    fn each_entry_is_later_than_the_one_before() {
        let moments: Vec<_> = (0..100).map(|_| entry("/srv".into()).entered_ns).collect();
        assert!(moments.is_sorted_by(|a, b| a < b));
    }

    proptest! {
        #[test]
        fn any_path_reads_back(bytes in prop::collection::vec(1u8.., 0..60)) {
            let entry = entry(Path::new("/").join(OsString::from_vec(bytes)));
            prop_assert_eq!(Entry::parse(&entry.to_bytes().unwrap()), Ok(entry));
        }

        #[test]
        fn a_part_of_an_entry_is_none(share in 0.0f64..1.0) {
            let text = text();
            let part = &text.as_bytes()[..(text.len() as f64 * share) as usize];
            let error = Entry::parse(part).unwrap_err();
            let unreadable = matches!(error, ParseEntryError::Unreadable { .. });
            prop_assert!(unreadable);
        }

        #[test]
        fn hostile_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(Entry::parse(&bytes).is_err());
        }

        #[test]
        fn flipped_bytes_never_panic(place: prop::sample::Index, mask in 1u8..) {
            let mut bytes = text().into_bytes();
            let place = place.index(bytes.len());
            bytes[place] ^= mask;
            let _ = Entry::parse(&bytes);
        }
    }
}
