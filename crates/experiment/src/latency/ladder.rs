//! The steps of the load, and the search for the one at which a limit is crossed.

use etalon_model::{Arrival, IoWorkload};

/// Queue depths, each about half as deep again as the one before.
const DEPTHS: [u32; 20] = [
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
];
/// Shares of what a closed loop reaches.
const SHARES: [f64; 13] = [
    0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95,
];

/// The workload at each queue depth.
pub(super) fn depths(base: &IoWorkload) -> Vec<IoWorkload> {
    let at = |&queue_depth: &u32| IoWorkload {
        queue_depth,
        ..base.clone()
    };
    DEPTHS.iter().map(at).collect()
}

/// The workload at rates up to `most` operations a second, which a closed loop reached.
pub(super) fn rates(base: &IoWorkload, most: f64) -> Vec<IoWorkload> {
    let with = |rate: f64| match base.arrival {
        Arrival::Poisson { .. } => Arrival::Poisson { rate },
        Arrival::Repaced { .. } => Arrival::Repaced { rate },
        _ => Arrival::Fixed { rate },
    };
    let at = |share: &f64| IoWorkload {
        arrival: with(rounded(most * share)),
        ..base.clone()
    };
    SHARES.iter().map(at).collect()
}

/// Two digits are as many as a rate needs here.
fn rounded(rate: f64) -> f64 {
    let unit = 10f64.powf(rate.max(1.0).log10().floor() - 1.0);
    (rate / unit).round().max(1.0) * unit
}

/// Looks for the highest step that holds: doubles until one fails, then halves what is left.
#[derive(Debug)]
pub(super) struct Search {
    /// The steps below this one hold, as far as is known.
    holds: usize,
    /// The lowest that failed; the number of steps where none has.
    fails: usize,
    stride: usize,
    has_failed: bool,
}

impl Search {
    pub(super) fn over(steps: usize) -> Search {
        Search {
            holds: 0,
            fails: steps,
            stride: 1,
            has_failed: false,
        }
    }

    /// The step to try; `None` when it is found.
    pub(super) fn next(&self) -> Option<usize> {
        if self.holds >= self.fails {
            return None;
        }
        Some(match self.has_failed {
            true => (self.holds + self.fails - 1) / 2,
            false => (self.holds + self.stride - 1).min(self.fails - 1),
        })
    }

    pub(super) fn tried(&mut self, step: usize, held: bool) {
        if held {
            self.holds = step + 1;
            self.stride *= 2;
        } else {
            self.fails = step;
            self.has_failed = true;
        }
    }

    /// The highest that held.
    pub(super) fn found(&self) -> Option<usize> {
        self.holds.checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_finds_every_limit_in_few_tries() {
        for steps in 1..=20 {
            for limit in 0..=steps {
                let mut search = Search::over(steps);
                let mut tries = 0;
                while let Some(step) = search.next() {
                    search.tried(step, step < limit);
                    tries += 1;
                }
                assert_eq!(search.found(), limit.checked_sub(1), "{steps} {limit}");
                assert!(tries <= 9, "{steps} {limit}: {tries}");
            }
        }
    }

    #[test]
    fn rates_rise_up_to_what_a_closed_loop_reaches() {
        let base = IoWorkload {
            arrival: Arrival::Poisson { rate: 1.0 },
            ..IoWorkload::default()
        };
        let rates: Vec<f64> = rates(&base, 123_456.0)
            .iter()
            .map(|workload| match workload.arrival {
                Arrival::Poisson { rate } => rate,
                _ => 0.0,
            })
            .collect();
        assert_eq!(
            (rates[0], rates[2], rates[12]),
            (2_500.0, 12_000.0, 120_000.0)
        );
        assert!(rates.is_sorted());
    }
}
