//! The two ends of a copy behind small traits, and their implementation by file descriptors.

use std::num::NonZeroU64;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Advice, FileType, Mode, OFlags, SeekFrom};
use rustix::io::{Errno, Result};

use crate::close::close;

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
    /// Waits a moment for room, where waiting may take for ever; returns also without room.
    fn wait(&mut self) -> Result<bool>;
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
    /// close(2), in which some filesystems write what they have put off; afterwards only [`Sink::fsync`] and what looks
    /// at the file make sense.
    fn close(&mut self) -> Result<()>;
}

/// An open file, or one of the standard streams.
#[derive(Debug)]
pub struct Descriptor {
    fd: Owner,
    /// Reads and writes may wait for somebody else: pipes, sockets, terminals.
    waits: bool,
    kind: FileType,
}

#[derive(Debug)]
enum Owner {
    Own(OwnedFd),
    Standard(BorrowedFd<'static>),
}

/// How long a waiting read or write sleeps before it looks for signals again, beside being woken by them.
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

    /// The same file by a descriptor that does not keep it open: a filesystem sees it closed all the same, and nobody can
    /// put another in its place.
    fn anchor(&self) -> Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        rustix::fs::open(by_number(self.as_fd()), flags, Mode::empty())
    }

    /// Whether opening it once more waits for nobody and changes nothing.
    fn is_storage(&self) -> bool {
        matches!(self.kind, FileType::RegularFile | FileType::BlockDevice)
    }

    fn wait_for(&self, ready: PollFlags) -> Result<bool> {
        if !self.waits {
            return Ok(true);
        }
        let mut polled = [PollFd::new(self, ready)];
        Ok(poll(&mut polled, Some(&WAIT))? > 0)
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
        self.wait_for(PollFlags::IN)
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

    /// A signal that arrives in write(2) itself is answered once this is asked again: the kernel then says what it took of
    /// the block, since there was room for a part of it.
    fn wait(&mut self) -> Result<bool> {
        self.wait_for(PollFlags::OUT)
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

    /// Standard output gives way to /dev/null, so that no file which is opened later gets its number. Where another
    /// process has it too, it stays open there, as with dd.
    fn close(&mut self) -> Result<()> {
        if let Owner::Standard(output) = self.fd {
            self.fd = Owner::Own(taken_over(output)?);
        }
        let Ok(anchor) = self.anchor() else {
            return Ok(());
        };
        let is_storage = self.is_storage();
        let mut closed = Ok(());
        if let Owner::Own(open) = std::mem::replace(&mut self.fd, Owner::Own(anchor)) {
            closed = close(open);
        }
        if is_storage {
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
            let again = rustix::fs::open(by_number(self.as_fd()), flags, Mode::empty());
            // Where it may not be read, the anchor stays, and what is left in memory is not known.
            if let Ok(again) = again {
                self.fd = Owner::Own(again);
            }
        }
        closed
    }
}

/// Standard output under another number, /dev/null in its place: dup2(2) would close it as well, and keep to itself what
/// the filesystem says to that.
fn taken_over(output: BorrowedFd<'_>) -> Result<OwnedFd> {
    let nowhere = rustix::fs::open("/dev/null", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    let taken = rustix::io::fcntl_dupfd_cloexec(output, FIRST_FREE)?;
    rustix::stdio::dup2_stdout(nowhere)?;
    Ok(taken)
}

/// The first number after the standard streams.
const FIRST_FREE: i32 = 3;

/// The name by which the kernel finds an open file again.
fn by_number(fd: BorrowedFd<'_>) -> String {
    format!("/proc/self/fd/{}", fd.as_raw_fd())
}

/// An offset that lseek(2) can take.
pub(crate) fn offset(bytes: u64) -> Result<i64> {
    i64::try_from(bytes).map_err(|_| Errno::OVERFLOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{FlockOperation, flock};

    #[test]
    fn a_closed_output_is_closed_for_the_filesystem_and_still_the_same_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let open = || std::fs::OpenOptions::new().write(true).open(file.path());
        let mut output = Descriptor::own(open().unwrap().into()).unwrap();
        let number = rustix::fs::fstat(&output).unwrap().st_ino;
        // The lock ends when its open file does, whoever looks at the file then.
        flock(&output, FlockOperation::LockExclusive).unwrap();
        let other = open().unwrap();
        let try_lock = || flock(&other, FlockOperation::NonBlockingLockExclusive);
        assert_eq!(try_lock(), Err(Errno::AGAIN));
        output.close().unwrap();
        try_lock().unwrap();
        assert_eq!(rustix::fs::fstat(&output).unwrap().st_ino, number);
        Sink::fsync(&mut output).unwrap();
    }

    #[test]
    fn a_closed_pipe_is_at_its_end_for_the_reader() {
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        let mut output = Descriptor::own(writer).unwrap();
        output.close().unwrap();
        let mut reader = Descriptor::own(reader).unwrap();
        assert_eq!(Source::read(&mut reader, &mut [0; 8]), Ok(0));
    }
}
