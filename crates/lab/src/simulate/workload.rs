//! Closed loops of reads or writes on an array.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::simulated::{SimulatedArray, SimulationError};
use crate::disk::{Request, RequestKind, SECOND_NS};

/// Where the requests go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// One after the other.
    Sequential,
    /// Anywhere.
    Random,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Read or write.
    pub kind: RequestKind,
    /// Where.
    pub pattern: Pattern,
    /// Bytes of a request.
    pub block_bytes: u64,
    /// Requests under way at once.
    pub queue_depth: u64,
    /// First byte of the range.
    pub from_bytes: u64,
    /// Its length; the whole array where it is longer.
    pub range_bytes: u64,
    /// Requests that are not counted, so that caches are as full as they get.
    pub warm_up: u64,
    /// Requests that are counted.
    pub requests: u64,
    /// Draws the places.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkloadOutcome {
    /// Counted requests.
    pub requests: u64,
    /// Their bytes.
    pub bytes: u64,
    /// From the end of the warm-up to the last end.
    pub elapsed_ns: u64,
    /// Mean time of a request.
    pub mean_ns: f64,
}

impl WorkloadOutcome {
    /// Bytes per second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
    pub fn rate(&self) -> f64 {
        self.bytes as f64 * SECOND_NS as f64 / self.elapsed_ns.max(1) as f64
    }

    /// Requests per second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
    pub fn iops(&self) -> f64 {
        self.requests as f64 * SECOND_NS as f64 / self.elapsed_ns.max(1) as f64
    }
}

impl Workload {
    /// Carries it out from a time on.
    ///
    /// # Errors
    /// [`SimulationError`] where the array or a member fails.
    #[expect(clippy::cast_precision_loss, reason = "times are below 2^53 ns")]
    pub fn run(
        &self,
        simulated: &mut SimulatedArray,
        at_ns: u64,
    ) -> Result<WorkloadOutcome, SimulationError> {
        let mut places = self.places(simulated.array.bytes());
        let all = self.warm_up + self.requests;
        for id in 0..self.queue_depth.max(1).min(all) {
            simulated.submit(at_ns, &self.request(id, places.next()))?;
        }
        let (mut begin_ns, mut end_ns, mut sum) = (at_ns, at_ns, 0.0);
        let mut asked = self.queue_depth.max(1).min(all);
        for done in 0..all {
            let ended = simulated.next_end()?;
            end_ns = ended.at_ns;
            if done < self.warm_up {
                begin_ns = end_ns;
            } else {
                sum += (ended.at_ns - ended.from_ns) as f64;
            }
            if asked < all {
                simulated.submit(end_ns, &self.request(asked, places.next()))?;
                asked += 1;
            }
        }
        Ok(WorkloadOutcome {
            requests: self.requests,
            bytes: self.requests * self.block_bytes,
            elapsed_ns: end_ns - begin_ns,
            mean_ns: sum / self.requests.max(1) as f64,
        })
    }

    fn request(&self, id: u64, place: Option<u64>) -> Request {
        Request {
            id,
            kind: self.kind,
            offset_bytes: place.unwrap_or(0),
            length_bytes: self.block_bytes,
        }
    }

    fn places(&self, array_bytes: u64) -> impl Iterator<Item = u64> + use<> {
        let range = self
            .range_bytes
            .min(array_bytes.saturating_sub(self.from_bytes));
        let blocks = (range / self.block_bytes.max(1)).max(1);
        let mut draw = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let (from, block, pattern) = (self.from_bytes, self.block_bytes, self.pattern);
        (0..).map(move |number: u64| {
            let at = match pattern {
                Pattern::Sequential => number % blocks,
                Pattern::Random => draw.random_range(0..blocks),
            };
            from + at * block
        })
    }
}
