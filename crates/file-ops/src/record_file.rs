//! What records are read from and written to.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// What the timed loop needs of a file; short answers are made whole by the loop.
pub(crate) trait RecordFile: Send {
    /// Reads into `buffer` from `offset`.
    fn read(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Writes `data` at `offset`.
    fn write(&mut self, data: &[u8], offset: u64) -> io::Result<usize>;

    /// Empties the stream's own buffer; the end of the timed part of a stream.
    fn drain(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Makes everything durable.
    fn flush(&mut self) -> io::Result<()>;

    /// Closes the file. Where what was written is handed over only then, as on NFS, this is what
    /// tells that it could not be kept (close(2)).
    fn close(self: Box<Self>) -> io::Result<()>;
}

/// Closes `file`, which dropping it does without a word.
pub(crate) fn close(file: File) -> io::Result<()> {
    Ok(nix::unistd::close(file)?)
}

/// `pread(2)` and `pwrite(2)`.
pub(crate) struct Positioned(pub(crate) File);

impl RecordFile for Positioned {
    #[inline]
    fn read(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    #[inline]
    fn write(&mut self, data: &[u8], offset: u64) -> io::Result<usize> {
        self.0.write_at(data, offset)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        close(self.0)
    }
}
