//! A stream of the C library: `fread(3)`, `fwrite(3)` and their buffer.
//!
//! Soundness. The stream is made by `fdopen` from a descriptor that it then owns, is used by one
//! thread through `&mut self` only, and is closed once, in `close` or in `drop`. Every pointer
//! handed to the library comes from a live slice of at least the length passed with it; the buffer
//! is dropped after the stream, and nothing else looks at it.
#![expect(unsafe_code, reason = "the C library's streams have no safe binding")]

use std::fs::File;
use std::io::Error;
use std::mem::ManuallyDrop;
use std::os::fd::IntoRawFd;
use std::ptr::NonNull;

/// One open stream.
#[derive(Debug)]
pub struct Stream {
    stream: NonNull<libc::FILE>,
    /// The memory given to `setvbuf(3)`; the library's own where it is empty.
    _buffer: Vec<u8>,
}

// SAFETY: a C stream may be used by any one thread at a time; `&mut self` sees to that.
unsafe impl Send for Stream {}

impl Stream {
    /// A stream on `file`, which is open for reading, and for writing if `writes`; its buffer has
    /// the size that the library chooses.
    ///
    /// # Errors
    /// Those of fdopen(3).
    pub fn new(file: File, writes: bool) -> Result<Self, Error> {
        let mode = if writes { c"r+" } else { c"r" };
        let fd = file.into_raw_fd();
        // SAFETY: the mode is a C string, and the descriptor belongs to nobody else any more.
        let stream = unsafe { libc::fdopen(fd, mode.as_ptr()) };
        let Some(stream) = NonNull::new(stream) else {
            let error = Error::last_os_error();
            // SAFETY: fdopen failed, so the descriptor is still ours alone.
            unsafe { libc::close(fd) };
            return Err(error);
        };
        Ok(Stream {
            stream,
            _buffer: Vec::new(),
        })
    }

    /// The same with a full buffer of `size` bytes.
    ///
    /// # Errors
    /// Those of fdopen(3) and setvbuf(3).
    pub fn with_buffer(file: File, writes: bool, size: usize) -> Result<Self, Error> {
        let mut stream = Stream::new(file, writes)?;
        let mut buffer = vec![0u8; size];
        let memory = buffer.as_mut_ptr().cast();
        // SAFETY: the memory is as long as said, does not move with the vector, and outlives the
        // stream: fields are dropped after `drop` has closed it.
        let set = unsafe { libc::setvbuf(stream.stream.as_ptr(), memory, libc::_IOFBF, size) };
        if set != 0 {
            return Err(Error::last_os_error());
        }
        stream._buffer = buffer;
        Ok(stream)
    }

    /// Fills `memory` as far as the file goes; returns the bytes read.
    ///
    /// # Errors
    /// Those of fread(3).
    #[inline]
    pub fn read(&mut self, memory: &mut [u8]) -> Result<usize, Error> {
        let (start, length) = (memory.as_mut_ptr().cast(), memory.len());
        // SAFETY: the slice is live and as long as said; the stream is open.
        let moved = unsafe { libc::fread(start, 1, length, self.stream.as_ptr()) };
        self.checked(moved, length)
    }

    /// Writes `data` into the buffer, and what does not fit there into the file.
    ///
    /// # Errors
    /// Those of fwrite(3).
    #[inline]
    pub fn write(&mut self, data: &[u8]) -> Result<usize, Error> {
        // SAFETY: the slice is live and as long as said; the stream is open.
        let moved =
            unsafe { libc::fwrite(data.as_ptr().cast(), 1, data.len(), self.stream.as_ptr()) };
        self.checked(moved, data.len())
    }

    fn checked(&mut self, moved: usize, length: usize) -> Result<usize, Error> {
        let stream = self.stream.as_ptr();
        // SAFETY: the stream is open.
        if moved < length && unsafe { libc::ferror(stream) } != 0 {
            let error = Error::last_os_error();
            // The mark would stay, and be taken for an error of the next call too.
            // SAFETY: the stream is open.
            unsafe { libc::clearerr(stream) };
            return Err(error);
        }
        Ok(moved)
    }

