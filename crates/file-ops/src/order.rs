//! In which order the records of a file are visited.

use etalon_engine::Permutation;
use serde::{Deserialize, Serialize};

/// An order of the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// 0, 1, 2 ... last.
    Forward,
    /// Last ... 2, 1, 0.
    Backward,
    /// 0 again and again, as often as there are records.
    First,
    /// 0, n, 2n ... then 1, n + 1 ... until every record was visited once.
    Strided,
    /// Every record once, in an order that a seed decides.
    Random,
}

/// The record numbers of one pass, each below the number of records; as many as there are records.
#[derive(Debug, Clone)]
pub struct Visits {
    order: Order,
    records: u64,
    stride: u64,
    permutation: Permutation,
    done: u64,
    next: u64,
}

impl Visits {
    /// The visits of a file of `records` records; `stride` (at least 1, in records) matters to
    /// [`Order::Strided`] and `seed` to [`Order::Random`] only.
    pub fn new(order: Order, records: u64, stride: u64, seed: u64) -> Visits {
        Visits {
            order,
            records,
            stride: stride.max(1),
            permutation: Permutation::new(records, seed, 0),
            done: 0,
            next: 0,
        }
    }

    fn strided(&mut self) -> u64 {
        let current = self.next;
        let step = current.saturating_add(self.stride);
        self.next = if step < self.records {
            step
        } else {
            current % self.stride + 1
        };
        current
    }
}

impl Iterator for Visits {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.done == self.records {
            return None;
        }
        let position = self.done;
        self.done += 1;
        Some(match self.order {
            Order::Forward => position,
            Order::Backward => self.records - 1 - position,
            Order::First => 0,
            Order::Strided => self.strided(),
            Order::Random => self.permutation.at(position),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.records - self.done).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same in words: all pairs (start, multiple), sorted by start.
    fn strided_slowly(records: u64, stride: u64) -> Vec<u64> {
        let mut all: Vec<u64> = (0..records).collect();
        all.sort_by_key(|record| (record % stride, record / stride));
        all
    }

    #[test]
    fn the_orders_in_full() {
        let all = |order| Visits::new(order, 4, 3, 1).collect::<Vec<_>>();
        assert_eq!(all(Order::Forward), [0, 1, 2, 3]);
        assert_eq!(all(Order::Backward), [3, 2, 1, 0]);
        assert_eq!(all(Order::First), [0, 0, 0, 0]);
        assert_eq!(all(Order::Strided), [0, 3, 1, 2]);
    }

    proptest! {
        #[test]
        fn a_strided_pass_is_what_sorting_gives(records in 0u64..400, stride in 1u64..50) {
            let visited: Vec<u64> = Visits::new(Order::Strided, records, stride, 0).collect();
            prop_assert_eq!(visited, strided_slowly(records, stride));
        }

        #[test]
        fn a_random_pass_visits_each_record_once(records in 0u64..400, seed: u64) {
            let mut visited: Vec<u64> = Visits::new(Order::Random, records, 1, seed).collect();
            visited.sort_unstable();
            prop_assert_eq!(visited, (0..records).collect::<Vec<_>>());
        }
    }
}
