//! A private directory for test files, which goes away again whatever happens.

use std::fs;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use etalon_host::FreeSpace;
use etalon_host::filesystem::lies_in_memory;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, fstatfs, fstatvfs, fsync, openat, unlinkat};
use rustix::io::Errno;

use crate::own;
use crate::owner;
use crate::remove::{self, MARKER, RemoveError, remove_scratch, scratch_path};
use crate::token::scratch_name;
use crate::{Change, Entry, FilesystemMark, Journal, JournalError, ProcessStamp, Token};

/// A directory `.etalon-TOKEN` of mode 0700 within a target directory. Dropping it removes it with
/// everything in it; after a kill, [`crate::restore`] does.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    parent: OwnedFd,
    /// `None` until it is made.
    directory: Option<OwnedFd>,
    /// The other user to whom its filesystem has given it.
    given_to: Option<u32>,
    token: Token,
    journal: Journal,
    closed: bool,
}

/// Why there is no scratch directory.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// There is nothing at the path.
    #[error("there is no '{}'; name a directory on the filesystem to be measured", path.display())]
    NoSuchTarget {
        /// The path asked for.
        path: PathBuf,
    },
    /// What lies there is not a directory.
    #[error("'{}' is not a directory; name one on the filesystem to be measured", path.display())]
    NotADirectory {
        /// The path asked for.
        path: PathBuf,
    },
    /// This user may not make files there.
    #[error("this user may not make files in '{}'; name a directory of your own on the same filesystem, or run as the owner", path.display())]
    NoPermission {
        /// The path asked for.
        path: PathBuf,
    },
    /// The filesystem cannot be written.
    #[error("'{}' lies on a read-only filesystem, where no test files can be made; remount it for writing, or measure by reading its block device", path.display())]
    ReadOnly {
        /// The path asked for.
        path: PathBuf,
    },
    /// Nothing more fits.
    #[error("the filesystem of '{}' is full, or this user's quota is; free some space, or name a directory on another filesystem", path.display())]
    DiskFull {
        /// The path asked for.
        path: PathBuf,
    },
    /// The kernel refused for another reason.
    #[error("no test files can be made in '{}': {source}", path.display())]
    Io {
        /// The path asked for.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The change cannot be written down, so it is not made.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The directory could not be removed.
    #[error("the scratch directory '{}' is left over: {source}", path.display())]
    Remove {
        /// The directory.
        path: PathBuf,
        /// What stood in the way.
        source: RemoveError,
    },
}

impl Scratch {
    /// Makes a scratch directory within `target`, entered into `journal` first.
    ///
    /// # Errors
    /// [`ScratchError`], with nothing left behind.
    pub fn create(journal: &Journal, target: &Path) -> Result<Scratch, ScratchError> {
        let refused = |errno| ScratchError::from_errno(target, errno);
        let refused_io = |e: io::Error| match Errno::from_io_error(&e) {
            Some(errno) => refused(errno),
            None => ScratchError::Io {
                path: target.to_owned(),
                source: e,
            },
        };
        let real = fs::canonicalize(target).map_err(refused_io)?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let parent = openat(CWD, &real, flags, Mode::empty()).map_err(refused)?;
        let filesystem = filesystem_mark(&parent).map_err(refused)?;
        let token = Token::random().map_err(refused_io)?;
        let owner = ProcessStamp::current().map_err(refused_io)?;
        let path = scratch_path(&real, &token);
        let change = Change::ScratchDirectory {
            parent: real,
            filesystem,
            given_to: None,
        };
        let entry = Entry::new(owner, token.clone(), change);
        journal.write(&entry)?;
        // From here on dropping it undoes what was done.
        let mut scratch = Scratch {
            path,
            parent,
            directory: None,
            given_to: None,
            token,
            journal: journal.clone(),
            closed: false,
        };
        // The target is there; what says otherwise now is a filesystem that makes no directories.
        let not_made = |errno| match errno {
            Errno::NOENT => ScratchError::Io {
                path: target.to_owned(),
                source: errno.into(),
            },
            errno => refused(errno),
        };
        let directory = scratch.make().map_err(not_made)?;
        scratch.enter_owner(entry)?;
        scratch.mark(directory).map_err(not_made)?;
        Ok(scratch)
    }

