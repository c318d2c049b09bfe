//! How often something happens at most, after it was seen so often in so many independent trials.
//!
//! The exact bound of Clopper and Pearson (Biometrika 26, 1934): the share at which so few events, or fewer,
//! have just the error probability that is allowed. It is a quantile of the beta distribution, found here by
//! halving, since its distribution function is exact to double precision. Without any event it is
//! `1 - alpha^(1/n)`, for 95 % nearly `3/n`: the rule of three (Hanley and Lippman-Hand, JAMA 249, 1983).

use statrs::function::beta::beta_reg;

use crate::Level;

/// Halvings after which nothing of a double is left undecided.
const HALVINGS: u32 = 60;

/// The share that is not exceeded at this one-sided level, where `events` of `trials` trials had the event; 1
/// where all of them had it, and where there was none.
#[must_use]
pub fn proportion_upper_bound(events: u64, trials: u64, level: Level) -> f64 {
    if events >= trials {
        return 1.0;
    }
    let (some, none) = (events as f64 + 1.0, (trials - events) as f64);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        match beta_reg(some, none, middle) < level.get() {
            true => low = middle,
            false => high = middle,
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of at most so many events, term by term.
    fn at_most(events: u64, trials: u64, share: f64) -> f64 {
        let mut term = (1.0 - share).powf(trials as f64);
        let mut sum = term;
        for k in 1..=events {
            term *= (trials - k + 1) as f64 / k as f64 * share / (1.0 - share);
            sum += term;
        }
        sum
    }

    #[test]
    fn at_the_bound_so_few_events_have_the_error_probability() {
        for (events, trials) in [(0, 1), (0, 20), (1, 10), (3, 20), (19, 20), (40, 200)] {
            for level in [Level::P90, Level::P95, Level::P99] {
                let bound = proportion_upper_bound(events, trials, level);
                let left = at_most(events, trials, bound);
                assert!(
                    (left - level.alpha()).abs() < 1e-9,
                    "{events}/{trials}: {left}"
                );
            }
        }
    }

    #[test]
    fn without_an_event_it_is_the_rule_of_three() {
        let bound = proportion_upper_bound(0, 200, Level::P95);
        assert!((bound - (1.0 - 0.05_f64.powf(1.0 / 200.0))).abs() < 1e-12);
        assert!((bound * 200.0 - 3.0).abs() < 0.03, "{bound}");
        assert!((proportion_upper_bound(7, 7, Level::P95) - 1.0).abs() < 1e-12);
        assert!((proportion_upper_bound(0, 0, Level::P95) - 1.0).abs() < 1e-12);
    }
}
