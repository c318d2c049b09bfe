//! How long the passes of an experiment took: runs may lie days apart, and the clock may have been set meanwhile.

use etalon_units::Nanos;

use crate::{Run, RunHeadline};

/// When a run was made, and what its whole pass took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassTime {
    block: u32,
    started_unix_ns: i64,
    elapsed: Nanos,
}

impl From<&Run> for PassTime {
    fn from(run: &Run) -> PassTime {
        PassTime {
            block: run.block,
            started_unix_ns: run.started_unix_ns,
            elapsed: run.elapsed,
        }
    }
}

impl From<&RunHeadline> for PassTime {
    fn from(run: &RunHeadline) -> PassTime {
        PassTime {
            block: run.block,
            started_unix_ns: run.started_unix_ns,
            elapsed: run.elapsed,
        }
    }
}

impl PassTime {
    /// Whether a run behind this one is of the same pass: it has the same time, and began before that was over.
    fn holds(&self, run: &PassTime) -> bool {
        let later = run.started_unix_ns.abs_diff(self.started_unix_ns);
        (run.block, run.elapsed) == (self.block, self.elapsed) && later < self.elapsed.get()
    }
}

/// What passes took together. The runs of one pass, each of which has the time of all, are counted once.
#[derive(Debug, Clone, Copy, Default)]
pub struct TotalTime {
    sum: u64,
    /// The first run of the last pass.
    last: Option<PassTime>,
}

impl TotalTime {
    /// Of the passes of all these runs, in the order in which they were made.
    pub fn of<T: Into<PassTime>>(runs: impl IntoIterator<Item = T>) -> Nanos {
        let mut total = TotalTime::default();
        runs.into_iter().for_each(|run| total.add(run));
        total.nanos()
    }

    /// Takes a run, in the order in which they were made.
    pub fn add(&mut self, run: impl Into<PassTime>) {
        let run = run.into();
        if self.last.is_none_or(|last| !last.holds(&run)) {
            self.sum = self.sum.saturating_add(run.elapsed.get());
            self.last = Some(run);
        }
    }

    /// The time so far.
    pub fn nanos(&self) -> Nanos {
        Nanos(self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(block: u32, started_s: i64, elapsed: u64) -> PassTime {
        PassTime {
            block,
            started_unix_ns: started_s * 1_000_000_000,
            elapsed: Nanos::secs(elapsed),
        }
    }

    #[test]
    fn what_lies_between_sessions_is_none_of_it() {
        let day = 86_400;
        let runs = [run(0, 0, 5), run(1, 5, 5), run(2, day, 5), run(3, -day, 5)];
        assert_eq!(TotalTime::of(runs), Nanos::secs(20));
        assert_eq!(TotalTime::default().nanos(), Nanos::ZERO);
    }

    #[test]
    fn the_runs_of_one_pass_have_its_time_once() {
        // Files are created, looked up and removed; then two passes of equal length in one block.
        let pass = [run(0, 0, 9), run(0, 4, 9), run(0, 8, 9)];
        let others = [run(0, 9, 2), run(0, 11, 2)];
        let all = pass.into_iter().chain(others);
        assert_eq!(TotalTime::of(all), Nanos::secs(13));
    }
}
