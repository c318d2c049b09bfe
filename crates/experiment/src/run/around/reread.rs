//! The same blocks read twice: a cache below this machine answers the second time sooner.

use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use etalon_engine::Control;
use etalon_model::RereadProbe;
use etalon_stats::{Level, Sample};
use etalon_units::{Bytes, Nanos};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Blocks read, where time allows.
const BLOCKS: u64 = 2000;
/// Fewest blocks that say anything.
const FEWEST: usize = 100;
const BLOCK: usize = 4096;

/// Reads up to 2000 random blocks of a file or device with `O_DIRECT`, one at a time, for at most
/// half of `time`, then the same blocks again; `None` where that cannot be done, such as without
/// `O_DIRECT`, or where too few fitted.
pub(crate) fn reread(
    path: &Path,
    time: Duration,
    seed: u64,
    control: &Control,
) -> Option<RereadProbe> {
    let flags = rustix::fs::OFlags::DIRECT.bits() as i32;
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)
        .ok()?;
    let whole = file.seek(SeekFrom::End(0)).ok()? / BLOCK as u64;
    let offsets = offsets(whole, seed);
    let mut buffer = vec![0; 2 * BLOCK];
    let start = buffer.as_ptr().align_offset(BLOCK);
    let buffer = buffer.get_mut(start..start + BLOCK)?;
    let deadline = Instant::now() + time / 2;
    let first = pass(&file, buffer, &offsets, control, Some(deadline))?;
    let second = pass(&file, buffer, &offsets[..first.len()], control, None)?;
    compare(&first, &second)
}

/// Distinct blocks, spread over the whole in random order.
fn offsets(whole: u64, seed: u64) -> Vec<u64> {
    let wanted = BLOCKS.min(whole);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut offsets: Vec<u64> = (0..wanted)
        .map(|index| (u128::from(whole) * u128::from(index) / u128::from(wanted)) as u64)
        .map(|block| block * BLOCK as u64)
        .collect();
    offsets.shuffle(&mut random);
    offsets
}

fn pass(
    file: &File,
    buffer: &mut [u8],
    offsets: &[u64],
    control: &Control,
    deadline: Option<Instant>,
) -> Option<Vec<f64>> {
    let mut times = Vec::with_capacity(offsets.len());
    for offset in offsets {
        if control.stopped() || deadline.is_some_and(|deadline| Instant::now() > deadline) {
            break;
        }
        let begun = Instant::now();
        file.read_exact_at(buffer, *offset).ok()?;
        times.push(begun.elapsed().as_nanos().max(1) as f64);
    }
    (times.len() >= FEWEST && !control.stopped()).then_some(times)
}

/// The median of the blocks' ratios with its order-statistic interval: pairs of the same block, so
/// that near and far ones do not blur it.
fn compare(first: &[f64], second: &[f64]) -> Option<RereadProbe> {
    let ratios = first.iter().zip(second).map(|(a, b)| a / b).collect();
    let ratio = Sample::new(ratios).ok()?.median_interval(Level::REPORTED);
    let interval = ratio.interval?;
    let median = |times: &[f64]| {
        let sample = Sample::new(times.to_vec()).ok()?;
        Some(Nanos(sample.median_interval(Level::REPORTED).value as u64))
    };
    Some(RereadProbe {
        blocks: second.len() as u64,
        block_size: Bytes(BLOCK as u64),
        first: median(first)?,
        second: median(second)?,
        ratio: ratio.value,
        low: interval.low,
        high: interval.high,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_as_fast_the_second_time_is_a_ratio_of_two() {
        let second: Vec<f64> = (0..200)
            .map(|i| 50_000.0 + f64::from(i % 7) * 100.0)
            .collect();
        let first: Vec<f64> = second.iter().map(|t| t * 2.0).collect();
        let probe = compare(&first, &second).unwrap();
        assert!((probe.ratio - 2.0).abs() < 1e-9 && probe.low > 1.9 && probe.high < 2.1);
        let same = compare(&second, &second).unwrap();
        assert_eq!((same.ratio, same.blocks), (1.0, 200));
    }

    #[test]
    fn offsets_are_distinct_and_within() {
        let found = offsets(5000, 7);
        let distinct: std::collections::BTreeSet<_> = found.iter().collect();
        assert_eq!((found.len(), distinct.len()), (2000, 2000));
        assert!(found.iter().all(|o| *o < 5000 * 4096));
        assert_eq!(offsets(0, 7), Vec::<u64>::new());
    }
}
