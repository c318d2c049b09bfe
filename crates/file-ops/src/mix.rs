//! Which workers of a mixed group read, and which write.

use super::FileOp;

/// How the workers of [`FileOp::Mixed`] are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mix {
    /// Percent of the workers that read, rounded down to whole workers; without it every other one
    /// reads, from the first on.
    pub read_percent: Option<u8>,
    /// Whether they go from the start to the end of the files instead of in random order.
    pub sequential: bool,
}

impl Mix {
    /// What worker `index` of `workers` does; readers are spread among the writers.
    pub(crate) fn of_worker(self, index: usize, workers: usize) -> FileOp {
        match (self.reads(index, workers), self.sequential) {
            (true, false) => FileOp::RandomRead,
            (false, false) => FileOp::RandomWrite,
            (true, true) => FileOp::Read,
            (false, true) => FileOp::Rewrite,
        }
    }

    fn reads(self, index: usize, workers: usize) -> bool {
        let Some(percent) = self.read_percent else {
            return index.is_multiple_of(2);
        };
        let readers = workers * usize::from(percent.min(100)) / 100;
        let among_first = |count: usize| (count * readers).div_ceil(workers.max(1));
        among_first(index + 1) > among_first(index)
    }
}
