//! Files and trees that lie under a name of the user's, beside no private directory.
//!
//! What is made is made under a name that nobody can guess, marked, entered into the journal with
//! its inode, and only then given its own name, which must be free. So at any moment either the
//! token's name or the entry tells what was made, and nothing else is ever removed.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RenameFlags, Stat, linkat, openat, renameat, renameat_with,
    statat, unlinkat,
};
use rustix::io::Errno;

use crate::identity::{Identity, is_ours};
use crate::left;
use crate::own;
use crate::owner;
use crate::remove::{Removal, empty_held};
use crate::scratch::{filesystem_mark, lies_on};
use crate::token::scratch_name;
use crate::{
    Change, Entry, FilesystemMark, Journal, JournalError, ProcessStamp, RemoveError, Token,
};

/// Whether the directory is held open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// From now on; what lies at its path later plays no part.
    Yes,
    /// Not, since its filesystem is to be unmounted meanwhile.
    No,
}

/// A name in a directory, and what was made under it.
#[derive(Debug)]
pub struct Named {
    path: PathBuf,
    directory: PathBuf,
    name: OsString,
    held: Option<OwnedFd>,
    token: Token,
    entry: Option<(Journal, Entry)>,
    identity: Option<Identity>,
    /// Where it was made.
    filesystem: Option<FilesystemMark>,
}

/// Why nothing was made, or not removed.
#[derive(Debug, thiserror::Error)]
pub enum NamedError {
    /// The kernel's answer.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It cannot be written down, so it is not made.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// It could not be removed.
    #[error(transparent)]
    Remove(#[from] RemoveError),
}

impl From<Errno> for NamedError {
    fn from(errno: Errno) -> NamedError {
        NamedError::Io(errno.into())
    }
}

impl Named {
    /// The name at the end of `path`; links in the directories before it are resolved now.
    ///
    /// # Errors
    /// The kernel's, where there is no such directory, or `path` ends in no name.
    pub fn at(path: &Path, hold: Hold) -> io::Result<Named> {
        let name = path.file_name().ok_or(Errno::ISDIR)?.to_owned();
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        let directory = std::fs::canonicalize(parent.unwrap_or(Path::new(".")))?;
        let mut named = Named {
            path: directory.join(&name),
            directory,
            name,
            held: None,
            token: Token::random()?,
            entry: None,
            identity: None,
            filesystem: None,
        };
        let opened = named.open_directory()?;
        named.held = (hold == Hold::Yes).then_some(opened);
        Ok(named)
    }

    /// To be shown to people.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where to open it, without following a link in its place.
    pub fn held_path(&self) -> PathBuf {
        match &self.held {
            Some(held) => own::descriptor_path(held.as_fd()).join(&self.name),
            None => self.path.clone(),
        }
    }

