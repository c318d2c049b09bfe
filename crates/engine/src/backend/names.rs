//! Creating, looking up and removing files, one at a time.

use std::fmt::Write as _;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use etalon_model::Operation;
use rustix::fs::{AtFlags, Mode, OFlags, StatxFlags, openat, statx, unlinkat};
use rustix::io::Errno;

use super::{Backend, Completion, Patience, Request, SyncCall};

/// Files in one directory: below what any filesystem finds large.
pub(crate) const PER_DIRECTORY: u64 = 1000;

/// The directory of job `job`.
pub(crate) fn job_directory(target: &Path, job: u32) -> PathBuf {
    target.join(format!("m{job}"))
}

/// The sub-directory that holds file `file`.
pub(crate) fn sub_directory(job_directory: &Path, file: u64) -> PathBuf {
    job_directory.join(format!("d{}", file / PER_DIRECTORY))
}

/// The name of file `file` within its sub-directory.
pub(crate) fn file_name(name: &mut String, file: u64) {
    name.clear();
    // Writing to a String cannot fail.
    let _ = write!(name, "f{file}");
}

/// Works on the files of one job by name. Directories exist before the run and are opened as
/// the work reaches them: one open for each thousand operations is part of their time.
#[derive(Debug)]
pub(crate) struct NamesBackend {
    operation: Operation,
    directory: PathBuf,
    open: Option<(u64, OwnedFd)>,
    name: String,
    queued: Option<Request>,
    done: Option<Completion>,
}

impl NamesBackend {
    pub(crate) fn new(operation: Operation, directory: PathBuf) -> Self {
        NamesBackend {
            operation,
            directory,
            open: None,
            name: String::new(),
            queued: None,
            done: None,
        }
    }

    fn operate(&mut self, file: u64) -> Result<usize, Errno> {
        let number = file / PER_DIRECTORY;
        if self.open.as_ref().is_none_or(|(open, _)| *open != number) {
            let flags = OFlags::DIRECTORY | OFlags::PATH | OFlags::CLOEXEC;
            let path = sub_directory(&self.directory, file);
            self.open = Some((number, rustix::fs::open(path, flags, Mode::empty())?));
        }
        file_name(&mut self.name, file);
        let Some((_, directory)) = &self.open else {
            return Err(Errno::BADF);
        };
        let name = self.name.as_str();
        match self.operation {
            Operation::Create => {
                let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
                drop(openat(directory, name, flags, Mode::RUSR | Mode::WUSR)?);
            }
            Operation::Unlink => unlinkat(directory, name, AtFlags::empty())?,
            _ => {
                statx(
                    directory,
                    name,
                    AtFlags::SYMLINK_NOFOLLOW,
                    StatxFlags::BASIC_STATS,
                )?;
            }
        }
        Ok(0)
    }
}

impl Backend for NamesBackend {
    const BLOCKING: bool = true;

    fn buffer(&mut self, _slot: usize) -> &mut [u8] {
        &mut []
    }

    fn push(&mut self, _slot: usize, request: Request) {
        self.queued = Some(request);
    }

    fn submit(&mut self, _patience: Patience) -> Result<(), Errno> {
        if let Some(request) = self.queued.take() {
            let result = self.operate(request.offset);
            self.done = Some(Completion { slot: 0, result });
        }
        Ok(())
    }

    fn completion(&mut self) -> Option<Completion> {
        self.done.take()
    }

    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    fn sync(&mut self, _call: SyncCall) -> Result<(), Errno> {
        Ok(())
    }
}
