//! A directory within the private one, which what is measured has for itself while it runs.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use crate::own;
use crate::remove::{self, RemoveError};

/// A directory of mode 0700 in which programs of the user's may run. Dropping it removes it with all that is in it, and
/// never what is mounted in it: a command may have mounted what is precious there.
#[derive(Debug)]
pub struct OwnDirectory {
    path: PathBuf,
    parent: OwnedFd,
    name: OsString,
    directory: OwnedFd,
}

impl OwnDirectory {
    /// Makes the directory `name` in `parent`. Links are not resolved: a name by descriptor leads to the directory that
    /// was made, its path to what lies there.
    ///
    /// # Errors
    /// The kernel's answer.
    pub fn make(parent: &Path, name: impl Into<OsString>) -> io::Result<OwnDirectory> {
        let name = name.into();
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let path = parent.join(&name);
        let parent = openat(CWD, parent, flags, Mode::empty())?;
        let made = own::make_directory(&parent, &*name)?;
        let directory = remove::readable(&made)?;
        // Between its making and its opening another one may have been put under its name.
        if !remove::is_empty(&directory)? {
            return Err(Errno::EXIST.into());
        }
        Ok(OwnDirectory {
            path,
            parent,
            name,
            directory,
        })
    }

    /// Where it lies, as long as nobody moves it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes everything in it, wherever it lies now, and its name.
    ///
    /// # Errors
    /// [`RemoveError`]; what is mounted in it is left as it is and named.
    pub fn remove(&self) -> Result<(), RemoveError> {
        remove::empty_wholly(&self.directory)?;
        remove::remove_directory(&self.parent, &self.name)
    }
}

impl AsFd for OwnDirectory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }
}

impl Drop for OwnDirectory {
    fn drop(&mut self) {
        // Has happened already, but for a panic in between.
        let _ = self.remove();
    }
}
