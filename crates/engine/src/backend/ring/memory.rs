//! The memory of the slots, on which the kernel works while Rust must not.

use rustix::io::Errno;

use super::RingOptions;
use crate::backend::pages::ALIGN;
use crate::backend::pages::Pages;

/// One block per slot.
pub(super) struct Memory {
    start: *mut u8,
    length: usize,
    pages: Option<Pages>,
    /// Not to be freed: the kernel may still write to it.
    pub(super) leaked: bool,
}

impl Memory {
    /// Room for `depth` blocks, each on its own pages.
    pub(super) fn new(options: RingOptions) -> Result<Self, Errno> {
        let bytes = options.block.next_multiple_of(ALIGN) * options.depth;
        let pages = match options.huge_page {
            Some(page) => Pages::huge(bytes, page)?,
            None => Pages::plain(bytes),
        };
        Ok(Memory {
            start: pages.start(),
            length: pages.length(),
            pages: Some(pages),
            leaked: false,
        })
    }

    /// Where a slot begins.
    #[inline]
    pub(super) fn slot(&self, slot: usize, block: usize) -> *mut u8 {
        let offset = slot * block.next_multiple_of(ALIGN);
        debug_assert!(offset + block <= self.length);
        self.start.wrapping_add(offset)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.leaked {
            std::mem::forget(self.pages.take());
        }
    }
}
