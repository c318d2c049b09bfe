//! The directory that holds one small file per change not yet put back.

mod held;
mod places;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etalon_units::Bytes;
use rustix::fs::FlockOperation;
use rustix::process::geteuid;

use crate::trusted::{Missing, TrustError};
use crate::{Entry, ParseEntryError, Token};
use held::{Durable, Held, LONGEST_ENTRY_BYTES};

/// Where changes are written down before they are made.
///
/// A journal belongs to one user: its directory must be this user's own and closed to the writing of
/// others, and nobody else may be able to exchange it, or it is not used, so that nobody can write
/// into it what root would then undo. It is opened once and held open; what lies in it is reached
/// through the descriptor only.
#[derive(Debug, Clone)]
pub struct Journal {
    held: Arc<Held>,
    others: Vec<Arc<Held>>,
}

/// Why there is no journal, and so no change may be made.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// None of the places can be used.
    #[error(
        "no journal can be kept, so nothing may be changed: {}; set XDG_STATE_HOME to a directory of your own that nobody else can write",
        reasons(refusals)
    )]
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
    /// Somebody else could exchange the directory.
    #[error("the journal '{}' cannot be trusted: {source}", path.display())]
    NotTrusted {
        /// The directory.
        path: PathBuf,
        /// What is wrong on the way to it.
        source: TrustError,
    },
    /// The directory belongs to another user or others may write to it.
    #[error("the journal '{}' is not private (it must belong to user {}, be no link, and be writable by nobody else); remove it or set XDG_STATE_HOME", path.display(), geteuid().as_raw())]
    NotPrivate {
        /// The directory.
        path: PathBuf,
    },
    /// The entry would be longer than what is read back.
    #[error("the entry for the journal '{}' would take {length}, and no more than {longest} are read back, so nothing is changed; let one level change fewer disks or values", path.display())]
    TooLong {
        /// The directory.
        path: PathBuf,
        /// What the entry takes.
        length: Bytes,
        /// What is read back.
        longest: Bytes,
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
pub(crate) struct JournalFile {
    pub(crate) file: EntryFile,
    pub(crate) entry: Result<Entry, ReadEntryError>,
}

/// A file of the journal, by its directory's descriptor and, for people, its path.
pub(crate) struct EntryFile {
    pub(crate) path: PathBuf,
    held: Arc<Held>,
}

impl Journal {
    /// The journal of this user: `$XDG_STATE_HOME/etalon/journal`, by default under
    /// `~/.local/state` (XDG Base Directory Specification 0.8). Root has `/var/lib/etalon/journal`
    /// where there is no home that it can trust.
    ///
    /// # Errors
    /// [`JournalError::NoPlace`] when none of these can be used.
    pub fn open() -> Result<Journal, JournalError> {
        let places = places::places();
        let mut refusals = Vec::new();
        for (n, place) in places.iter().enumerate() {
            match Journal::at(place) {
                Ok(mut journal) => {
                    let (before, after) = (&places[..n], &places[n + 1..]);
                    journal.others = before
                        .iter()
                        .chain(after)
                        .filter_map(|p| existing(p))
                        .collect();
                    return Ok(journal);
                }
                Err(error) => refusals.push(error.to_string()),
            }
        }
        Err(JournalError::NoPlace { refusals })
    }

    /// The places of this user's that are there and can be trusted; nothing is made.
    pub fn existing() -> Option<Journal> {
        let places = places::places();
        let mut found = places.iter().filter_map(|place| existing(place));
        Some(Journal {
            held: found.next()?,
            others: found.collect(),
        })
    }

    /// The journal in `directory`, which is made with mode 0700 where it is missing.
    ///
    /// # Errors
    /// [`JournalError::Unusable`], [`JournalError::NotTrusted`] and [`JournalError::NotPrivate`].
    pub fn at(directory: &Path) -> Result<Journal, JournalError> {
        let unusable = |source| JournalError::Unusable {
            path: directory.to_owned(),
            source,
        };
        let held = Held::open(directory, Missing::Make)
            .map_err(|error| JournalError::from_trust(directory, error))?;
        if !held.is_private().map_err(unusable)? {
            return Err(JournalError::NotPrivate {
                path: directory.to_owned(),
            });
        }
        held.lock(FlockOperation::LockShared).map_err(unusable)?;
        Ok(Journal {
            held: Arc::new(held),
            others: Vec::new(),
        })
    }

    /// Where new entries are written.
    pub fn directory(&self) -> &Path {
        self.held.path()
    }

    /// Writes an entry for good: when this returns, it outlives a power cut.
    ///
    /// # Errors
    /// [`JournalError::Unusable`] and [`JournalError::TooLong`], with no entry left behind.
    pub fn write(&self, entry: &Entry) -> Result<(), JournalError> {
        self.store(entry, Durable::Yes)
    }

    /// Replaces an entry that is there. It is not forced to the disk: after a power cut the entry is
    /// as it was before or as it is now.
    ///
    /// # Errors
    /// [`JournalError::Unusable`] and [`JournalError::TooLong`], with the entry as it was.
    pub fn rewrite(&self, entry: &Entry) -> Result<(), JournalError> {
        self.store(entry, Durable::No)
    }

    fn store(&self, entry: &Entry, durable: Durable) -> Result<(), JournalError> {
        let unusable = |source| JournalError::Unusable {
            path: self.directory().to_owned(),
            source,
        };
        let bytes = entry.to_bytes().map_err(|error| unusable(error.into()))?;
        let (length, longest) = (Bytes(bytes.len() as u64), Bytes(LONGEST_ENTRY_BYTES));
        if length > longest {
            return Err(JournalError::TooLong {
                path: self.directory().to_owned(),
                length,
                longest,
            });
        }
        self.held
            .write(&entry.token, &bytes, durable)
            .map_err(unusable)
    }

    /// Strikes an entry out once its change is put back; one that is not there is struck out.
    ///
    /// # Errors
    /// [`JournalError::Unusable`]; the entry then stays, and a later restore strikes it out.
    pub fn remove(&self, token: &Token) -> Result<(), JournalError> {
        let name = held::file_name(token);
        self.held
            .remove(&name)
            .map_err(|source| JournalError::Unusable {
                path: self.directory().join(name),
                source,
            })
    }

    /// A random word that this user alone knows, the same each time: what is hidden by it in two files is known to be
    /// equal, and cannot be guessed by others.
    ///
    /// # Errors
    /// [`JournalError::Unusable`] where it can be neither read nor made.
    pub fn secret(&self) -> Result<Token, JournalError> {
        let secret = self.held.secret();
        secret.map_err(|source| JournalError::Unusable {
            path: self.directory().to_owned(),
            source,
        })
    }

    /// Every entry of this journal and of the other places that this user's entries may be in.
    pub(crate) fn read_all(&self) -> Vec<JournalFile> {
        std::iter::once(&self.held)
            .chain(&self.others)
            // A place that has been given to another user since holds no entries of this one.
            .filter(|held| held.is_private().unwrap_or(false))
            .flat_map(read)
            .collect()
    }
}

impl EntryFile {
    /// Strikes the entry out.
    pub(crate) fn strike(&self) -> io::Result<()> {
        match self.path.file_name() {
            Some(name) => self.held.remove(name),
            None => Ok(()),
        }
    }
}

/// A place that is there and can be trusted; another one holds no entries of this user.
fn existing(place: &Path) -> Option<Arc<Held>> {
    Held::open(place, Missing::Refuse).ok().map(Arc::new)
}

fn read(held: &Arc<Held>) -> Vec<JournalFile> {
    let found = |path, entry| JournalFile {
        file: EntryFile {
            path,
            held: Arc::clone(held),
        },
        entry,
    };
    match held.read() {
        Ok(entries) => entries
            .into_iter()
            .map(|(name, entry)| found(held.path().join(name), entry))
            .collect(),
        Err(error) => vec![found(held.path().to_owned(), Err(error.into()))],
    }
}

fn reasons(refusals: &[String]) -> String {
    if refusals.is_empty() {
        return "neither XDG_STATE_HOME nor HOME names a directory".to_owned();
    }
    refusals.join("; ")
}

impl JournalError {
    fn from_trust(directory: &Path, error: TrustError) -> JournalError {
        let path = directory.to_owned();
        match error {
            TrustError::Link { .. } => JournalError::NotPrivate { path },
            TrustError::Io { path, source } => JournalError::Unusable { path, source },
            source => JournalError::NotTrusted { path, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Change, ProcessStamp};
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_directory_that_others_may_write_is_refused() {
        let place = tempfile::TempDir::new().unwrap();
        let directory = place.path().join("journal");
        Journal::at(&directory).unwrap();
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o750)).unwrap();
        Journal::at(&directory).unwrap();
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o770)).unwrap();
        assert!(Journal::at(&directory).is_err());
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

    #[test]
    fn the_secret_is_made_once_and_its_owner_s_alone() {
        let place = tempfile::TempDir::new().unwrap();
        let directory = place.path().join("journal");
        let journal = Journal::at(&directory).unwrap();
        let secret = journal.secret().unwrap();
        assert_eq!(journal.secret().unwrap(), secret);
        assert_eq!(Journal::at(&directory).unwrap().secret().unwrap(), secret);
        let file = directory.join("secret");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(journal.read_all().is_empty());
        fs::write(&file, "short").unwrap();
        let error = journal.secret().unwrap_err().to_string();
        assert!(error.contains("'short' is not a token"), "{error}");
    }

    /// An entry that is that long.
    fn entry_of(length: u64) -> Entry {
        let reset = |length| Change::Command {
            reset: "#".repeat(length as usize),
            at_the_end: false,
        };
        let owner = ProcessStamp::current().unwrap();
        let mut entry = Entry::new(owner, Token::random().unwrap(), reset(0));
        let rest = entry.to_bytes().unwrap().len() as u64;
        entry.change = reset(length - rest);
        entry
    }

    #[test]
    fn what_is_written_is_read_back_and_what_is_too_long_for_that_is_refused() {
        let place = tempfile::TempDir::new().unwrap();
        let journal = Journal::at(&place.path().join("journal")).unwrap();
        let longest = entry_of(LONGEST_ENTRY_BYTES);
        journal.write(&longest).unwrap();
        let too_long = entry_of(LONGEST_ENTRY_BYTES + 1);
        let mut grown = entry_of(LONGEST_ENTRY_BYTES + 1);
        grown.token = longest.token.clone();
        for refused in [journal.write(&too_long), journal.rewrite(&grown)] {
            let error = refused.unwrap_err();
            assert!(matches!(error, JournalError::TooLong { .. }), "{error}");
            assert!(error.to_string().contains("16 MiB"), "{error}");
        }
        let found = journal.read_all();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].entry.as_ref().unwrap(), &longest);
    }
}
