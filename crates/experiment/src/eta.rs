//! When a session will end, from the blocks that it has measured.

use etalon_units::Nanos;

/// Blocks that tell how long the next ones take: runs get shorter on the way.
const RECENT: usize = 3;

/// The blocks of a session, timed since it began.
#[derive(Debug, Clone, Default)]
pub struct Eta {
    /// How long each block took that has ended.
    took: Vec<Nanos>,
    /// Number of the block under way, from 1, and when it began.
    under_way: Option<(u32, Nanos)>,
    /// How many blocks were asked for, where a number was.
    pub planned: Option<u32>,
    /// When the budget is spent, on the clock of the blocks, where there is one.
    pub deadline: Option<Nanos>,
}

impl Eta {
    /// Of a session whose budget is spent then.
    pub fn until(deadline: Nanos) -> Eta {
        Eta {
            deadline: Some(deadline),
            ..Eta::default()
        }
    }

    /// Block `number` begins `now`, and the one before has ended.
    pub fn begin(&mut self, number: u32, now: Nanos) {
        if let Some((_, began)) = self.under_way {
            self.took.push(now.saturating_sub(began));
        }
        self.under_way = Some((number, now));
    }

    /// So much of the block under way comes but once, as the files that its first run lays out do.
    pub fn leave_out(&mut self, once: Nanos) {
        if let Some((_, began)) = &mut self.under_way {
            *began = Nanos(began.get().saturating_add(once.get()));
        }
    }

    /// Number of the block under way and, where it can be told, of the last one.
    pub fn block(&self) -> Option<(u32, Option<u32>)> {
        let (number, began) = self.under_way?;
        let fitting = || {
            let left = self.deadline?.saturating_sub(began);
            let blocks = left.get().checked_div(self.block_takes()?.get())?;
            Some(number + u32::try_from(blocks).ok()?.max(1) - 1)
        };
        Some((number, self.planned.or_else(fitting)))
    }

    /// Time until the end: that of the blocks that were asked for, but no more than the budget has. A session with a budget
    /// alone makes its blocks as long as to fill it. None before the first block has ended, where there is no budget.
    pub fn left(&self, now: Nanos) -> Option<Nanos> {
        let budget = self.deadline.map(|deadline| deadline.saturating_sub(now));
        let blocks = self.planned.and_then(|last| self.left_of_blocks(last, now));
        blocks.into_iter().chain(budget).min()
    }

    fn left_of_blocks(&self, last: u32, now: Nanos) -> Option<Nanos> {
        let (number, began) = self.under_way?;
        let blocks = (last + 1).saturating_sub(number);
        let all = self.block_takes()?.get().saturating_mul(u64::from(blocks));
        Some(Nanos(all).saturating_sub(now.saturating_sub(began)))
    }

    /// What a block takes by the last ones.
    fn block_takes(&self) -> Option<Nanos> {
        let recent = self.took.iter().rev().take(RECENT);
        let sum: u64 = recent.clone().map(|took| took.get()).sum();
        sum.checked_div(recent.count() as u64).map(Nanos)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The errors of the estimate at 25, 50 and 75 % of a session whose blocks began then, as shares of `whole`.
    pub(crate) fn errors(begins: &[f64], end: f64, eta: &Eta, whole: f64) -> Vec<f64> {
        let look = |percent: f64| {
            let (mut eta, now) = (eta.clone(), end * percent);
            let begun = begins.iter().filter(|began| **began <= now);
            for (number, began) in (1..).zip(begun) {
                eta.begin(number, Nanos::from_secs_f64(*began));
            }
            let left = eta.left(Nanos::from_secs_f64(now));
            let left = left.map_or(0.0, |left| left.as_secs_f64());
            (left - (end - now)).abs() / whole
        };
        [0.25, 0.5, 0.75].map(look).to_vec()
    }

    fn errors_of(lengths: &[u64], eta: &Eta) -> Vec<f64> {
        let begins: Vec<f64> = lengths
            .iter()
            .scan(0, |at, length| {
                *at += length;
                Some((*at - length) as f64 / 1e3)
            })
            .collect();
        let end = lengths.iter().sum::<u64>() as f64 / 1e3;
        errors(&begins, end, eta, end)
    }

    /// Lengths around `mean` that differ by up to a fifth, each a hundredth shorter than the last.
    fn lengths(session: u64, mean: u64) -> impl Iterator<Item = u64> {
        let mut state = session.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (0..).map(move |block| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let shrunk = mean * 100 / (100 + block);
            shrunk * (80 + state % 41) / 100
        })
    }

    #[test]
    fn nine_of_ten_estimates_err_by_less_than_a_tenth_of_the_session() {
        let mut all = Vec::new();
        for session in 1..=100 {
            let planned = 6 + (session % 10) as usize;
            let asked: Vec<u64> = lengths(session, 5_000).take(planned).collect();
            let eta = Eta {
                planned: u32::try_from(planned).ok(),
                ..Eta::default()
            };
            all.extend(errors_of(&asked, &eta));
        }
        let good = all.iter().filter(|error| **error < 0.1).count();
        assert_eq!(all.len(), 300);
        assert!(good * 10 >= all.len() * 9, "{good} of {}", all.len());
    }

    #[test]
    fn nothing_is_promised_before_a_block_was_measured() {
        let mut eta = Eta {
            planned: Some(8),
            ..Eta::default()
        };
        assert_eq!((eta.block(), eta.left(Nanos(1))), (None, None));
        eta.begin(1, Nanos::secs(1));
        assert_eq!(eta.left(Nanos::secs(2)), None);
        eta.begin(2, Nanos::secs(6));
        assert_eq!(eta.block(), Some((2, Some(8))));
        assert_eq!(eta.left(Nanos::secs(8)), Some(Nanos::secs(33)));
        // What takes longer than it should ends soon, not in the past.
        assert_eq!(eta.left(Nanos::secs(100)), Some(Nanos::ZERO));
    }

    #[test]
    fn what_comes_but_once_is_expected_of_no_further_block() {
        let mut eta = Eta {
            planned: Some(6),
            ..Eta::default()
        };
        eta.begin(1, Nanos::secs(1));
        eta.leave_out(Nanos::secs(400));
        eta.begin(2, Nanos::secs(404));
        assert_eq!(eta.left(Nanos::secs(404)), Some(Nanos::secs(15)));
    }

    #[test]
    fn a_budget_bounds_what_blocks_promise() {
        let mut eta = Eta {
            deadline: Some(Nanos::secs(60)),
            ..Eta::default()
        };
        eta.begin(1, Nanos::secs(2));
        assert_eq!(eta.block(), Some((1, None)));
        assert_eq!(eta.left(Nanos::secs(10)), Some(Nanos::secs(50)));
        eta.begin(2, Nanos::secs(12));
        assert_eq!(eta.block(), Some((2, Some(5))));
        assert_eq!(eta.left(Nanos::secs(12)), Some(Nanos::secs(48)));
        // Blocks that were asked for end before it.
        eta.planned = Some(3);
        assert_eq!(eta.left(Nanos::secs(12)), Some(Nanos::secs(20)));
    }
}