    /// Goes to byte `offset`.
    ///
    /// # Errors
    /// Those of fseeko(3).
    pub fn seek(&mut self, offset: u64) -> Result<(), Error> {
        let offset = offset as libc::off_t;
        // SAFETY: the stream is open.
        answer(unsafe { libc::fseeko(self.stream.as_ptr(), offset, libc::SEEK_SET) })
    }

    /// Hands the buffer over to the kernel.
    ///
    /// # Errors
    /// Those of fflush(3).
    pub fn flush(&mut self) -> Result<(), Error> {
        // SAFETY: the stream is open.
        answer(unsafe { libc::fflush(self.stream.as_ptr()) })
    }

    /// Hands the buffer over and makes the data durable, with what is needed to read it.
    ///
    /// # Errors
    /// Those of fflush(3) and fdatasync(2).
    pub fn sync_data(&mut self) -> Result<(), Error> {
        self.flush()?;
        // SAFETY: the stream is open, and so is its descriptor.
        answer(unsafe { libc::fdatasync(libc::fileno(self.stream.as_ptr())) })
    }

    /// Hands the buffer over and makes the file durable.
    ///
    /// # Errors
    /// Those of fflush(3) and fsync(2).
    pub fn sync(&mut self) -> Result<(), Error> {
        self.flush()?;
        // SAFETY: the stream is open, and so is its descriptor.
        answer(unsafe { libc::fsync(libc::fileno(self.stream.as_ptr())) })
    }

    /// Hands the buffer over and closes the file.
    ///
    /// # Errors
    /// Those of fclose(3).
    pub fn close(self) -> Result<(), Error> {
        let mut stream = ManuallyDrop::new(self);
        let buffer = std::mem::take(&mut stream._buffer);
        // SAFETY: the stream is open, and `drop` will not close it again; its buffer is still there.
        let closed = answer(unsafe { libc::fclose(stream.stream.as_ptr()) });
        drop(buffer);
        closed
    }
}

fn answer(code: libc::c_int) -> Result<(), Error> {
    match code {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is open and not used after this.
        unsafe { libc::fclose(self.stream.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_buffer_holds_a_record_back_until_the_next_one() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut stream = Stream::with_buffer(file.reopen().unwrap(), true, 8192).unwrap();
        let written = || std::fs::metadata(file.path()).unwrap().len();
        assert_eq!(stream.write(&[1; 4096]).unwrap(), 4096);
        assert_eq!(written(), 0);
        stream.flush().unwrap();
        assert_eq!(written(), 4096);
        stream.seek(0).unwrap();
        let mut back = [0; 8192];
        assert_eq!(stream.read(&mut back).unwrap(), 4096);
        assert_eq!(back[..4096], [1; 4096]);
    }

    #[test]
    fn what_cannot_be_handed_over_when_a_stream_is_closed_is_told() {
        let open = |path: &str| {
            let mut options = std::fs::OpenOptions::new();
            options.read(true).write(true).open(path).unwrap()
        };
        for size in [8192, 1 << 20] {
            let mut stream = Stream::with_buffer(open("/dev/full"), true, size).unwrap();
            assert_eq!(stream.write(&[1; 4096]).unwrap(), 4096, "held back");
            let error = stream.close().unwrap_err();
            assert_eq!(error.raw_os_error(), Some(libc::ENOSPC));
        }
        let mut stream = Stream::new(open("/dev/null"), true).unwrap();
        stream.write(b"a").unwrap();
        stream.close().unwrap();
    }

    #[test]
    fn a_stream_that_cannot_write_says_so() {
        let file = File::open("/dev/null").unwrap();
        let mut stream = Stream::new(file, false).unwrap();
        assert!(stream.write(b"a").is_err());
        assert_eq!(stream.read(&mut [0; 4]).unwrap(), 0);
    }
}
