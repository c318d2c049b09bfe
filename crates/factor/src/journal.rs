//! The directory that holds one small file per change not yet put back.

use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::process::geteuid;

use crate::{Entry, ParseEntryError, Token};

/// No entry is longer: a path of 4 KiB as a list of numbers, and some.
const LONGEST_ENTRY_BYTES: u64 = 64 << 10;

/// Where changes are written down before they are made.
///
/// A journal belongs to one user: its directory must be this user's own and closed to the writing of
/// others, or it is not used, so that nobody can write into it what root would then undo.
#[derive(Debug, Clone)]
pub struct Journal {
    directory: PathBuf,
    others: Vec<PathBuf>,
}

/// Why there is no journal, and so no change may be made.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// None of the places can be used.
    #[error("no journal can be kept, so nothing may be changed: {}; give this user one of these directories, or set XDG_STATE_HOME to one that it can write", refusals.join("; "))]
    NoPlace {
        /// Each place with what is wrong with it.
        refusals: Vec<String>,
    },
    /// The directory cannot be used.
    #[error("the journal '{}' cannot be used: {source}", path.display())]
    Unusable {
        /// The directory or a file in it.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The directory belongs to another user or others may write to it.
    #[error("the journal '{}' is not private (it must belong to user {}, be no link, and be writable by nobody else); remove it or set XDG_STATE_HOME", path.display(), geteuid().as_raw())]
    NotPrivate {
        /// The directory.
        path: PathBuf,
    },
}

/// Why a file of the journal gives no entry.
#[derive(Debug, thiserror::Error)]
pub enum ReadEntryError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It holds no entry.
    #[error(transparent)]
    Parse(#[from] ParseEntryError),
    /// It is named after another token than the one within.
    #[error("its name is not that of the entry within; delete this file")]
    Name,
}

/// A file of the journal with what was found in it.
pub(crate) struct Found {
    pub(crate) file: PathBuf,
    pub(crate) entry: Result<Entry, ReadEntryError>,
}

impl Journal {
    /// The journal of this user: `$XDG_STATE_HOME/etalon/journal`, by default under
    /// `~/.local/state` (XDG Base Directory Specification 0.8), or `/var/tmp/etalon-UID/journal`
    /// where there is no home that can be written. Not `/tmp`, which a reboot may empty: after a
    /// power cut the journal must still be there (Filesystem Hierarchy Standard 3.0, 5.15).
    ///
    /// # Errors
    /// [`JournalError::NoPlace`] when none of these can be used.
    pub fn open() -> Result<Journal, JournalError> {
        let places = places(env::var_os("XDG_STATE_HOME"), env::var_os("HOME"));
        let mut refusals = Vec::new();
        for (n, place) in places.iter().enumerate() {
            match Journal::at(place) {
                Ok(mut journal) => {
                    journal.others = places.clone();
                    journal.others.remove(n);
                    return Ok(journal);
                }
                Err(error) => refusals.push(error.to_string()),
            }
        }
        Err(JournalError::NoPlace { refusals })
    }

