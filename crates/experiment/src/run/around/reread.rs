//! The same blocks read twice: a cache below this machine answers the second time sooner.

use std::fs::OpenOptions;
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
/// half of `time`, then the same blocks again, for as long at most: a limit that lets a burst pass answers the
/// second time later. `None` where that cannot be done, such as without `O_DIRECT`, or where too few fitted.
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
    let mut read = |offset| {
        let begun = Instant::now();
        file.read_exact_at(buffer, offset).ok()?;
        Some(Nanos::from(begun.elapsed()))
    };
    let (first, second) = twice(&offsets, time.into(), control, &mut read)?;
    compare(&first, &second)
}

/// The times of the blocks that were read twice within `time`, half of it each time.
fn twice(
    offsets: &[u64],
    time: Nanos,
    control: &Control,
    read: &mut dyn FnMut(u64) -> Option<Nanos>,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let half = Nanos(time.get() / 2);
    let mut first = pass(offsets, half, control, read)?;
    let second = pass(&offsets[..first.len()], half, control, read)?;
    first.truncate(second.len());
    Some((first, second))
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
    offsets: &[u64],
    most: Nanos,
    control: &Control,
    read: &mut dyn FnMut(u64) -> Option<Nanos>,
) -> Option<Vec<f64>> {
    let (mut times, mut spent) = (Vec::with_capacity(offsets.len()), 0);
    for offset in offsets {
        if control.stopped() || spent > most.get() {
            break;
        }
        let took = read(*offset)?.get().max(1);
        spent += took;
        times.push(took as f64);
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
        Some(Nanos(sample.median() as u64))
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

    /// A hundred operations a second, as the kernel's blkio.throttle counts them: what was not used before passes at once.
    #[test]
    fn a_burst_that_a_limit_lets_pass_is_not_waited_for_the_second_time() {
        let control = Control::default();
        let offsets = offsets(2000, 7);
        let try_with = |burst: u32, slow: Nanos| {
            let (mut reads, mut spent) = (0, Nanos::ZERO);
            let mut read = |_| {
                reads += 1;
                let took = if reads <= burst {
                    Nanos::micros(200)
                } else {
                    slow
                };
                spent = Nanos(spent.get() + took.get());
                Some(took)
            };
            let found = twice(&offsets, Nanos::millis(800), &control, &mut read);
            (
                found.map(|(first, second)| (first.len(), second.len())),
                spent,
            )
        };
        let (found, spent) = try_with(1300, Nanos::millis(10));
        assert_eq!(found, None);
        assert!(spent < Nanos::millis(850), "{spent}");
        // What is slower by half the second time is compared as far as it came.
        let (found, _) = try_with(1500, Nanos::micros(400));
        let (first, second) = found.unwrap();
        assert!(first == second && first > 900 && first < 1500, "{first}");
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
