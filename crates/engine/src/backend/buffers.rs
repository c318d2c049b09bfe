//! Page-aligned memory for the requests of one job.

use std::ops::Range;

use rustix::io::Errno;

use super::pages::{ALIGN, Pages};

/// Equal slots of aligned memory in one allocation.
#[derive(Debug)]
pub struct Buffers {
    memory: Pages,
    slot: usize,
    stride: usize,
}

impl Buffers {
    /// `count` slots of `slot` bytes.
    pub fn new(count: usize, slot: usize) -> Self {
        let stride = slot.next_multiple_of(ALIGN);
        Buffers {
            memory: Pages::plain(stride.saturating_mul(count)),
            slot,
            stride,
        }
    }

    /// The same in huge pages of `page` bytes.
    pub(crate) fn huge(count: usize, slot: usize, page: usize) -> Result<Self, Errno> {
        let stride = slot.next_multiple_of(ALIGN);
        Ok(Buffers {
            memory: Pages::huge(stride.saturating_mul(count), page)?,
            slot,
            stride,
        })
    }

    /// The same for requests that move no data: their memory is taken slot by slot as it is touched.
    pub(crate) fn lazy(count: usize, slot: usize) -> Result<Self, Errno> {
        let stride = slot.next_multiple_of(ALIGN);
        Ok(Buffers {
            memory: Pages::lazy(stride.saturating_mul(count))?,
            slot,
            stride,
        })
    }

    #[inline]
    fn range(&self, slot: usize) -> Range<usize> {
        let start = slot * self.stride;
        start..start + self.slot
    }

    /// The memory of a slot.
    #[inline]
    pub fn get(&mut self, slot: usize) -> &mut [u8] {
        let range = self.range(slot);
        &mut self.memory.bytes()[range]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_aligned_and_apart() {
        for mut buffers in [Buffers::new(3, 5_000), Buffers::lazy(3, 5_000).unwrap()] {
            let starts: Vec<usize> = (0..3)
                .map(|slot| {
                    let memory = buffers.get(slot);
                    assert_eq!(memory, [0; 5_000]);
                    memory.as_ptr() as usize
                })
                .collect();
            assert!(starts.iter().all(|start| start % ALIGN == 0));
            assert_eq!(starts[1] - starts[0], 8_192);
        }
    }
}
