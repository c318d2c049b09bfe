//! Clones of a fio job (`numjobs`), which fio tells one by one unless `group_reporting` is given.

use std::collections::BTreeMap;

use crate::{Action, Figure};

/// A result, with the job of the run that it is of where that is known: what parts share it ran at the same time.
#[derive(Debug)]
pub(super) struct FioPart<K> {
    pub(super) job: Option<K>,
    pub(super) figure: Figure,
}

/// The figures of results: those of a job's clones added up as `--group_reporting` does, which is to count all of their
/// work over the time of the longest.
pub(super) fn joined<K: Ord>(parts: Vec<FioPart<K>>) -> Vec<Figure> {
    let mut places: BTreeMap<(K, Action, Option<u64>), usize> = BTreeMap::new();
    let mut all: Vec<Vec<Figure>> = Vec::new();
    for FioPart { job, figure } in parts {
        let next = all.len();
        let block = figure.block_bytes.map(f64::to_bits);
        let key = job.map(|job| (job, figure.action, block));
        let place = key.map(|key| *places.entry(key).or_insert(next));
        match place.and_then(|at| all.get_mut(at)) {
            Some(clones) => clones.push(figure),
            None => all.push(vec![figure]),
        }
    }
    all.iter().filter_map(|clones| sum(clones)).collect()
}

fn sum(clones: &[Figure]) -> Option<Figure> {
    let first = clones.first()?;
    if clones.len() == 1 {
        return Some(first.clone());
    }
    let last = clones.last().unwrap_or(first);
    let between = if clones.len() > 2 { "… + " } else { "" };
    Some(Figure {
        bytes_per_second: rate(clones, |one| one.bytes_per_second),
        operations_per_second: rate(clones, |one| one.operations_per_second),
        bytes: clones.iter().map(|one| one.bytes).sum(),
        seconds: longest(clones),
        quoted: format!("{} + {between}{}", first.quoted, last.quoted),
        ..first.clone()
    })
}

/// What all do a second, until the last has ended; the plain sum where the text does not tell how long each took.
fn rate(clones: &[Figure], of: fn(&Figure) -> Option<f64>) -> Option<f64> {
    let longest = longest(clones).filter(|seconds| *seconds > 0.0);
    let share = |one: &Figure| match (one.seconds, longest) {
        (Some(own), Some(longest)) => own / longest,
        _ => 1.0,
    };
    clones.iter().map(|one| Some(of(one)? * share(one))).sum()
}

/// Seconds of the one that took longest, where they are told of all.
fn longest(clones: &[Figure]) -> Option<f64> {
    let seconds: Option<Vec<f64>> = clones.iter().map(|one| one.seconds).collect();
    seconds?.into_iter().reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tool;

    fn part(job: Option<u32>, bytes: f64, seconds: Option<f64>) -> FioPart<u32> {
        let mut figure = Figure::new(Tool::Fio, 1, Action::Read, "a");
        figure.bytes = Some(bytes);
        figure.seconds = seconds;
        figure.bytes_per_second = Some(bytes / seconds.unwrap_or(1.0));
        FioPart { job, figure }
    }

    fn rates(parts: Vec<FioPart<u32>>) -> Vec<Option<f64>> {
        let found = joined(parts);
        found.iter().map(|one| one.bytes_per_second).collect()
    }

    #[test]
    fn what_one_did_counts_over_the_time_of_the_longest() {
        let clones = || {
            vec![
                part(Some(1), 100.0, Some(1.0)),
                part(Some(1), 100.0, Some(4.0)),
            ]
        };
        assert_eq!(rates(clones()), [Some(50.0)]);
        let found = joined(clones());
        assert_eq!((found[0].bytes, found[0].seconds), (Some(200.0), Some(4.0)));
        let untold = vec![part(Some(1), 100.0, None), part(Some(1), 50.0, Some(1.0))];
        assert_eq!(rates(untold), [Some(150.0)]);
    }

    #[test]
    fn other_jobs_other_blocks_and_jobs_that_are_not_known_stay_apart() {
        let parts = |jobs: [Option<u32>; 2]| jobs.map(|job| part(job, 100.0, None)).into();
        assert_eq!(rates(parts([Some(1), Some(2)])).len(), 2);
        assert_eq!(rates(parts([None, None])).len(), 2);
        let mut blocks: Vec<FioPart<u32>> = parts([Some(1), Some(1)]);
        blocks[1].figure.block_bytes = Some(4096.0);
        assert_eq!(rates(blocks).len(), 2);
    }
}
