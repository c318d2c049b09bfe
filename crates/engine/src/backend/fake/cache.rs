//! A cache of writes in front of a device that takes them one by one.

/// What is in the cache.
#[derive(Debug, Default)]
pub(super) struct WriteCache {
    /// Writes that it holds at most.
    pub(super) requests: u64,
    /// Nanoseconds that the device takes for one.
    pub(super) service: u64,
    /// When all that it holds is written.
    pub(super) empty_at: u64,
}

impl WriteCache {
    /// When a write that comes at `now` is answered: at once while there is room, else with the first
    /// one that leaves.
    pub(super) fn serve(&mut self, now: u64) -> u64 {
        let start = now.max(self.empty_at);
        self.empty_at = start.saturating_add(self.service);
        let full = self.service.saturating_mul(self.requests);
        now.max(self.empty_at.saturating_sub(full))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_is_as_fast_as_what_lies_behind() {
        let mut cache = WriteCache {
            requests: 3,
            service: 10,
            empty_at: 0,
        };
        let answers: Vec<u64> = (0..6).map(|_| cache.serve(0)).collect();
        assert_eq!(answers, [0, 0, 0, 10, 20, 30]);
        assert_eq!(cache.empty_at, 60);
        assert_eq!(cache.serve(1000), 1000);
    }
}
