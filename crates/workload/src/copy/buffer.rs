//! Buffers that start on a page boundary, as `O_DIRECT` wants them.

use std::ops::Range;

/// Alignment in bytes: the page size of x86-64, and at least the logical block of common devices.
pub(crate) const ALIGNMENT: usize = 4096;

/// A block of zeroed memory that starts at a multiple of [`ALIGNMENT`].
#[derive(Debug, Default)]
pub(crate) struct AlignedBuffer {
    memory: Vec<u8>,
    used: Range<usize>,
}

/// There is not so much memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutOfMemory;

impl AlignedBuffer {
    pub(crate) fn new(len: usize) -> Result<AlignedBuffer, OutOfMemory> {
        AlignedBuffer::aligned(len, ALIGNMENT)
    }

    /// One that starts at a multiple of `alignment`, a power of two.
    pub(crate) fn aligned(len: usize, alignment: usize) -> Result<AlignedBuffer, OutOfMemory> {
        let room = len.checked_add(alignment).ok_or(OutOfMemory)?;
        // Reserving touches no page but fails as an error; `vec!` below would end the process.
        let mut trial = Vec::<u8>::new();
        trial.try_reserve_exact(room).map_err(|_| OutOfMemory)?;
        drop(std::hint::black_box(trial));
        let memory = vec![0; room];
        let start = memory.as_ptr().align_offset(alignment);
        Ok(AlignedBuffer {
            memory,
            used: start..start + len,
        })
    }

    pub(crate) fn get(&self) -> &[u8] {
        &self.memory[self.used.clone()]
    }

    pub(crate) fn get_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.used.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_on_a_page_and_has_its_length() {
        for len in [1, 512, 4096, 1 << 20] {
            let mut buffer = AlignedBuffer::new(len).unwrap();
            assert_eq!(buffer.get().as_ptr() as usize % ALIGNMENT, 0);
            assert_eq!(buffer.get_mut().len(), len);
        }
    }

    #[test]
    fn too_much_is_an_error() {
        assert_eq!(
            AlignedBuffer::new(isize::MAX as usize - ALIGNMENT).err(),
            Some(OutOfMemory)
        );
        assert_eq!(AlignedBuffer::new(usize::MAX).err(), Some(OutOfMemory));
    }
}
