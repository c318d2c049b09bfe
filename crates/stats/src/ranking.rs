//! Many arms: which are told apart, and whether one is best.
//!
//! The arm that looks best was chosen by the data, so comparing it with the others alone finds
//! losers among equals. Every pair is tested instead and Holm's correction taken over all of them;
//! an arm is best only if it is separated from every other one. Arms that are not separated share
//! a letter, and the arms that share one with the leader are the best group.

use crate::comparison::is_equivalent;
use crate::letters::{letters, spell};
use crate::ratio::{LogDifference, logs};
use crate::sample::mean;
use crate::{Design, Estimate, Level, Margin, RatioError, Sample, holm};

/// Which direction is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Rates.
    Higher,
    /// Times.
    Lower,
}

/// Why arms cannot be ranked.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum RankingError {
    /// Fewer than two arms.
    #[error("{arms} arm(s) given: a ranking needs at least 2")]
    TooFewArms {
        /// Number of arms.
        arms: usize,
    },
    /// Arms of a block design have different lengths.
    #[error("arm {arm} has {n} values where arm 0 has {expected}: every block needs every arm")]
    BlocksIncomplete {
        /// Index of the arm.
        arm: usize,
        /// Its values.
        n: usize,
        /// Values of the first arm.
        expected: usize,
    },
    /// An arm's values cannot be compared.
    #[error("arm {arm}: {source}")]
    Arm {
        /// Index of the arm.
        arm: usize,
        /// What is wrong with it.
        source: RatioError,
    },
}

/// The outcome of one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairTest {
    /// Index of the arm that ranks higher.
    pub leader: usize,
    /// Index of the other.
    pub other: usize,
    /// Two-sided p of the pair by itself.
    pub p: f64,
    /// The same adjusted for all pairs.
    pub adjusted_p: f64,
    log: LogDifference,
}

impl PairTest {
    /// Ratio of the leader to the other, with an unadjusted interval at `level`.
    pub fn ratio(&self, level: Level) -> Estimate {
        self.log.estimate(level)
    }

    /// Whether the two differ by less than `margin`, as [`crate::compare`] tests it; not adjusted for other pairs.
    pub fn is_equivalent(&self, margin: Margin) -> bool {
        is_equivalent(&self.log, margin)
    }
}

/// All arms in order, with what separates them.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Indices of the arms, the best-looking first.
    pub order: Vec<usize>,
    /// Mean rank over the blocks per arm, 1 for the best; `None` for independent runs.
    pub mean_ranks: Option<Vec<f64>>,
    /// Every pair, by the leader's place and then the other's.
    pub pairs: Vec<PairTest>,
    /// Letters per arm; arms without a common letter are separated.
    pub letters: Vec<String>,
    /// The arm that beats all others, if there is one.
    pub best: Option<usize>,
    /// The leader and all arms not separated from it, in order.
    pub best_group: Vec<usize>,
    /// Family-wise level of all statements together.
    pub level: Level,
}

impl Ranking {
    /// The same arms where more pairs than theirs are tested at once: `adjusted` is the p of each of [`Ranking::pairs`], in
    /// their order, adjusted for all of these tests.
    pub fn among(&self, adjusted: impl IntoIterator<Item = f64>) -> Ranking {
        let mut pairs = self.pairs.clone();
        for (pair, adjusted_p) in pairs.iter_mut().zip(adjusted) {
            pair.adjusted_p = adjusted_p;
        }
        conclude(
            self.order.clone(),
            pairs,
            self.mean_ranks.clone(),
            self.level,
        )
    }

    /// The test of two arms, whichever of them leads.
    pub fn pair(&self, a: usize, b: usize) -> Option<&PairTest> {
        let is_meant = |pair: &&PairTest| [(a, b), (b, a)].contains(&(pair.leader, pair.other));
        self.pairs.iter().find(is_meant)
    }

    /// Whether a pair is told apart.
    pub fn separates(&self, pair: &PairTest) -> bool {
        pair.adjusted_p < self.level.alpha()
    }

    /// The least adjusted p of all pairs.
    pub fn least_p(&self) -> f64 {
        let p = self.pairs.iter().map(|pair| pair.adjusted_p);
        p.fold(1.0, f64::min)
    }
}

