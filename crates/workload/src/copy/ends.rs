//! The two ends of a copy behind small traits, and their implementation by file descriptors.

use std::num::NonZeroU64;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Advice, FileType, OFlags, SeekFrom};
use rustix::io::{Errno, Result};

/// Where a copy reads from.
pub trait Source {
    /// read(2)
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize>;
    /// Waits a moment for data, where waiting may take for ever; returns also without data.
    fn wait(&mut self) -> Result<bool>;
    /// lseek(2)
    fn seek(&mut self, to: SeekFrom) -> Result<u64>;
    /// The length where that is a property of the file: regular files.
    fn length(&self) -> Option<u64>;
    /// Drops cached pages of `length` bytes from `offset`, zero to the end, as far as the kernel likes.
    fn drop_cache(&mut self, offset: u64, length: u64);
}

/// Where a copy writes to.
pub trait Sink {
    /// write(2)
    fn write(&mut self, data: &[u8]) -> Result<usize>;
    /// lseek(2)
    fn seek(&mut self, to: SeekFrom) -> Result<u64>;
    /// The length where that is a property of the file: regular files.
    fn length(&self) -> Option<u64>;
    /// ftruncate(2)
    fn truncate(&mut self, length: u64) -> Result<()>;
    /// Whether a failing [`Sink::truncate`] matters: regular files and directories.
    fn must_truncate(&self) -> bool;
    /// Turns `O_DIRECT` off.
    fn stop_direct(&mut self) -> Result<()>;
    /// fdatasync(2)
    fn fdatasync(&mut self) -> Result<()>;
    /// fsync(2)
    fn fsync(&mut self) -> Result<()>;
    /// Drops cached pages of `length` bytes from `offset`, zero to the end, as far as the kernel likes.
    fn drop_cache(&mut self, offset: u64, length: u64);
}

/// An open file, or one of the standard streams.
#[derive(Debug)]
pub struct Descriptor {
    fd: Owner,
    /// Reads may wait for somebody else: pipes, sockets, terminals.
    waits: bool,
    kind: FileType,
}

#[derive(Debug)]
enum Owner {
    Own(OwnedFd),
    Standard(BorrowedFd<'static>),
}

/// How long a waiting read sleeps before it looks for signals again, beside being woken by them.
const WAIT: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 200_000_000,
};

impl Descriptor {
    /// Takes an open file.
    ///
    /// # Errors
    /// fstat(2) fails.
    pub fn own(fd: OwnedFd) -> Result<Descriptor> {
        Descriptor::new(Owner::Own(fd))
    }

    /// Standard input.
    ///
    /// # Errors
    /// It is closed.
    pub fn standard_input() -> Result<Descriptor> {
        Descriptor::new(Owner::Standard(rustix::stdio::stdin()))
    }

    /// Standard output.
    ///
    /// # Errors
    /// It is closed.
    pub fn standard_output() -> Result<Descriptor> {
        Descriptor::new(Owner::Standard(rustix::stdio::stdout()))
    }

    fn new(fd: Owner) -> Result<Descriptor> {
        let descriptor = Descriptor {
            fd,
            waits: false,
            kind: FileType::Unknown,
        };
        let status = rustix::fs::fstat(&descriptor)?;
        let kind = FileType::from_raw_mode(status.st_mode);
        let waits = match kind {
            FileType::Fifo | FileType::Socket => true,
            FileType::CharacterDevice => rustix::termios::isatty(&descriptor),
            _ => false,
        };
        Ok(Descriptor {
            waits,
            kind,
            ..descriptor
        })
    }

    /// What kind of file it is.
    pub fn kind(&self) -> FileType {
        self.kind
    }

    fn regular_length(&self) -> Option<u64> {
        let status = rustix::fs::fstat(self).ok()?;
        let regular = self.kind == FileType::RegularFile;
        regular.then(|| u64::try_from(status.st_size).unwrap_or(0))
    }

    fn forget(&self, offset: u64, length: u64) {
        // Advice only: a target without a page cache says no, and nothing is lost.
        let _ = rustix::fs::fadvise(self, offset, NonZeroU64::new(length), Advice::DontNeed);
    }
}

impl AsFd for Descriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.fd {
            Owner::Own(fd) => fd.as_fd(),
            Owner::Standard(fd) => *fd,
        }
    }
}

impl Source for Descriptor {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        rustix::io::read(&*self, buffer)
    }

    fn wait(&mut self) -> Result<bool> {
        if !self.waits {
            return Ok(true);
        }
        let mut polled = [PollFd::new(&*self, PollFlags::IN)];
        Ok(poll(&mut polled, Some(&WAIT))? > 0)
    }

    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        rustix::fs::seek(&*self, to)
    }

    fn length(&self) -> Option<u64> {
        self.regular_length()
    }

    fn drop_cache(&mut self, offset: u64, length: u64) {
        self.forget(offset, length);
    }
}

impl Sink for Descriptor {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        rustix::io::write(&*self, data)
    }

    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        rustix::fs::seek(&*self, to)
    }

    fn length(&self) -> Option<u64> {
        self.regular_length()
    }

    fn truncate(&mut self, length: u64) -> Result<()> {
        rustix::fs::ftruncate(&*self, length)
    }

    fn must_truncate(&self) -> bool {
        matches!(self.kind, FileType::RegularFile | FileType::Directory)
    }

    fn stop_direct(&mut self) -> Result<()> {
        let flags = rustix::fs::fcntl_getfl(&*self)?;
        rustix::fs::fcntl_setfl(&*self, flags - OFlags::DIRECT)
    }

    fn fdatasync(&mut self) -> Result<()> {
        rustix::fs::fdatasync(&*self)
    }

    fn fsync(&mut self) -> Result<()> {
        rustix::fs::fsync(&*self)
    }

    fn drop_cache(&mut self, offset: u64, length: u64) {
        self.forget(offset, length);
    }
}

/// An offset that lseek(2) can take.
pub(crate) fn offset(bytes: u64) -> Result<i64> {
    i64::try_from(bytes).map_err(|_| Errno::OVERFLOW)
}
