//! Which generation each block of a file was last written with.

use std::sync::atomic::{AtomicU32, Ordering};

/// Blocks that are kept track of at most: 1 GiB of memory.
pub(crate) const MAX_BLOCKS: u64 = 1 << 28;

/// One counter per block of a used range. Jobs that share a file write different blocks, so that
/// relaxed counters suffice; the threads' end publishes them to the read-back.
#[derive(Debug)]
pub(crate) struct Ledger(Vec<AtomicU32>);

impl Ledger {
    /// Nothing written yet.
    pub(crate) fn new(blocks: u64) -> Self {
        Ledger((0..blocks).map(|_| AtomicU32::new(0)).collect())
    }

    /// How often `block` has been written.
    #[inline]
    pub(crate) fn writes(&self, block: u64) -> u32 {
        self.0
            .get(block as usize)
            .map_or(0, |count| count.load(Ordering::Relaxed))
    }

    /// Books a write of `block` that has ended.
    #[inline]
    pub(crate) fn wrote(&self, block: u64) {
        if let Some(count) = self.0.get(block as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The generation of a block that run number `epoch` of a file has written `writes` times; epoch 0
/// is the layout. Runs never repeat each other's generations, so that a write that was lost shows.
#[inline]
pub(crate) fn generation(epoch: u16, writes: u32) -> u32 {
    if writes == 0 {
        return 0;
    }
    (u32::from(epoch) << 16) | (writes & 0xFFFF)
}