/// Ranks `arms` at the family-wise `level`.
///
/// # Errors
/// When there are fewer than two arms, an arm has fewer than two values or one that is not
/// positive, or the blocks are incomplete.
pub fn rank(
    arms: &[Sample],
    design: Design,
    better: Better,
    level: Level,
) -> Result<Ranking, RankingError> {
    let logs = checked_logs(arms, design)?;
    let means: Vec<f64> = logs.iter().map(|logs| mean(logs)).collect();
    let mut order: Vec<usize> = (0..arms.len()).collect();
    order.sort_by(|&a, &b| {
        let ascending = means[a].total_cmp(&means[b]);
        match better {
            Better::Higher => ascending.reverse(),
            Better::Lower => ascending,
        }
    });
    let pairs = test_pairs(&order, |a, b| LogDifference::by(design, &logs[a], &logs[b]));
    let mean_ranks = (design == Design::Blocks).then(|| mean_ranks(&logs, better));
    Ok(conclude(order, pairs, mean_ranks, level))
}

fn checked_logs(arms: &[Sample], design: Design) -> Result<Vec<Vec<f64>>, RankingError> {
    if arms.len() < 2 {
        return Err(RankingError::TooFewArms { arms: arms.len() });
    }
    let expected = arms[0].n();
    arms.iter()
        .enumerate()
        .map(|(arm, sample)| {
            if design == Design::Blocks && sample.n() != expected {
                let n = sample.n();
                return Err(RankingError::BlocksIncomplete { arm, n, expected });
            }
            logs(sample).map_err(|source| RankingError::Arm { arm, source })
        })
        .collect()
}

fn test_pairs(order: &[usize], test: impl Fn(usize, usize) -> LogDifference) -> Vec<PairTest> {
    let mut pairs = Vec::with_capacity(order.len() * (order.len() - 1) / 2);
    for (place, &leader) in order.iter().enumerate() {
        for &other in &order[place + 1..] {
            let log = test(leader, other);
            let p = log.p();
            pairs.push(PairTest {
                leader,
                other,
                p,
                adjusted_p: p,
                log,
            });
        }
    }
    let p: Vec<f64> = pairs.iter().map(|pair| pair.p).collect();
    for (pair, adjusted) in pairs.iter_mut().zip(holm(&p)) {
        pair.adjusted_p = adjusted;
    }
    pairs
}

fn conclude(
    order: Vec<usize>,
    pairs: Vec<PairTest>,
    mean_ranks: Option<Vec<f64>>,
    level: Level,
) -> Ranking {
    let mut place = vec![0; order.len()];
    for (position, &arm) in order.iter().enumerate() {
        place[arm] = position;
    }
    let is_separated = |pair: &PairTest| pair.adjusted_p < level.alpha();
    let separated: Vec<(usize, usize)> = pairs
        .iter()
        .filter(|pair| is_separated(pair))
        .map(|pair| (place[pair.leader], place[pair.other]))
        .collect();
    let by_place = letters(order.len(), &separated);
    let letters = place.iter().map(|&at| spell(&by_place[at])).collect();
    let top = order[0];
    let rivals = pairs
        .iter()
        .filter(|pair| pair.leader == top && !is_separated(pair))
        .map(|pair| pair.other);
    let best_group: Vec<usize> = std::iter::once(top).chain(rivals).collect();
    Ranking {
        best: (best_group.len() == 1).then_some(top),
        best_group,
        order,
        mean_ranks,
        pairs,
        letters,
        level,
    }
}

