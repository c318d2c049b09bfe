//! Bytes that look like nothing, and are the same again wherever they are asked for.

/// Noise that depends on the place alone: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014) of the number of each word.
pub(crate) fn fill(data: &mut [u8], seed: u64, offset: u64) {
    let (words, rest) = data.as_chunks_mut::<8>();
    let first = offset / 8;
    for (word, at) in words.iter_mut().zip(first..) {
        *word = noise(seed, at);
    }
    let at = first + words.len() as u64;
    let length = rest.len();
    rest.copy_from_slice(&noise(seed, at)[..length]);
}

fn noise(seed: u64, at: u64) -> [u8; 8] {
    let mut mixed = seed.wrapping_add(at.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed ^ (mixed >> 31)).to_le_bytes()
}