    /// What lies there now, a link as a link.
    ///
    /// # Errors
    /// The kernel's.
    pub fn look(&self) -> io::Result<Option<Stat>> {
        match statat(self.directory()?, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => Ok(Some(found)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Opens what lies there for reading.
    ///
    /// # Errors
    /// The kernel's; `ELOOP` for a link.
    pub fn open(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(self.directory()?, &self.name, flags, Mode::empty())?;
        Ok(File::from(file))
    }

    /// Makes a file for its owner alone; its name must be free. With a journal it is entered there
    /// before.
    ///
    /// # Errors
    /// [`NamedError`], with nothing left behind; `EEXIST` when the name is taken.
    pub fn make_file(&mut self, journal: Option<&Journal>) -> Result<(), NamedError> {
        self.make(journal, false, |parent, name| {
            own::make_file(parent, name).map(OwnedFd::from)
        })
    }

    /// Makes a directory with what the umask leaves of this mode; its name must be free. Gives the
    /// time of mkdir(2) alone.
    ///
    /// # Errors
    /// Those of [`make_file`](Named::make_file).
    pub fn make_directory(
        &mut self,
        journal: Option<&Journal>,
        mode: Mode,
    ) -> Result<Duration, NamedError> {
        let mut took = Duration::ZERO;
        self.make(journal, true, |parent, name| {
            let begun = Instant::now();
            rustix::fs::mkdirat(parent, name, mode)?;
            took = begun.elapsed();
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let made = openat(parent, name, flags, Mode::empty())?;
            owner::directory_given_to(&made)?;
            Ok(made)
        })?;
        Ok(took)
    }

    fn make(
        &mut self,
        journal: Option<&Journal>,
        is_tree: bool,
        make: impl FnOnce(&OwnedFd, &str) -> rustix::io::Result<OwnedFd>,
    ) -> Result<(), NamedError> {
        let parent = self.directory()?;
        let token = self.token.clone();
        let mark = filesystem_mark(&parent)?;
        self.filesystem = Some(mark.clone());
        if let (None, Some(journal)) = (&self.entry, journal) {
            let change = Change::Named {
                parent: self.directory.clone(),
                name: PathBuf::from(&self.name),
                filesystem: mark,
                identity: None,
                is_tree,
            };
            let entry = Entry::new(ProcessStamp::current()?, token.clone(), change);
            journal.write(&entry)?;
            self.entry = Some((journal.clone(), entry));
        }
        let unnamed = scratch_name(&token);
        let done = make(&parent, &unnamed)
            .map_err(NamedError::from)
            .and_then(|made| self.enter(&made, &token))
            .and_then(|()| Ok(give_name(&parent, &unnamed, &self.name, is_tree)?));
        if done.is_err() {
            let flags = if is_tree {
                AtFlags::REMOVEDIR
            } else {
                AtFlags::empty()
            };
            let _ = unlinkat(&parent, &unnamed, flags);
            self.identity = None;
            self.strike();
        }
        done
    }

    /// Marks what was made, and writes its inode down.
    fn enter(&mut self, made: &OwnedFd, token: &Token) -> Result<(), NamedError> {
        let found = Identity::give(made, token)?;
        self.identity = Some(found.clone());
        if let Some((journal, entry)) = &mut self.entry {
            if let Change::Named { identity, .. } = &mut entry.change {
                *identity = Some(found);
            }
            journal.rewrite(entry)?;
        }
        Ok(())
    }

    /// Removes what was made, with all that a tree holds; what lies under its name without having
    /// been made here stays.
    ///
    /// # Errors
    /// [`NamedError::Remove`]; the journal then keeps the entry for a later restore.
    pub fn remove(&mut self) -> Result<(), NamedError> {
        self.clear()?;
        self.strike();
        Ok(())
    }

    /// Makes room for making it once more: what was made goes, its entry in the journal stays.
    ///
    /// # Errors
    /// [`NamedError::Remove`].
    pub fn clear(&mut self) -> Result<(), NamedError> {
        if let Some(identity) = &self.identity {
            let parent = self.directory()?;
            let was_there = remove_made(&parent, &self.name, &self.token, Some(identity))?;
            if !was_there && !self.would_be_there(&parent) {
                return Err(RemoveError::NotMounted.into());
            }
            self.identity = None;
        }
        Ok(())
    }

    /// Whether what was made would be seen in `parent`: it is gone only where its filesystem is there, or was memory.
    fn would_be_there(&self, parent: &OwnedFd) -> bool {
        let made_on = self.filesystem.as_ref();
        made_on.is_none_or(|made_on| made_on.volatile || lies_on(parent, made_on))
    }

    /// Removes the file of somebody who has said that it may go.
    ///
    /// # Errors
    /// The kernel's.
    pub fn remove_other(&self) -> io::Result<()> {
        Ok(unlinkat(self.directory()?, &self.name, AtFlags::empty())?)
    }

    /// Removes the directory that lies there, which must be empty.
    ///
    /// # Errors
    /// The kernel's.
    pub fn remove_directory(&self) -> io::Result<()> {
        Ok(unlinkat(self.directory()?, &self.name, AtFlags::REMOVEDIR)?)
    }

    /// Notes in the file that lies there, which was made or written here, that it stays as it is, so that
    /// [`was_left`](crate::was_left) knows it until somebody else writes to it.
    pub fn note_left(&self) {
        if let Ok(file) = self.open() {
            left::note(&file);
        }
    }

    /// What was made stays, and nobody removes it from now on.
    pub fn keep(&mut self) {
        self.identity = None;
        self.strike();
    }

    /// Whether what lies there is what was made here.
    pub fn is_made(&self) -> bool {
        let Some(identity) = &self.identity else {
            return false;
        };
        let found = self.look().ok().flatten();
        found.is_some_and(|found| found.st_ino == identity.inode)
    }

    fn strike(&mut self) {
        if let Some((journal, entry)) = self.entry.take() {
            // What is not struck out is put right by the next restore.
            let _ = journal.remove(&entry.token);
        }
    }

    fn directory(&self) -> io::Result<OwnedFd> {
        match &self.held {
            Some(held) => held.try_clone(),
            None => self.open_directory(),
        }
    }

    fn open_directory(&self) -> io::Result<OwnedFd> {
        Ok(crate::remove::open_without_links(&self.directory)?)
    }
}

/// Gives what lies under `unnamed` its own name, which must be free.
fn give_name(
    parent: &OwnedFd,
    unnamed: &str,
    name: &OsStr,
    is_tree: bool,
) -> rustix::io::Result<()> {
    match renameat_with(parent, unnamed, parent, name, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) if is_tree => rename_directory(parent, unnamed, name),
        // Filesystems that cannot rename so can mostly link; a link never replaces anything.
        Err(Errno::INVAL | Errno::NOSYS) => {
            linkat(parent, unnamed, parent, name, AtFlags::empty())?;
            unlinkat(parent, unnamed, AtFlags::empty())
        }
        done => done,
    }
}

/// The same of a directory, which cannot be linked. All that could be replaced is an empty directory that came after the look
/// (rename(2)).
fn rename_directory(parent: &OwnedFd, unnamed: &str, name: &OsStr) -> rustix::io::Result<()> {
    match statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => renameat(parent, unnamed, parent, name),
        Ok(_) => Err(Errno::EXIST),
        Err(errno) => Err(errno),
    }
}

/// Removes `name` from `parent` if it is what was made; whether there was anything.
pub(crate) fn remove_made(
    parent: &OwnedFd,
    name: &OsStr,
    token: &Token,
    identity: Option<&Identity>,
) -> Result<bool, RemoveError> {
    let io = |errno: Errno| RemoveError::of_name("removed", name, errno);
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let found = match openat(parent, name, flags, Mode::empty()) {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(false),
        Err(Errno::LOOP) => return Err(RemoveError::Replaced),
        Err(errno) => return Err(io(errno)),
    };
    match is_ours(&found, token, identity).map_err(io)? {
        None => Err(RemoveError::Replaced),
        Some(FileType::Directory) => {
            empty_held(&found)?;
            unlinkat(parent, name, AtFlags::REMOVEDIR).map_err(io)?;
            Ok(true)
        }
        Some(_) => {
            unlinkat(parent, name, AtFlags::empty()).map_err(io)?;
            Ok(true)
        }
    }
}

/// Removes what a process that is gone made under `name`, or under the name of its token before it
/// had another.
pub(crate) fn remove_named(
    parent: &OwnedFd,
    name: &OsStr,
    token: &Token,
    identity: Option<&Identity>,
) -> Result<Removal, RemoveError> {
    let unnamed = scratch_name(token);
    let given_to = identity.and_then(|identity| identity.given_to);
    let was_unnamed = remove_unnamed(parent, &unnamed, given_to)?;
    // Nothing was given the name yet unless an inode was written down before.
    let was_named = identity.is_some() && remove_made(parent, name, token, identity)?;
    if !was_unnamed && !was_named {
        return Ok(Removal::Absent);
    }
    crate::absent::holds(parent).map_err(|e| RemoveError::of_name("removed durably", name, e))?;
    Ok(Removal::Done)
}

/// Nobody else can know the token's name before it is there, and what lies there is still empty.
fn remove_unnamed(
    parent: &OwnedFd,
    unnamed: &str,
    given_to: Option<u32>,
) -> Result<bool, RemoveError> {
    let io = |errno| RemoveError::of_name("removed", OsStr::new(unnamed), errno);
    let found = match statat(parent, unnamed, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(false),
        Err(errno) => return Err(io(errno)),
    };
    if !owner::is_own(&found, given_to) {
        return Err(RemoveError::OtherOwner);
    }
    let flags = match FileType::from_raw_mode(found.st_mode) {
        FileType::Directory => AtFlags::REMOVEDIR,
        FileType::RegularFile if found.st_size == 0 => AtFlags::empty(),
        _ => return Err(RemoveError::NotMarked),
    };
    unlinkat(parent, unnamed, flags).map_err(io)?;
    Ok(true)
}

impl Drop for Named {
    fn drop(&mut self) {
        // What stays is told by the next restore.
        let _ = self.remove();
    }
}
