//! What mincore(2) says of a file.
//!
//! This file lifts the ban on unsafe code for a system call that no safe wrapper offers, over a mapping that is made, asked
//! and dropped here. It gets a pointer to memory of the right size that lives across the call, and nothing of the mapping is
//! ever read or handed out.
#![expect(
    unsafe_code,
    reason = "mincore has no safe wrapper; see the paragraph above"
)]

use std::io;
use std::os::fd::RawFd;

use etalon_units::Bytes;

/// Bytes of a file that one mapping covers at a time, so that a huge file needs no huge vector.
const WINDOW: u64 = 1 << 30;

/// Bytes of the first `length` of a file that are in memory, by what mincore(2) says of each page.
pub(crate) fn mincore(fd: RawFd, length: u64) -> io::Result<Bytes> {
    let page = rustix::param::page_size();
    let mut pages = 0_u64;
    let mut offset = 0;
    while offset < length {
        let span = (length - offset).min(WINDOW);
        pages += resident_pages(fd, offset, span as usize, page)?;
        offset += span;
    }
    Ok(Bytes(pages.saturating_mul(page as u64)))
}

fn resident_pages(fd: RawFd, offset: u64, span: usize, page: usize) -> io::Result<u64> {
    let mut resident = vec![0_u8; span.div_ceil(page)];
    // SAFETY: a fresh mapping at an address of the kernel's choice overlaps nothing of ours; it is
    // never dereferenced, so a file that shrinks meanwhile cannot fault us.
    let address = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            span,
            libc::PROT_NONE,
            libc::MAP_SHARED,
            fd,
            offset as libc::off_t,
        )
    };
    if address == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the mapping is `span` bytes long and the vector has one byte for each of its pages.
    let asked = unsafe { libc::mincore(address, span, resident.as_mut_ptr()) };
    let answer = match asked {
        // The lowest bit alone is defined, see mincore(2).
        0 => Ok(resident.iter().filter(|byte| **byte & 1 == 1).count() as u64),
        _ => Err(io::Error::last_os_error()),
    };
    // SAFETY: exactly the mapping made above, which nothing else refers to.
    unsafe { libc::munmap(address, span) };
    answer
}
