//! Loads and stores through `mmap(2)`.
//!
//! Soundness. The mapping is made and removed here and lives as long as the backend. It is shared
//! with the kernel and with whoever else maps the file, so no Rust reference to it is ever made:
//! data moves by raw copies between it and the slots' own memory, within bounds that are checked
//! for each request. A page that the kernel cannot deliver (a disk error, a file cut short, no
//! space for a hole) raises SIGBUS, which the guard in `sigbus` turns into an error of the request.
#![expect(unsafe_code, reason = "a mapping changes under Rust's feet")]

use std::fs::File;
use std::ptr::{NonNull, null_mut};

use rustix::io::Errno;
use rustix::mm::{MapFlags, MsyncFlags, ProtFlags, mmap, msync, munmap};

use super::sigbus::{self, Guard};
use super::{Backend, Buffers, Completion, Patience, Request};
use crate::recorder::Kind;

/// One mapped file, one request at a time.
pub(crate) struct MmapBackend {
    file: File,
    start: NonNull<u8>,
    length: usize,
    guard: Guard,
    buffers: Buffers,
    queued: Option<Request>,
    done: Option<Completion>,
}

// SAFETY: the mapping is used through `&mut self` only; no thread-local state is involved.
unsafe impl Send for MmapBackend {}

impl MmapBackend {
    /// Maps the first `length` bytes of `file`.
    pub(crate) fn new(file: File, length: u64, block: usize, writes: bool) -> Result<Self, Errno> {
        let length = usize::try_from(length).map_err(|_| Errno::NOMEM)?;
        let mut protection = ProtFlags::READ;
        if writes {
            protection |= ProtFlags::WRITE;
        }
        // SAFETY: the kernel chooses the place, so nothing of ours is mapped over.
        let start = unsafe { mmap(null_mut(), length, protection, MapFlags::SHARED, &file, 0) }?;
        let start = NonNull::new(start.cast::<u8>()).ok_or(Errno::NOMEM)?;
        let Some(guard) = sigbus::watch(start.as_ptr() as usize, length) else {
            // SAFETY: mapped above with this length and not used since.
            let _ = unsafe { munmap(start.as_ptr().cast(), length) };
            return Err(Errno::MFILE);
        };
        Ok(MmapBackend {
            file,
            start,
            length,
            guard,
            buffers: Buffers::new(1, block),
            queued: None,
            done: None,
        })
    }

    fn copy(&mut self, request: Request) -> Result<usize, Errno> {
        let at = usize::try_from(request.offset).map_err(|_| Errno::OVERFLOW)?;
        let room = self.length.saturating_sub(at);
        let length = (request.length as usize).min(room);
        let memory = &mut self.buffers.get(0)[request.range()][..length];
        let mapped = self.start.as_ptr().wrapping_add(at);
        // SAFETY: `at + length` lies within the mapping, the slice has that length, and the
        // two do not overlap, since the slice is memory of our own.
        unsafe {
            match request.kind {
                Kind::Read => mapped.copy_to_nonoverlapping(memory.as_mut_ptr(), length),
                _ => mapped.copy_from_nonoverlapping(memory.as_ptr(), length),
            }
        }
        std::hint::black_box(memory);
        if self.guard.tripped() {
            Err(Errno::IO)
        } else {
            Ok(length)
        }
    }
}

impl Backend for MmapBackend {
    const BLOCKING: bool = true;

    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn push(&mut self, _slot: usize, request: Request) {
        self.queued = Some(request);
    }

    fn submit(&mut self, _patience: Patience) -> Result<(), Errno> {
        if let Some(request) = self.queued.take() {
            let result = self.copy(request);
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

    fn fsync(&mut self) -> Result<(), Errno> {
        // SAFETY: the range is the mapping.
        unsafe { msync(self.start.as_ptr().cast(), self.length, MsyncFlags::SYNC) }?;
        rustix::fs::fsync(&self.file)
    }
}

impl Drop for MmapBackend {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length; no pointer into it is kept.
        let _ = unsafe { munmap(self.start.as_ptr().cast(), self.length) };
    }
}
