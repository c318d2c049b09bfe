//! Filling a filesystem of etalon's own and making it older than it is.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use etalon_model::LevelFact;
use rustix::fs::statvfs;

use super::FactorError;

const CHUNK: usize = 1 << 20;
/// Files of one round, and the most of each in blocks of 4 KiB.
const FILES: u64 = 64;
const MOST_BLOCKS: u64 = 64;
/// So that each machine ages alike.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Fills `point` to so many percent, after `rounds` of creating files and removing every second; what
/// came of it and how long it took.
pub(super) fn bring_about(
    point: &Path,
    percent: u8,
    rounds: u32,
) -> Result<Vec<LevelFact>, FactorError> {
    let begun = Instant::now();
    let mut numbers = SEED;
    for round in 0..rounds {
        age(point, round, &mut numbers).map_err(FactorError::io("age", point))?;
    }
    if percent > 0 {
        fill(point, percent, &mut numbers).map_err(FactorError::io("fill", point))?;
    }
    if rounds == 0 && percent == 0 {
        return Ok(Vec::new());
    }
    let used = used_percent(point).map_err(FactorError::io("ask for the space of", point))?;
    Ok(vec![
        LevelFact::figure("filled", used, 1, "%"),
        LevelFact::seconds("filled and aged in", begun.elapsed(), 1),
    ])
}

fn age(point: &Path, round: u32, numbers: &mut u64) -> std::io::Result<()> {
    let place = point.join("aged");
    fs::create_dir_all(&place)?;
    for number in 0..FILES {
        let blocks = 1 + next(numbers) % MOST_BLOCKS;
        let mut file = File::create(place.join(format!("{round}-{number}")))?;
        file.write_all(&noise(blocks as usize * 4096, numbers))?;
    }
    for (number, entry) in fs::read_dir(&place)?.flatten().enumerate() {
        if number % 2 == 0 {
            fs::remove_file(entry.path())?;
        }
    }
    // Blocks are given out when they are written back.
    rustix::fs::syncfs(File::open(point)?)?;
    Ok(())
}

fn fill(point: &Path, percent: u8, numbers: &mut u64) -> std::io::Result<()> {
    let mut file = File::create(point.join("fill"))?;
    let mut chunk = noise(CHUNK, numbers);
    let mut written = 0_u64;
    while used_percent(point)? < f64::from(percent) {
        // Another beginning in each piece, so that nothing below finds two alike.
        chunk[..8].copy_from_slice(&next(numbers).to_le_bytes());
        file.write_all(&chunk)?;
        written += 1;
        if written.is_multiple_of(16) {
            file.sync_data()?;
        }
    }
    file.sync_all()
}

fn used_percent(point: &Path) -> std::io::Result<f64> {
    let space = statvfs(point)?;
    let used = space.f_blocks.saturating_sub(space.f_bfree);
    Ok(100.0 * used as f64 / space.f_blocks.max(1) as f64)
}

fn noise(bytes: usize, numbers: &mut u64) -> Vec<u8> {
    let words = (0..bytes.div_ceil(8)).flat_map(|_| next(numbers).to_le_bytes());
    words.take(bytes).collect()
}

/// Xorshift64*, of Vigna (2016): enough for what must only not compress.
fn next(state: &mut u64) -> u64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d)
}
