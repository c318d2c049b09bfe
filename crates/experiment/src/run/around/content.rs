//! A look at data that this tool did not write.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use etalon_model::{ContentSample, Workload};
use etalon_units::Bytes;
use rustix::fs::Advice;

/// Blocks looked at, evenly spread.
const BLOCKS: u64 = 256;
const BLOCK: usize = 4096;

/// A sample of the content of a file or a device, of the part that is used.
pub(super) fn sample(path: &Path, used: Used) -> io::Result<ContentSample> {
    let mut file = File::open(path)?;
    let part = used.within(file.seek(SeekFrom::End(0))?);
    // Without readahead the sample leaves next to nothing in the page cache.
    let _ = rustix::fs::fadvise(&file, 0, None, Advice::Random);
    let whole = (part.end - part.start) / BLOCK as u64;
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    for index in 0..BLOCKS.min(whole) {
        let number = whole * index / BLOCKS.min(whole);
        let mut block = vec![0; BLOCK];
        file.read_exact_at(&mut block, part.start + number * BLOCK as u64)?;
        blocks.push(block);
    }
    judge(&blocks)
}

/// Which part of each file or device a run works on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Used {
    offset: u64,
    /// Zero reaches to the end.
    length: u64,
}

impl Used {
    /// The part that `workload` works on; all, where it is no I/O on ranges.
    pub(crate) fn by(workload: &Workload) -> Used {
        workload.io().map_or(Used::default(), |io| {
            let length = if io.range > Bytes::ZERO {
                io.range
            } else {
                io.file_size
            };
            Used {
                offset: io.offset.get(),
                length: length.get(),
            }
        })
    }

    /// Of what is `size` long.
    pub(crate) fn within(self, size: u64) -> Range<u64> {
        let start = self.offset.min(size);
        let end = match self.length {
            0 => size,
            length => start.saturating_add(length).min(size),
        };
        start..end
    }
}

fn judge(blocks: &[Vec<u8>]) -> io::Result<ContentSample> {
    let is_uniform = |block: &&Vec<u8>| block.iter().all(|byte| Some(byte) == block.first());
    let uniform = blocks.iter().filter(is_uniform).count();
    let distinct: BTreeSet<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
    let mut compressed = 0;
    for block in blocks {
        compressed += zstd::bulk::compress(block, 1)?.len().min(BLOCK);
    }
    Ok(ContentSample {
        blocks: blocks.len() as u64,
        uniform: uniform as u64,
        repeated: (blocks.len() - distinct.len()) as u64,
        compressed_share: compressed as f64 / (blocks.len() * BLOCK).max(1) as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng as _, SeedableRng as _};

    #[test]
    fn what_lies_beyond_the_used_part_is_not_looked_at() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut noise = vec![0; 64 * BLOCK];
        rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(2).fill_bytes(&mut noise);
        std::fs::write(file.path(), [noise, vec![0; 64 * BLOCK]].concat()).unwrap();
        let of = |offset, length| sample(file.path(), Used { offset, length }).unwrap();
        let half = 64 * BLOCK as u64;
        assert_eq!(of(0, 0).uniform, 64);
        assert_eq!((of(0, half).uniform, of(0, half).blocks), (0, 64));
        assert_eq!(of(half, half).uniform, 64);
    }

    #[test]
    fn zeros_text_and_noise_are_told_apart() {
        let zeros = judge(&vec![vec![0; BLOCK]; 8]).unwrap();
        assert_eq!((zeros.uniform, zeros.repeated), (8, 7));
        let text = judge(&[b"the same words again ".repeat(200)[..BLOCK].to_vec()]).unwrap();
        assert!(text.uniform == 0 && text.compressed_share < 0.1);
        let mut noise = vec![vec![0; BLOCK]; 8];
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        noise.iter_mut().for_each(|block| random.fill_bytes(block));
        let noise = judge(&noise).unwrap();
        assert_eq!(
            (noise.uniform, noise.repeated, noise.compressed_share),
            (0, 0, 1.0)
        );
    }
}
