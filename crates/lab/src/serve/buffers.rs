//! Memory for what is read, used again: fresh memory costs a page fault for every 4 KiB, which of a large answer take longer than
//! its copy.

use std::sync::{Mutex, PoisonError};

/// Buffers that are kept.
const MOST_KEPT: usize = 64;
/// Larger ones are given back.
const LARGEST_KEPT: usize = 1 << 20;

/// Those that nobody uses now.
#[derive(Debug, Default)]
pub(super) struct Buffers(Mutex<Vec<Vec<u8>>>);

impl Buffers {
    /// One of this length, with anything in it.
    pub(super) fn take(&self, length: u64) -> Vec<u8> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = kept.pop().unwrap_or_default();
        drop(kept);
        buffer.resize(usize::try_from(length).unwrap_or(0), 0);
        buffer
    }

    /// Takes one back.
    pub(super) fn put(&self, buffer: Vec<u8>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if (1..=LARGEST_KEPT).contains(&buffer.capacity()) && kept.len() < MOST_KEPT {
            kept.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_comes_again_at_the_length_that_is_asked_for() {
        let buffers = Buffers::default();
        let first = buffers.take(8192);
        let place = first.as_ptr();
        buffers.put(first);
        let again = buffers.take(4096);
        assert_eq!((again.len(), again.as_ptr()), (4096, place));
        buffers.put(Vec::with_capacity(LARGEST_KEPT + 1));
        assert_eq!(buffers.take(0).capacity(), 0, "none so large was kept");
    }
}