/// Mean over the blocks of each arm's rank within the block, equals sharing the middle rank.
fn mean_ranks(logs: &[Vec<f64>], better: Better) -> Vec<f64> {
    let blocks = logs[0].len();
    let rank_in = |arm: usize, block: usize| {
        let own = logs[arm][block];
        let (ahead, equal) = logs.iter().fold((0.0, 0.0), |(ahead, equal), other| {
            let value = other[block];
            let leads = match better {
                Better::Higher => value > own,
                Better::Lower => value < own,
            };
            if leads {
                (ahead + 1.0, equal)
            } else if value == own {
                (ahead, equal + 1.0)
            } else {
                (ahead, equal)
            }
        });
        ahead + (equal + 1.0) / 2.0
    };
    (0..logs.len())
        .map(|arm| (0..blocks).map(|b| rank_in(arm, b)).sum::<f64>() / blocks as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(centre: f64) -> Sample {
        let steps = [-0.02, 0.01, 0.0, 0.02, -0.01, 0.0];
        Sample::new(steps.map(|s| centre * (1.0 + s)).to_vec()).unwrap()
    }

    #[test]
    fn best_must_beat_everyone() {
        let arms = [arm(100.0), arm(150.0), arm(151.0)];
        let ranking = rank(&arms, Design::Independent, Better::Higher, Level::P95).unwrap();
        assert_eq!(ranking.order, [2, 1, 0]);
        assert_eq!(ranking.best, None);
        assert_eq!(ranking.best_group, [2, 1]);
        assert_eq!(ranking.letters, ["b", "a", "a"]);
        let lower = rank(&arms, Design::Independent, Better::Lower, Level::P95).unwrap();
        assert_eq!(lower.best, Some(0));
        assert_eq!(lower.letters, ["a", "b", "b"]);
        assert_eq!(lower.mean_ranks, None);
    }

    #[test]
    fn among_more_tests_a_pair_may_not_stand() {
        let arms = [arm(100.0), arm(103.0), arm(150.0)];
        let alone = rank(&arms, Design::Independent, Better::Higher, Level::P95).unwrap();
        assert_eq!(alone.letters, ["c", "b", "a"]);
        let close = alone.pair(0, 1).unwrap();
        assert_eq!((close.leader, close.other), (1, 0));
        assert!(alone.separates(close) && close.p <= close.adjusted_p);
        assert!(!close.is_equivalent(Margin::TWO_PERCENT));
        assert!(close.is_equivalent(Margin::new(0.1).unwrap()));
        let among = alone.among(alone.pairs.iter().map(|pair| pair.p * 100.0));
        assert_eq!(among.letters, ["b", "b", "a"]);
        assert_eq!((among.best, among.order), (Some(2), alone.order.clone()));
        let none = alone.among([1.0; 3]);
        let close = none.pair(0, 1).unwrap();
        assert!(none.least_p() == 1.0 && !none.separates(close));
        assert_eq!(none.best_group, [2, 1, 0]);
    }

    #[test]
    fn blocks_share_their_weather() {
        let weather = [1.0, 1.5, 0.7, 1.2, 0.9, 1.1];
        let wobble = [0.0, 0.001, -0.001, 0.0005, 0.0, -0.0005];
        let make = |gain: f64, shift: usize| {
            let values =
                (0..6).map(|i| 100.0 * gain * weather[i] * (1.0 + wobble[(i + shift) % 6]));
            Sample::new(values.collect()).unwrap()
        };
        let arms = [make(1.0, 0), make(1.05, 1)];
        let blocks = rank(&arms, Design::Blocks, Better::Higher, Level::P95).unwrap();
        assert_eq!(blocks.best, Some(1));
        assert_eq!(blocks.mean_ranks, Some(vec![2.0, 1.0]));
        let free = rank(&arms, Design::Independent, Better::Higher, Level::P95).unwrap();
        assert_eq!(free.best, None);
        let ratio = blocks.pairs[0].ratio(Level::P95);
        assert!(ratio.interval.unwrap().contains(1.05), "{ratio}");
    }

    #[test]
    fn bad_arms_are_named() {
        let one = rank(&[arm(1.0)], Design::Blocks, Better::Higher, Level::P95);
        assert_eq!(one, Err(RankingError::TooFewArms { arms: 1 }));
        let short = Sample::new(vec![1.0, 2.0]).unwrap();
        let uneven = rank(
            &[arm(1.0), short],
            Design::Blocks,
            Better::Higher,
            Level::P95,
        );
        let expected = RankingError::BlocksIncomplete {
            arm: 1,
            n: 2,
            expected: 6,
        };
        assert_eq!(uneven, Err(expected));
        let zero = Sample::new(vec![1.0, 0.0]).unwrap();
        let bad = rank(
            &[arm(1.0), zero],
            Design::Independent,
            Better::Lower,
            Level::P95,
        );
        assert!(
            bad.unwrap_err()
                .to_string()
                .starts_with("arm 1: value 0 at index 1")
        );
    }
}
