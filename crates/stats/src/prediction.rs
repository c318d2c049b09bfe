//! How large one more value of the same kind may be: a prediction bound for a single new value.
//!
//! Of `n + 1` values of one kind each is as likely as any other to be the largest, so that a new
//! value exceeds the `k`-th smallest of `n` with a chance of `(n + 1 - k) / (n + 1)`, whatever the
//! distribution (Wilks 1941, prediction intervals from order statistics). Where `n` is too small for
//! the chance that is asked for, the largest value is multiplied: beyond it the tail is taken to
//! fall like one over the square root, more slowly than that of anything that has a mean.

/// A bound that one more value exceeds with at most the chance that was asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictionBound {
    /// Rank, from 1, of the value that it stands on.
    pub rank: u64,
    /// What that value is multiplied by.
    pub factor: f64,
}

/// The bound on one more of `n` positive, independent values; `None` without a value, or where
/// `chance` does not lie between 0 and 1.
pub fn upper_prediction_bound(n: u64, chance: f64) -> Option<PredictionBound> {
    if n == 0 || !(chance > 0.0 && chance < 1.0) {
        return None;
    }
    let places = n as f64 + 1.0;
    let beyond = chance * places;
    if beyond < 1.0 {
        return Some(PredictionBound {
            rank: n,
            factor: beyond.powi(-2),
        });
    }
    let rank = (places - beyond).ceil().max(1.0) as u64;
    Some(PredictionBound { rank, factor: 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_nine_values_bound_one_more_at_one_percent() {
        let bound = |n| upper_prediction_bound(n, 0.01).unwrap();
        assert_eq!((bound(99).rank, bound(99).factor), (99, 1.0));
        assert_eq!((bound(199).rank, bound(199).factor), (198, 1.0));
        assert_eq!((bound(49).rank, bound(49).factor), (49, 4.0));
        assert!(bound(4).factor > 399.0);
    }

    #[test]
    fn what_cannot_be_bounded_is_not() {
        assert_eq!(upper_prediction_bound(0, 0.01), None);
        for chance in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(upper_prediction_bound(10, chance), None);
        }
    }
}
