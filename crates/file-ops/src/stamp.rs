//! What every page of a file bears, so that no two of them are equal.

/// The unit that bears a stamp: no layer below looks for equal data in smaller pieces.
pub(crate) const PAGE: usize = 4096;

/// What the stamp of a page begins with, so that a file of ours can be told from another.
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"etaloniz");

/// Length of a stamp.
const STAMP: usize = 24;

/// Writes magic, place and pass at the head of every page.
#[inline]
pub(crate) fn stamp(buffer: &mut [u8], offset: u64, pass: u64) {
    for (index, page) in buffer.chunks_mut(PAGE).enumerate() {
        let Some(head) = page.first_chunk_mut::<STAMP>() else {
            return;
        };
        let place = offset + (index * PAGE) as u64;
        head[..8].copy_from_slice(&MAGIC.to_le_bytes());
        head[8..16].copy_from_slice(&place.to_le_bytes());
        head[16..].copy_from_slice(&pass.to_le_bytes());
    }
}
