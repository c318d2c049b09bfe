//! Inputs made of others by small changes, as a fuzzer makes them, without watching what they reach.

use rand::RngExt as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Numbers at which arithmetic goes wrong, and marks that parsers look for.
const WORDS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "+1",
    "1024",
    "65536",
    "2147483648",
    "4294967296",
    "610666666666666",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
    "1e308",
    "0.000001",
    "nan",
    "inf",
    ",",
    "=",
    "-",
    "--",
    "%",
    ":",
    "k",
    "g",
    "EiB",
    "\n",
    "\0",
    "\u{1b}[31m",
    "\u{fffd}",
];

/// Longer inputs only cost time.
const LONGEST: usize = 1 << 17;

/// A new input from one of `seeds`, changed up to eight times.
pub fn input(random: &mut Xoshiro256PlusPlus, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = one_of(random, seeds).cloned().unwrap_or_default();
    for _ in 0..random.random_range(1..=8) {
        change(random, &mut bytes, seeds);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(random: &mut Xoshiro256PlusPlus, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let stretch = stretch(random, bytes.len());
    match random.random_range(0..8) {
        0 => flip(random, bytes),
        1 => drop(bytes.drain(stretch)),
        2 => {
            let copied = bytes[stretch.clone()].to_vec();
            drop(bytes.splice(stretch.end..stretch.end, copied));
        }
        3 => {
            let other = one_of(random, seeds).cloned().unwrap_or_default();
            let part = self::stretch(random, other.len());
            drop(bytes.splice(stretch, other[part].iter().copied()));
        }
        4 => bytes.truncate(stretch.end),
        5 => bytes.insert(stretch.start, random.random()),
        6 => put_word(random, bytes, stretch),
        _ => {
            let number = number_at(bytes, stretch.start);
            put_word(random, bytes, number);
        }
    }
}

fn flip(random: &mut Xoshiro256PlusPlus, bytes: &mut [u8]) {
    if !bytes.is_empty() {
        let at = random.random_range(0..bytes.len());
        bytes[at] ^= 1 << random.random_range(0..8);
    }
}

fn put_word(random: &mut Xoshiro256PlusPlus, bytes: &mut Vec<u8>, at: std::ops::Range<usize>) {
    let word = one_of(random, WORDS).copied().unwrap_or_default();
    drop(bytes.splice(at, word.bytes()));
}

/// The digits around or behind `from`; where there are none, its end.
fn number_at(bytes: &[u8], from: usize) -> std::ops::Range<usize> {
    let is_digit = |at: &usize| bytes[*at].is_ascii_digit();
    let first = (from..bytes.len()).find(is_digit).unwrap_or(bytes.len());
    let last = (first..bytes.len()).find(|at| !is_digit(at));
    first..last.unwrap_or(bytes.len())
}

/// A part of `length` bytes, mostly short.
fn stretch(random: &mut Xoshiro256PlusPlus, length: usize) -> std::ops::Range<usize> {
    let start = random.random_range(0..=length);
    let most = (length - start).min(1 << random.random_range(0..12));
    start..start + random.random_range(0..=most)
}

fn one_of<'a, T>(random: &mut Xoshiro256PlusPlus, items: &'a [T]) -> Option<&'a T> {
    items.get(random.random_range(0..items.len().max(1)))
}
