//! When each operation is meant to start.

use etalon_model::{Arrival, Think};
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution as _, Exp1};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::offsets::mix;
use crate::recorder::OpKind;

/// A generator that lags more than this behind its schedule has lost the race for good.
pub(crate) const OVERLOAD: u64 = 60_000_000_000;

/// One job's schedule. Moments are nanoseconds on the worker's clock.
#[derive(Debug, Clone)]
pub(crate) enum Pacer {
    /// As soon as a place is free.
    Closed,
    /// From an absolute schedule, whatever the target does.
    Open(Schedule),
    /// A gap after the last start, and never before the last answer.
    Repaced {
        /// Nanoseconds between two starts.
        gap: f64,
        /// The earliest moment of the next start.
        next: f64,
    },
    /// At once, but for a pause after every few operations.
    Thinking(Thinking),
}

/// Pauses that begin when the operations before them have ended.
#[derive(Debug, Clone)]
pub(crate) struct Thinking {
    think: Think,
    /// Operations until the next pause.
    left: u32,
    /// The earliest moment of the next start.
    next: u64,
}

/// Absolute moments: `start + i / rate`, or a sum of exponential gaps.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    start: u64,
    gap: f64,
    phase: f64,
    index: u64,
    poisson: Option<(Xoshiro256PlusPlus, f64)>,
    next: u64,
}

impl Pacer {
    /// The schedule of job `job` of `jobs`, which together keep the rate of `arrival`.
    pub(crate) fn new(arrival: Arrival, start: u64, seed: u64, job: u32, jobs: u32) -> Self {
        let gap = |rate: f64| 1e9 * f64::from(jobs) / rate;
        match arrival {
            Arrival::Closed => Pacer::Closed,
            Arrival::Fixed { rate } => {
                // Jobs take turns, so that together they start one operation each 1 / rate.
                let phase = 1e9 * f64::from(job) / rate;
                Pacer::Open(Schedule::new(start, gap(rate), phase, None))
            }
            Arrival::Poisson { rate } => {
                let rng = Xoshiro256PlusPlus::seed_from_u64(mix(seed ^ mix(!u64::from(job))));
                Pacer::Open(Schedule::new(start, gap(rate), 0.0, Some((rng, 0.0))))
            }
            Arrival::Repaced { rate } => Pacer::Repaced {
                gap: gap(rate),
                next: start as f64,
            },
        }
    }

    /// As soon as a place is free, with pauses.
    pub(crate) fn thinking(think: Think, start: u64) -> Self {
        Pacer::Thinking(Thinking {
            think,
            left: think.every,
            next: start,
        })
    }

    /// Begins the pause that is due, if one is: nothing is in flight `now`.
    #[inline]
    pub(crate) fn pause(&mut self, now: u64) {
        if let Pacer::Thinking(thinking) = self
            && thinking.left == 0
        {
            thinking.left = thinking.think.every;
            thinking.next = now.saturating_add(thinking.think.time.get());
        }
    }

    /// When the next operation is meant to start; `None` for at once.
    #[inline]
    pub(crate) fn intended(&self) -> Option<u64> {
        match self {
            Pacer::Closed => None,
            Pacer::Open(schedule) => Some(schedule.next),
            Pacer::Repaced { next, .. } => Some(*next as u64),
            // Not before the pause has begun, which sets the moment.
            Pacer::Thinking(thinking) if thinking.left == 0 => Some(u64::MAX),
            Pacer::Thinking(thinking) => Some(thinking.next),
        }
    }

    /// True when latencies count from the intended moment.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Pacer::Open(_))
    }

    /// Goes on to the operation after the one that starts `now`.
    #[inline]
    pub(crate) fn advance(&mut self, now: u64) {
        match self {
            Pacer::Closed => {}
            Pacer::Open(schedule) => schedule.advance(),
            Pacer::Repaced { gap, next } => *next = next.max(now as f64) + *gap,
            Pacer::Thinking(thinking) => thinking.left = thinking.left.saturating_sub(1),
        }
    }
}

impl Schedule {
    fn new(start: u64, gap: f64, phase: f64, poisson: Option<(Xoshiro256PlusPlus, f64)>) -> Self {
        let mut schedule = Schedule {
            start,
            gap,
            phase,
            index: 0,
            poisson,
            next: 0,
        };
        schedule.place();
        schedule
    }

    fn advance(&mut self) {
        self.index += 1;
        self.place();
    }

    fn place(&mut self) {
        let after = match &mut self.poisson {
            None => self.phase + self.index as f64 * self.gap,
            Some((rng, sum)) => {
                let step: f64 = Exp1.sample(rng);
                *sum += step * self.gap;
                *sum
            }
        };
        self.next = self.start.saturating_add(after as u64);
    }
}

/// Decides between reads and writes of a mixed operation.
#[derive(Debug, Clone)]
pub(crate) struct Mixer {
    rng: Xoshiro256PlusPlus,
    below: u64,
}

impl Mixer {
    /// Reads with the share `read_percent` of 0..=100.
    pub(crate) fn new(read_percent: u8, seed: u64, job: u32) -> Self {
        let below = (u64::MAX / 100).saturating_mul(u64::from(read_percent.min(100)));
        let rng = Xoshiro256PlusPlus::seed_from_u64(mix(!seed ^ mix(u64::from(job) << 32)));
        Mixer {
            rng,
            below: if read_percent >= 100 { u64::MAX } else { below },
        }
    }

    /// What the next operation does.
    #[inline]
    pub(crate) fn draw(&mut self) -> OpKind {
        if self.rng.next_u64() < self.below {
            OpKind::Read
        } else {
            OpKind::Write
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(arrival: Arrival, jobs: u32, each: usize) -> Vec<u64> {
        let mut all: Vec<u64> = (0..jobs)
            .flat_map(|job| {
                let mut pacer = Pacer::new(arrival, 1_000, 3, job, jobs);
                (0..each)
                    .map(|_| {
                        let at = pacer.intended().unwrap();
                        pacer.advance(at + 999_999_999);
                        at
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn a_fixed_schedule_is_absolute_and_shared() {
        let all = moments(Arrival::Fixed { rate: 3.0 }, 2, 6);
        for (i, &at) in all.iter().enumerate() {
            assert!(
                at.abs_diff(1_000 + (i as u64) * 1_000_000_000 / 3) <= 1,
                "{i}: {at}"
            );
        }
    }

    #[test]
    fn poisson_gaps_have_the_mean_and_spread_of_an_exponential() {
        let all = moments(Arrival::Poisson { rate: 1e6 }, 4, 25_000);
        let gaps: Vec<f64> = all.windows(2).map(|w| (w[1] - w[0]) as f64).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let variance = gaps.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        assert!((mean / 1_000.0 - 1.0).abs() < 0.02, "{mean}");
        assert!(
            (variance.sqrt() / mean - 1.0).abs() < 0.03,
            "{}",
            variance.sqrt()
        );
    }

    #[test]
    fn a_repaced_start_waits_for_the_last_one() {
        let mut pacer = Pacer::new(Arrival::Repaced { rate: 1e9 }, 0, 0, 0, 1);
        pacer.advance(500);
        assert_eq!(pacer.intended(), Some(501));
    }

    #[test]
    fn the_mix_keeps_its_share_and_its_ends_are_pure() {
        let reads = |percent| {
            let mut mixer = Mixer::new(percent, 1, 0);
            (0..100_000)
                .filter(|_| mixer.draw() == OpKind::Read)
                .count()
        };
        assert_eq!(reads(0), 0);
        assert_eq!(reads(100), 100_000);
        assert!((69_000..71_000).contains(&reads(70)));
    }
}
