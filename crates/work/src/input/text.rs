//! Text with the statistics that compressors live on: a vocabulary used by Zipf's law, lines,
//! indentation, and phrases that come again.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Words of the vocabulary.
const WORDS: usize = 6000;

/// Entries of the table from which words are drawn with the frequencies of Zipf's law.
const TABLE: usize = 1 << 16;

/// A vocabulary.
pub(crate) struct TextSource {
    words: Vec<Vec<u8>>,
    /// Each rank as often as its frequency, 1/rank, asks for.
    table: Vec<u16>,
}

impl TextSource {
    /// The vocabulary of a seed.
    pub(crate) fn new(seed: u64) -> TextSource {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x7465_7874);
        let words = (0..WORDS).map(|rank| word(rank, &mut random)).collect();
        let whole: f64 = (1..=WORDS).map(|rank| 1.0 / rank as f64).sum();
        let mut table = Vec::with_capacity(TABLE);
        let mut cumulated = 0.0;
        for rank in 0..WORDS {
            cumulated += 1.0 / ((rank + 1) as f64 * whole);
            let up_to = ((cumulated * TABLE as f64) as usize).min(TABLE);
            table.resize(up_to.max(table.len()), rank as u16);
        }
        table.resize(TABLE, (WORDS - 1) as u16);
        TextSource { words, table }
    }

    /// Appends some lines.
    pub(crate) fn lines(&self, random: &mut Xoshiro256PlusPlus, into: &mut Vec<u8>) {
        let mut line_start = into.len();
        let mut bits: u64 = random.random();
        let indent = (bits & 3) as usize * 4;
        into.extend(std::iter::repeat_n(b' ', indent));
        for _ in 0..16 {
            bits = random.random();
            for _ in 0..4 {
                let word = &self.words[usize::from(self.table[(bits & 0xffff) as usize])];
                into.extend_from_slice(word);
                bits >>= 16;
                if into.len() - line_start > 68 {
                    into.push(b'\n');
                    line_start = into.len();
                    into.extend(std::iter::repeat_n(b' ', indent));
                } else {
                    into.push(b' ');
                }
            }
        }
        into.extend_from_slice(b";\n");
    }
}

/// A word of syllables: short for the frequent, longer for the rare.
fn word(rank: usize, random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    const ONSETS: [&str; 16] = [
        "b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "pl",
    ];
    const RIMES: [&str; 12] = [
        "a", "e", "i", "o", "u", "an", "en", "or", "is", "et", "al", "um",
    ];
    let syllables = match rank {
        0..50 => 1,
        50..800 => 2,
        _ => 3,
    };
    let mut word = Vec::new();
    for _ in 0..syllables {
        word.extend_from_slice(ONSETS[random.random_range(0..ONSETS.len())].as_bytes());
        word.extend_from_slice(RIMES[random.random_range(0..RIMES.len())].as_bytes());
    }
    word
}