    /// The journal in `directory`, which is made with mode 0700 where it is missing.
    ///
    /// # Errors
    /// [`JournalError::Unusable`] and [`JournalError::NotPrivate`].
    pub fn at(directory: &Path) -> Result<Journal, JournalError> {
        let unusable = |source| JournalError::Unusable {
            path: directory.to_owned(),
            source,
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .map_err(unusable)?;
        if !is_private(directory).map_err(unusable)? {
            return Err(JournalError::NotPrivate {
                path: directory.to_owned(),
            });
        }
        let journal = Journal {
            directory: directory.to_owned(),
            others: Vec::new(),
        };
        lock(directory, FlockOperation::LockShared).map_err(unusable)?;
        Ok(journal)
    }

    /// Where new entries are written.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Writes an entry for good: when this returns, it outlives a power cut.
    ///
    /// # Errors
    /// [`JournalError::Unusable`], with no entry left behind.
    pub fn write(&self, entry: &Entry) -> Result<(), JournalError> {
        let unfinished = self.directory.join(format!("{}.tmp", entry.token));
        self.write_and_rename(entry, &unfinished).map_err(|source| {
            // What cannot be removed either is removed by the next restore.
            let _ = fs::remove_file(&unfinished);
            JournalError::Unusable {
                path: self.directory.clone(),
                source,
            }
        })
    }

    fn write_and_rename(&self, entry: &Entry, unfinished: &Path) -> io::Result<()> {
        let _lock = lock(&self.directory, FlockOperation::LockShared)?;
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(unfinished)?;
        file.write_all(&entry.to_bytes()?)?;
        file.sync_all()?;
        fs::rename(unfinished, self.file_of(&entry.token))?;
        File::open(&self.directory)?.sync_all()
    }

    /// Strikes an entry out once its change is put back; one that is not there is struck out.
    ///
    /// # Errors
    /// [`JournalError::Unusable`]; the entry then stays, and a later restore strikes it out.
    pub fn remove(&self, token: &Token) -> Result<(), JournalError> {
        let file = self.file_of(token);
        remove_file(&file).map_err(|source| JournalError::Unusable { path: file, source })
    }

    fn file_of(&self, token: &Token) -> PathBuf {
        self.directory.join(format!("{token}.json"))
    }

    /// Every entry of this journal and of the other places that this user's entries may be in; files
    /// that a killed process has not finished are removed on the way, since their changes were never
    /// made.
    pub(crate) fn read_all(&self) -> Vec<Found> {
        let mut found = Vec::new();
        for directory in std::iter::once(&self.directory).chain(&self.others) {
            // A place that is missing or not this user's own holds no entries of this user.
            if !is_private(directory).unwrap_or(false) {
                continue;
            }
            if let Err(error) = read_directory(directory, &mut found) {
                found.push(Found {
                    file: directory.clone(),
                    entry: Err(error.into()),
                });
            }
        }
        found
    }
}

pub(crate) fn remove_file(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

fn places(state_home: Option<OsString>, home: Option<OsString>) -> Vec<PathBuf> {
    let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|p| p.is_absolute());
    let home = absolute(home).map(|home| home.join(".local/state"));
    let shared = format!("/var/tmp/etalon-{}/journal", geteuid().as_raw());
    absolute(state_home)
        .or(home)
        .map(|base| base.join("etalon/journal"))
        .into_iter()
        .chain([PathBuf::from(shared)])
        .collect()
}

/// True when the directory is a real one, this user's own, and nobody else may write to it.
fn is_private(directory: &Path) -> io::Result<bool> {
    let found = fs::symlink_metadata(directory)?;
    Ok(found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & 0o022 == 0)
}

/// Writers share the lock; whoever holds it alone knows that no file is being written.
fn lock(directory: &Path, operation: FlockOperation) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(directory.join("lock"))?;
    flock(&file, operation)?;
    Ok(file)
}

fn read_directory(directory: &Path, found: &mut Vec<Found>) -> io::Result<()> {
    let _lock = lock(directory, FlockOperation::LockExclusive)?;
    let mut files: Vec<PathBuf> = fs::read_dir(directory)?
        .map(|file| file.map(|file| file.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    for file in files {
        match file.extension().and_then(|e| e.to_str()) {
            Some("tmp") => remove_file(&file)?,
            Some("json") => found.push(Found {
                entry: read_entry(&file),
                file,
            }),
            _ => {}
        }
    }
    Ok(())
}

fn read_entry(path: &Path) -> Result<Entry, ReadEntryError> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(file, LONGEST_ENTRY_BYTES), &mut bytes)?;
    let entry = Entry::parse(&bytes)?;
    if path.file_stem().and_then(|stem| stem.to_str()) != Some(entry.token.as_str()) {
        return Err(ReadEntryError::Name);
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_state_home_comes_before_the_fallback() {
        let fallback = format!("/var/tmp/etalon-{}/journal", geteuid().as_raw());
        let of = |state: Option<&str>, home: Option<&str>| -> Vec<String> {
            places(state.map(Into::into), home.map(Into::into))
                .iter()
                .map(|place| place.display().to_string())
                .collect()
        };
        let home = "/h/.local/state/etalon/journal";
        assert_eq!(of(Some("/s"), Some("/h")), ["/s/etalon/journal", &fallback]);
        assert_eq!(of(Some("s"), Some("/h")), [home, &fallback]);
        assert_eq!(of(None, Some("")), [fallback.as_str()]);
        assert_eq!(of(None, None), [fallback.as_str()]);
    }

    #[test]
    fn a_directory_that_others_may_write_is_refused() {
        let place = tempfile::TempDir::new().unwrap();
        let directory = place.path().join("journal");
        Journal::at(&directory).unwrap();
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o770)).unwrap();
        let error = Journal::at(&directory).unwrap_err();
        assert!(matches!(error, JournalError::NotPrivate { .. }), "{error}");
        let link = place.path().join("link");
        std::os::unix::fs::symlink(place.path(), &link).unwrap();
        assert!(matches!(
            Journal::at(&link),
            Err(JournalError::NotPrivate { .. })
        ));
        fs::write(place.path().join("file"), "").unwrap();
        let error = Journal::at(&place.path().join("file")).unwrap_err();
        assert!(matches!(error, JournalError::Unusable { .. }), "{error}");
    }
}
