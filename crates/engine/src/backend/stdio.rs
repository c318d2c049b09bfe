//! `fread(3)` and `fwrite(3)` with the library's own buffer.
//!
//! Soundness. The stream is made by `fdopen` from a descriptor that it then owns, is used by one
//! thread through `&mut self` only, and is closed once, in `drop`. Every pointer handed to the
//! library comes from a live slice of at least the length passed with it.
#![expect(unsafe_code, reason = "the C library's streams have no safe binding")]

use std::fs::File;
use std::os::fd::IntoRawFd;
use std::ptr::NonNull;

use rustix::io::Errno;

use super::sync::errno;
use super::{Backend, Buffers, Completion, Patience, Request};
use crate::recorder::Kind;

/// One C stream, one request at a time.
pub(crate) struct StdioBackend {
    stream: NonNull<libc::FILE>,
    buffers: Buffers,
    queued: Option<Request>,
    done: Option<Completion>,
    /// Where the stream stands and what it did last; a change of either needs a seek.
    position: Option<(u64, Kind)>,
}

// SAFETY: a C stream may be used by any one thread at a time; `&mut self` sees to that.
unsafe impl Send for StdioBackend {}

impl StdioBackend {
    /// A stream on `file`, which is open for writing if `writes`.
    pub(crate) fn new(file: File, block: usize, writes: bool) -> Result<Self, Errno> {
        let mode = if writes { c"r+" } else { c"r" };
        let fd = file.into_raw_fd();
        // SAFETY: the mode is a C string, and the descriptor belongs to nobody else any more.
        let stream = unsafe { libc::fdopen(fd, mode.as_ptr()) };
        let Some(stream) = NonNull::new(stream) else {
            let error = std::io::Error::last_os_error();
            // SAFETY: fdopen failed, so the descriptor is still ours alone.
            unsafe { libc::close(fd) };
            return Err(errno(error));
        };
        Ok(StdioBackend {
            stream,
            buffers: Buffers::new(1, block),
            queued: None,
            done: None,
            position: None,
        })
    }

    fn seek(&mut self, request: Request) -> Result<(), Errno> {
        if self.position == Some((request.offset, request.kind)) {
            return Ok(());
        }
        let offset = request.offset as libc::off_t;
        // SAFETY: the stream is open.
        if unsafe { libc::fseeko(self.stream.as_ptr(), offset, libc::SEEK_SET) } != 0 {
            return Err(errno(std::io::Error::last_os_error()));
        }
        Ok(())
    }

    fn transfer(&mut self, request: Request) -> Result<usize, Errno> {
        self.seek(request)?;
        let stream = self.stream.as_ptr();
        let memory = &mut self.buffers.get(0)[request.range()];
        // SAFETY: the slice is live and as long as said; the stream is open.
        let (moved, failed) = unsafe {
            let moved = match request.kind {
                Kind::Read => libc::fread(memory.as_mut_ptr().cast(), 1, memory.len(), stream),
                _ => libc::fwrite(memory.as_ptr().cast(), 1, memory.len(), stream),
            };
            (moved, moved < memory.len() && libc::ferror(stream) != 0)
        };
        if failed {
            self.position = None;
            return Err(errno(std::io::Error::last_os_error()));
        }
        self.position = Some((request.offset + moved as u64, request.kind));
        Ok(moved)
    }
}

impl Backend for StdioBackend {
    const BLOCKING: bool = true;

    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn push(&mut self, _slot: usize, request: Request) {
        self.queued = Some(request);
    }

    fn submit(&mut self, _patience: Patience) -> Result<(), Errno> {
        if let Some(request) = self.queued.take() {
            let result = self.transfer(request);
            self.done = Some(Completion { slot: 0, result });
        }
        Ok(())
    }

    fn completion(&mut self) -> Option<Completion> {
        self.done.take()
    }

    fn flush(&mut self) -> Result<(), Errno> {
        // SAFETY: the stream is open.
        match unsafe { libc::fflush(self.stream.as_ptr()) } {
            0 => Ok(()),
            _ => Err(errno(std::io::Error::last_os_error())),
        }
    }

    fn fsync(&mut self) -> Result<(), Errno> {
        self.flush()?;
        // SAFETY: the stream is open, and so is its descriptor.
        match unsafe { libc::fsync(libc::fileno(self.stream.as_ptr())) } {
            0 => Ok(()),
            _ => Err(errno(std::io::Error::last_os_error())),
        }
    }
}

impl Drop for StdioBackend {
    fn drop(&mut self) {
        // SAFETY: the stream is open and not used after this.
        unsafe { libc::fclose(self.stream.as_ptr()) };
    }
}
