//! The journal's directory, held open: what lies in it is reached through the descriptor only.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, Dir, FlockOperation, Mode, OFlags, fchmod, flock, fstat, fsync, openat, renameat,
    unlinkat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::ReadEntryError;
use crate::own::make_file;
use crate::trusted::{Missing, TrustError, open_trusted};
use crate::{Entry, Token};

/// No entry is longer. Those of a scheduler take 1 KiB for each disk whose queues change, so that there is room for
/// thousands of disks.
pub(super) const LONGEST_ENTRY_BYTES: u64 = 16 << 20;

/// The file of the word that nobody else knows; [`Held::read`] passes over it.
const SECRET: &str = "secret";
/// A token, and a line end that an editor may have added.
const LONGEST_SECRET_BYTES: u64 = 64;

/// Whether what is written outlives a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durable {
    Yes,
    No,
}

/// A directory of entries.
#[derive(Debug)]
pub(crate) struct Held {
    path: PathBuf,
    directory: OwnedFd,
}

impl Held {
    pub(super) fn open(path: &Path, missing: Missing) -> Result<Held, TrustError> {
        Ok(Held {
            path: path.to_owned(),
            directory: open_trusted(path, missing)?,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// True when the directory is this user's own and nobody else may write to it.
    pub(super) fn is_private(&self) -> io::Result<bool> {
        let found = fstat(&self.directory)?;
        Ok(found.st_uid == geteuid().as_raw() && found.st_mode & 0o022 == 0)
    }

    /// Writers share the lock; whoever holds it alone knows that no file is being written.
    pub(super) fn lock(&self, operation: FlockOperation) -> io::Result<OwnedFd> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = openat(&self.directory, "lock", flags, mode)?;
        if fstat(&file)?.st_mode & 0o7777 != mode.as_raw_mode() {
            fchmod(&file, mode)?;
        }
        flock(&file, operation)?;
        Ok(file)
    }

    /// Writes the bytes of an entry in the place of an earlier one.
    pub(super) fn write(&self, token: &Token, bytes: &[u8], durable: Durable) -> io::Result<()> {
        let unfinished = format!("{token}.tmp");
        let written = self.write_and_rename((token, bytes), &unfinished, durable);
        if written.is_err() {
            // What cannot be removed either is removed by the next restore.
            let _ = self.remove(&unfinished);
        }
        written
    }

    fn write_and_rename(
        &self,
        (token, bytes): (&Token, &[u8]),
        unfinished: &str,
        durable: Durable,
    ) -> io::Result<()> {
        let _lock = self.lock(FlockOperation::LockShared)?;
        let mut file = make_file(&self.directory, unfinished)?;
        file.write_all(bytes)?;
        if durable == Durable::Yes {
            file.sync_all()?;
        }
        renameat(
            &self.directory,
            unfinished,
            &self.directory,
            file_name(token),
        )?;
        match durable {
            Durable::Yes => Ok(fsync(&self.directory)?),
            Durable::No => Ok(()),
        }
    }

    /// Removes a file; one that is not there is removed.
    pub(crate) fn remove(&self, name: impl rustix::path::Arg) -> io::Result<()> {
        match unlinkat(&self.directory, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Every entry; files that a killed process has not finished are removed on the way, since
    /// their changes were never made.
    pub(super) fn read(&self) -> io::Result<Vec<(OsString, Result<Entry, ReadEntryError>)>> {
        let _lock = self.lock(FlockOperation::LockExclusive)?;
        let mut found = Vec::new();
        for name in self.names()? {
            match Path::new(&name).extension().and_then(|e| e.to_str()) {
                Some("tmp") => self.remove(&name)?,
                Some("json") => found.push((name.clone(), self.read_entry(&name))),
                _ => {}
            }
        }
        Ok(found)
    }

    /// A random word that stays the same in this directory: made when it is first asked for.
    pub(super) fn secret(&self) -> io::Result<Token> {
        let _lock = self.lock(FlockOperation::LockExclusive)?;
        match self.read_up_to(SECRET, LONGEST_SECRET_BYTES) {
            Ok(text) => parsed(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.make_secret(),
            Err(error) => Err(error),
        }
    }

    fn make_secret(&self) -> io::Result<Token> {
        let made = Token::random()?;
        let unfinished = format!("{SECRET}.tmp");
        self.remove(&unfinished)?;
        let mut file = make_file(&self.directory, &unfinished)?;
        file.write_all(made.as_str().as_bytes())?;
        file.sync_all()?;
        renameat(&self.directory, &unfinished, &self.directory, SECRET)?;
        Ok(made)
    }

    fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.directory)? {
            names.push(OsString::from_vec(entry?.file_name().to_bytes().to_vec()));
        }
        names.sort();
        Ok(names)
    }

    fn read_entry(&self, name: &OsString) -> Result<Entry, ReadEntryError> {
        let entry = Entry::parse(&self.read_up_to(name, LONGEST_ENTRY_BYTES)?)?;
        if name.to_str() != Some(file_name(&entry.token).as_str()) {
            return Err(ReadEntryError::Name);
        }
        Ok(entry)
    }

    /// The bytes of a file here, which may be no link.
    fn read_up_to(&self, name: impl rustix::path::Arg, most: u64) -> io::Result<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.directory, name, flags, Mode::empty())?;
        let mut bytes = Vec::new();
        File::from(file).take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn parsed(secret: &[u8]) -> io::Result<Token> {
    let text = String::from_utf8_lossy(secret);
    let parsed = text.trim().parse::<Token>();
    parsed.map_err(|error| {
        let what =
            format!("the file '{SECRET}' in it: {error}; delete it, and another one is made");
        io::Error::new(io::ErrorKind::InvalidData, what)
    })
}

pub(super) fn file_name(token: &Token) -> String {
    format!("{token}.json")
}
