//! The first bytes of a file as memory, read and written by copies that cannot end the process.
//!
//! Soundness. The mapping is made and removed here and lives as long as [`Mapping`]. It is shared
//! with the kernel and with whoever else maps the file, so no Rust reference to it is ever made:
//! data moves by raw copies between it and memory of the caller's, within bounds that are checked
//! each time. A page that the kernel cannot deliver (a disk error, a file cut short, no space for
//! a hole) raises SIGBUS, which the guard in `sigbus` turns into an error of the copy.
#![expect(unsafe_code, reason = "a mapping changes under Rust's feet")]

use std::os::fd::AsFd;
use std::ptr::{NonNull, null_mut};

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, MsyncFlags, ProtFlags, madvise, mmap, msync, munmap};

use super::sigbus::{self, Guard};

/// A shared mapping of a file (mmap(2)).
#[derive(Debug)]
pub struct Mapping {
    start: NonNull<u8>,
    length: usize,
    writes: bool,
    guard: Guard,
}

// SAFETY: the mapping is used through `&mut self` only, but for msync and madvise, which are
// thread-safe; no thread-local state is involved.
unsafe impl Send for Mapping {}

impl Mapping {
    /// Maps the first `length` bytes of `file`, at least 1; the file should be that long.
    ///
    /// # Errors
    /// The kernel's, and `EMFILE` with more than 1024 mappings at once.
    pub fn new(file: impl AsFd, length: u64, writes: bool) -> Result<Mapping, Errno> {
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
        Ok(Mapping {
            start,
            length,
            writes,
            guard,
        })
    }

    /// Loads into `buffer` from `offset`; fewer bytes at the mapping's end.
    ///
    /// # Errors
    /// `EIO` when a page could not be delivered.
    #[inline]
    pub fn read(&mut self, buffer: &mut [u8], offset: u64) -> Result<usize, Errno> {
        let (mapped, length) = self.place(buffer.len(), offset)?;
        // SAFETY: `length` bytes lie within the mapping and within the buffer, and the two do not
        // overlap, since no reference into the mapping exists.
        unsafe { mapped.copy_to_nonoverlapping(buffer.as_mut_ptr(), length) };
        std::hint::black_box(buffer);
        self.outcome(length)
    }

    /// Stores `data` at `offset`; fewer bytes at the mapping's end.
    ///
    /// # Errors
    /// `EIO` when a page could not be delivered, as on a full disk; `EACCES` for a mapping that
    /// was made to be read.
    #[inline]
    pub fn write(&mut self, data: &[u8], offset: u64) -> Result<usize, Errno> {
        if !self.writes {
            return Err(Errno::ACCESS);
        }
        let (mapped, length) = self.place(data.len(), offset)?;
        // SAFETY: as in `read`, and the mapping was made to be written.
        unsafe { mapped.copy_from_nonoverlapping(data.as_ptr(), length) };
        self.outcome(length)
    }

    /// Tells the kernel to write the whole mapping back: at its leisure, or before this returns
    /// with `wait` (msync(2), `MS_ASYNC` or `MS_SYNC`).
    ///
    /// # Errors
    /// The kernel's.
    pub fn sync(&self, wait: bool) -> Result<(), Errno> {
        let flags = if wait {
            MsyncFlags::SYNC
        } else {
            MsyncFlags::ASYNC
        };
        // SAFETY: the range is the mapping.
        unsafe { msync(self.start.as_ptr().cast(), self.length, flags) }
    }

    /// Tells the kernel about the accesses to come (madvise(2)).
    ///
    /// # Errors
    /// The kernel's, and `EINVAL` for an advice that would change what the mapping holds.
    pub fn advise(&self, advice: Advice) -> Result<(), Errno> {
        match advice {
            Advice::Normal
            | Advice::Random
            | Advice::Sequential
            | Advice::WillNeed
            | Advice::LinuxDontNeed => {}
            _ => return Err(Errno::INVAL),
        }
        // SAFETY: the range is the mapping, and none of these takes data from a shared one.
        unsafe { madvise(self.start.as_ptr().cast(), self.length, advice) }
    }

    /// Where `offset` lies and how much of `wanted` there is.
    #[inline]
    fn place(&self, wanted: usize, offset: u64) -> Result<(*mut u8, usize), Errno> {
        let at = usize::try_from(offset).map_err(|_| Errno::OVERFLOW)?;
        let length = wanted.min(self.length.saturating_sub(at));
        Ok((self.start.as_ptr().wrapping_add(at), length))
    }

    #[inline]
    fn outcome(&self, length: usize) -> Result<usize, Errno> {
        if self.guard.tripped() {
            Err(Errno::IO)
        } else {
            Ok(length)
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length; no pointer into it is kept.
        let _ = unsafe { munmap(self.start.as_ptr().cast(), self.length) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    fn file(length: u64) -> File {
        let file = tempfile::tempfile().unwrap();
        file.set_len(length).unwrap();
        file
    }

    #[test]
    fn what_is_stored_is_in_the_file_and_ends_with_the_mapping() {
        use std::os::unix::fs::FileExt;
        let file = file(10_000);
        let mut mapping = Mapping::new(&file, 10_000, true).unwrap();
        assert_eq!(mapping.write(&[7; 5000], 6000), Ok(4000));
        mapping.sync(true).unwrap();
        let mut found = [0; 3];
        file.read_exact_at(&mut found, 5999).unwrap();
        assert_eq!(found, [0, 7, 7]);
        assert_eq!(mapping.read(&mut found, 20_000), Ok(0));
        mapping.advise(Advice::LinuxDontNeed).unwrap();
        assert_eq!(mapping.read(&mut found, 9998), Ok(2));
        assert_eq!(found, [7, 7, 7]);
        assert_eq!(mapping.advise(Advice::LinuxRemove), Err(Errno::INVAL));
    }

    #[test]
    fn a_page_that_is_gone_and_a_forbidden_store_are_errors() {
        let file = file(8192);
        let mut mapping = Mapping::new(&file, 8192, false).unwrap();
        assert_eq!(mapping.write(&[1], 0), Err(Errno::ACCESS));
        file.set_len(4096).unwrap();
        assert_eq!(mapping.read(&mut [0; 10], 4096), Err(Errno::IO));
        assert_eq!(mapping.read(&mut [0; 10], 0), Ok(10));
        assert!(Mapping::new(&file, 0, false).is_err());
    }
}
