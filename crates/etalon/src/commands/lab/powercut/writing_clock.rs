//! The time in which a guest writes, without that in which it looks at what a cut has left.

use std::time::{Duration, Instant};

/// It stands until it is started.
#[derive(Debug, Default)]
pub(super) struct WritingClock {
    /// Until it was stopped last.
    written: Duration,
    /// Since when it goes on.
    since: Option<Instant>,
}

impl WritingClock {
    pub(super) fn start(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    pub(super) fn stop(&mut self, now: Instant) {
        self.written = self.at(now);
        self.since = None;
    }

    /// What it shows, in nanoseconds.
    pub(super) fn at_ns(&self, now: Instant) -> u64 {
        u64::try_from(self.at(now).as_nanos()).unwrap_or(u64::MAX)
    }

    fn at(&self, now: Instant) -> Duration {
        let on = self.since.map(|since| now.duration_since(since));
        self.written + on.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_at_what_a_cut_has_left_is_no_time_of_writing() {
        let (begun, mut clock) = (Instant::now(), WritingClock::default());
        let at = |seconds| begun + Duration::from_secs(seconds);
        let shown = |clock: &WritingClock, seconds| clock.at_ns(at(seconds)) / 1_000_000_000;
        clock.start(at(0));
        assert_eq!(shown(&clock, 1), 1);
        clock.stop(at(1));
        assert_eq!([2, 10].map(|now| shown(&clock, now)), [1, 1]);
        clock.start(at(10));
        assert_eq!(shown(&clock, 11), 2);
        clock.stop(at(11));
        assert_eq!(shown(&clock, 20), 2);
    }
}
