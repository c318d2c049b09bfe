//! The memory of the slots: a raw allocation, because the kernel works on it while Rust must not.
#![expect(
    unsafe_code,
    reason = "no reference may exist to memory that the kernel is writing"
)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

use rustix::io::Errno;

use super::RingOptions;
use crate::backend::buffers::ALIGN;

/// One block per slot.
pub(super) struct Memory {
    start: NonNull<u8>,
    layout: Layout,
    /// Not to be freed: the kernel may still write to it.
    pub(super) leaked: bool,
}

impl Memory {
    /// Room for `depth` blocks, each on its own pages.
    pub(super) fn new(options: RingOptions) -> Result<Self, Errno> {
        let bytes = options.block.next_multiple_of(ALIGN) * options.depth;
        let layout = Layout::from_size_align(bytes.max(ALIGN), ALIGN).map_err(|_| Errno::NOMEM)?;
        // SAFETY: the size is at least one page, so not zero.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else {
            handle_alloc_error(layout)
        };
        Ok(Memory {
            start,
            layout,
            leaked: false,
        })
    }

    /// Where a slot begins.
    #[inline]
    pub(super) fn slot(&self, slot: usize, block: usize) -> *mut u8 {
        let offset = slot * block.next_multiple_of(ALIGN);
        debug_assert!(offset + block <= self.layout.size());
        self.start.as_ptr().wrapping_add(offset)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if !self.leaked {
            // SAFETY: allocated in `new` with this layout, and freed nowhere else.
            unsafe { dealloc(self.start.as_ptr(), self.layout) }
        }
    }
}