    /// Where it lies, to be shown to people. Nothing is opened by this path: where others may write
    /// to the directory above, they may exchange what lies there.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the test files go: a name for the directory that was made, whatever lies at its path
    /// now. It is good for this process and its children while this value lives.
    pub fn held_path(&self) -> PathBuf {
        match &self.directory {
            Some(directory) => own::descriptor_path(directory.as_fd()),
            None => self.path.clone(),
        }
    }

    /// Bytes that the test files may take while a tenth of the filesystem stays free.
    ///
    /// # Errors
    /// [`ScratchError::Io`] with the kernel's answer to `fstatvfs(3)`.
    pub fn space_allowance(&self) -> Result<u64, ScratchError> {
        let space = FreeSpace::of_file(&self.parent);
        space
            .map(|space| space.allowance().get())
            .map_err(|source| ScratchError::Io {
                path: self.path.clone(),
                source,
            })
    }

    /// Removes the directory with everything in it, and says what stood in the way.
    ///
    /// # Errors
    /// [`ScratchError::Remove`]; the journal then keeps the entry for a later restore.
    pub fn close(mut self) -> Result<(), ScratchError> {
        self.closed = true;
        self.undo()
    }

    fn make(&mut self) -> rustix::io::Result<OwnedFd> {
        let name = scratch_name(&self.token);
        let directory = own::make_directory(&self.parent, name.as_str())?;
        // Between its making and its opening another one may have been put under its name.
        if !remove::is_empty(&directory)? {
            return Err(Errno::EXIST);
        }
        self.given_to = owner::directory_given_to(&directory).inspect_err(|_| {
            // It is empty, and a restore would take it for another user's.
            let _ = unlinkat(&self.parent, name.as_str(), AtFlags::REMOVEDIR);
        })?;
        Ok(directory)
    }

    /// Writes down to whom it was given, by which a restore knows it.
    fn enter_owner(&self, mut entry: Entry) -> Result<(), JournalError> {
        if let Change::ScratchDirectory { given_to, .. } = &mut entry.change
            && self.given_to.is_some()
        {
            *given_to = self.given_to;
            self.journal.write(&entry)?;
        }
        Ok(())
    }

    fn mark(&mut self, directory: OwnedFd) -> rustix::io::Result<()> {
        let mut marker = own::make_file(&directory, MARKER)?;
        let written = marker.write_all(remove::marker_text(&self.token).as_bytes());
        written.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        // A power cut must not leave test files beside a marker that is empty.
        fsync(&marker)?;
        self.directory = Some(directory);
        Ok(())
    }

    fn undo(&self) -> Result<(), ScratchError> {
        // What was made is emptied wherever it lies now; what lies at its path may be another's.
        let emptied = match &self.directory {
            Some(directory) => remove::empty_held(directory),
            None => Ok(()),
        };
        emptied
            .and_then(|()| remove_scratch(&self.parent, &self.token, self.given_to))
            .map_err(|source| ScratchError::Remove {
                path: self.path.clone(),
                source,
            })?;
        Ok(self.journal.remove(&self.token)?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.closed {
            // Nobody is left to tell; the journal keeps the entry, and the next start says so.
            let _ = self.undo();
        }
    }
}

impl ScratchError {
    fn from_errno(path: &Path, errno: Errno) -> ScratchError {
        let path = path.to_owned();
        match errno {
            Errno::NOENT => ScratchError::NoSuchTarget { path },
            Errno::NOTDIR => ScratchError::NotADirectory { path },
            Errno::ACCESS | Errno::PERM => ScratchError::NoPermission { path },
            Errno::ROFS => ScratchError::ReadOnly { path },
            Errno::NOSPC | Errno::DQUOT => ScratchError::DiskFull { path },
            errno => ScratchError::Io {
                path,
                source: errno.into(),
            },
        }
    }
}

pub(crate) fn filesystem_mark(place: &OwnedFd) -> rustix::io::Result<FilesystemMark> {
    Ok(FilesystemMark {
        id: fstatvfs(place)?.f_fsid,
        volatile: lies_in_memory(&fstatfs(place)?),
    })
}

pub(crate) fn lies_on(place: &OwnedFd, filesystem: &FilesystemMark) -> bool {
    filesystem_mark(place).is_ok_and(|found| found.id == filesystem.id)
}
