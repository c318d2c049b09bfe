//! The memory of requests: plain pages, huge ones, or such as take memory when they are touched.
//!
//! Soundness. A block of memory is owned by one value, lives until that value is dropped, is never
//! moved or resized, and holds zeros from the start, so that all of it may be read as bytes. Plain
//! memory comes from the allocator and goes back to it with the same layout; huge pages and lazy
//! ones are an anonymous private mapping of exactly the length that is unmapped.
#![expect(
    unsafe_code,
    reason = "pages come from mmap(2), and the ring hands memory to the kernel"
)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

/// `O_DIRECT` needs the device's memory alignment, which no Linux device puts above a page.
pub(crate) const ALIGN: usize = 4096;

/// Zeroed memory that begins on a page's boundary.
#[derive(Debug)]
pub(super) struct Pages {
    start: NonNull<u8>,
    length: usize,
    source: PageSource,
}

#[derive(Debug, Clone, Copy)]
enum PageSource {
    Allocator(Layout),
    Mapping,
}

// SAFETY: the memory belongs to this value alone and is not tied to a thread.
unsafe impl Send for Pages {}

impl Pages {
    /// At least `bytes` of plain memory; where there is none, the process ends as for any
    /// allocation.
    pub(super) fn plain(bytes: usize) -> Pages {
        let length = bytes.max(ALIGN);
        let Ok(layout) = Layout::from_size_align(length, ALIGN) else {
            handle_alloc_error(Layout::new::<u8>())
        };
        // SAFETY: the size is at least one page, so not zero.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else {
            handle_alloc_error(layout)
        };
        Pages {
            start,
            length,
            source: PageSource::Allocator(layout),
        }
    }

    /// At least `bytes` in huge pages of the machine's usual size (mmap(2), `MAP_HUGETLB`).
    ///
    /// # Errors
    /// [`Errno::NOMEM`] where the kernel has too few of them.
    pub(super) fn huge(bytes: usize, page: usize) -> Result<Pages, Errno> {
        let length = bytes.max(1).next_multiple_of(page.max(ALIGN));
        Pages::mapped(length, MapFlags::HUGETLB)
    }

    /// At least `bytes` of plain memory that takes none until it is touched: for what hardly ever
    /// is. Under a real request the kernel would first have to find and clear each page.
    ///
    /// # Errors
    /// [`Errno::NOMEM`] where the process may have no more addresses.
    pub(super) fn lazy(bytes: usize) -> Result<Pages, Errno> {
        Pages::mapped(bytes.max(ALIGN), MapFlags::NORESERVE)
    }

    fn mapped(length: usize, kind: MapFlags) -> Result<Pages, Errno> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let kind = MapFlags::PRIVATE | kind;
        // SAFETY: the kernel chooses the place, so that nothing else is there.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), length, access, kind)? };
        let start = NonNull::new(start.cast()).ok_or(Errno::NOMEM)?;
        Ok(Pages {
            start,
            length,
            source: PageSource::Mapping,
        })
    }

    /// Where it begins.
    #[inline]
    pub(super) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Its size in bytes.
    #[inline]
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// All of it.
    #[inline]
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: owned, initialised and as long as said; the borrow keeps every other one away.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        match self.source {
            // SAFETY: allocated in `plain` with this layout, and freed nowhere else.
            PageSource::Allocator(layout) => unsafe { dealloc(self.start.as_ptr(), layout) },
            PageSource::Mapping => {
                // SAFETY: mapped in `mapped` with this length; nothing refers to it any more.
                let _ = unsafe { munmap(self.start.as_ptr().cast(), self.length) };
            }
        }
    }
}
