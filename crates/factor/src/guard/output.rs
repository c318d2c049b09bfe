//! Files that etalon makes beside its work: workbooks, logs, documents.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, accessat, fchmod, fcntl_setfl, openat};
use rustix::io::Errno;

use super::judge::{Hold, judge};
use super::open::{DOCUMENT, refuse_all_but_files};
use super::reopen::{kind_of, reopen};
use super::sticky::refuse_planted;
use super::{GuardError, Refusal};

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// The user named it for output: its content is replaced.
    Replace,
    /// Nobody named it: it is left as it is, and the output refused.
    Refuse,
}

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Whom the umask lets.
    ByUmask,
    /// Its owner alone, whatever the umask.
    Owner,
}

/// A file that will be written: claimed before the work, so that what cannot be written is known
/// then, and made or replaced when there is something to write.
///
/// It lies in a directory that is held open, and its name there is never followed as a link.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    directory: OwnedFd,
    name: OsString,
    readers: Readers,
    file: Option<File>,
}

impl Output {
    /// Finds out whether `path` can and may be written, and holds on to what is there.
    ///
    /// # Errors
    /// [`GuardError::Refused`] for devices, links, files that something relies on or that nobody
    /// named, and FIFOs without a reader; the kernel's answers.
    pub fn claim(path: &Path, existing: Existing, readers: Readers) -> Result<Output, GuardError> {
        let (directory, name) = parts(path)?;
        let mut output = Output {
            path: path.to_owned(),
            directory,
            name,
            readers,
            file: None,
        };
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&output.directory, &output.name, flags, Mode::empty()) {
            Err(Errno::NOENT) => output.can_be_made()?,
            found => output.file = Some(output.take(&found?, existing)?),
        }
        Ok(output)
    }

    /// Makes the file of `bytes`, or puts them in the place of what is there and of what was written
    /// before.
    ///
    /// # Errors
    /// [`Refusal::Exists`] when a file of this name has appeared since it was claimed; the kernel's
    /// answers.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), GuardError> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => File::from(self.make()?),
        };
        if kind_of(&file)? == FileType::RegularFile {
            judge(file.as_fd(), &self.path, None, Hold::Others)?;
            file.rewind().map_err(|error| GuardError::of_io(&error))?;
            rustix::fs::ftruncate(&file, 0)?;
        }
        let written = file.write_all(bytes);
        self.file = Some(file);
        written.map_err(|error| GuardError::of_io(&error))
    }

    /// As it was claimed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn can_be_made(&self) -> Result<(), Errno> {
        let access = Access::WRITE_OK | Access::EXEC_OK;
        accessat(&self.directory, ".", access, AtFlags::EACCESS)
    }

    fn make(&self) -> Result<OwnedFd, GuardError> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY;
        let mode = match self.readers {
            Readers::ByUmask => DOCUMENT,
            Readers::Owner => Mode::RUSR | Mode::WUSR,
        };
        let made = openat(&self.directory, &self.name, flags | OFlags::CLOEXEC, mode);
        let file = made.map_err(|errno| match errno {
            Errno::EXIST => GuardError::from(Refusal::Exists {
                path: self.path.clone(),
            }),
            other => other.into(),
        })?;
        if self.readers == Readers::Owner {
            fchmod(&file, mode)?;
        }
        Ok(file)
    }

    /// Opens what is there for writing; it is not cut yet.
    fn take(&self, handle: &OwnedFd, existing: Existing) -> Result<File, GuardError> {
        let kind = kind_of(handle)?;
        if kind == FileType::Directory {
            return Err(Errno::ISDIR.into());
        }
        if kind != FileType::Fifo {
            refuse_all_but_files(kind, &self.path)?;
        }
        if existing == Existing::Refuse {
            let path = self.path.clone();
            return Err(Refusal::Exists { path }.into());
        }
        refuse_planted(handle, kind)?;
        if kind == FileType::Fifo {
            return self.take_fifo(handle);
        }
        judge(handle.as_fd(), &self.path, None, Hold::Others)?;
        let opened = reopen(handle, &self.path, OFlags::WRONLY)?;
        Ok(File::from(opened))
    }

    /// A FIFO without a reader would be waited for without end.
    fn take_fifo(&self, handle: &OwnedFd) -> Result<File, GuardError> {
        let opened = match reopen(handle, &self.path, OFlags::WRONLY | OFlags::NONBLOCK) {
            Err(GuardError::Failed(Errno::NXIO)) => {
                let path = self.path.clone();
                return Err(Refusal::NoReader { path }.into());
            }
            opened => opened?,
        };
        fcntl_setfl(&opened, OFlags::WRONLY)?;
        Ok(File::from(opened))
    }
}

/// The directory of `path`, held open, and the name in it.
fn parts(path: &Path) -> Result<(OwnedFd, OsString), GuardError> {
    let name = match path.file_name() {
        Some(name) if !path.as_os_str().as_bytes().ends_with(b"/") => name.to_owned(),
        _ => return Err(Errno::ISDIR.into()),
    };
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok((rustix::fs::open(directory, flags, Mode::empty())?, name))
}
