//! The longest time of a run in which nothing ended.

use etalon_model::{Backend, FsyncPolicy, IoWorkload, Measurement, Run};
use etalon_units::Nanos;

use crate::series::SLICE;

/// Fewer slices in a row without an operation may be chance.
const FEWEST: usize = 2;
/// A gap is no stall unless it is this many times the mean time between two ends.
const RARE: f64 = 20.0;
/// And as many times the time in which all that is under way ends once.
const ROUNDS: f64 = 4.0;

/// A time without the end of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gap {
    /// How much of it the workload rests by itself at most.
    pub(super) pause: Nanos,
    /// How much of it is left beyond that.
    pub(super) beyond: Nanos,
}

impl Gap {
    /// The longest one before the last end; `None` where it is of the length that the pace of the run lets expect, or
    /// where much is written back between two ends.
    pub(super) fn within(run: &Run) -> Option<Gap> {
        let m = &run.measurement;
        let io = run.workload.io()?;
        let writes_back = !m.is_direct() && matches!(io.fsync, FsyncPolicy::Every(n) if n > 1);
        if m.backend == Some(Backend::Fake) || writes_back || m.operations() == 0 {
            return None;
        }
        let mut gaps = m.series.split(|point| point.operations > 0);
        // What follows the last end is a closing fsync, or cut off.
        gaps.next_back();
        let slices = gaps.map(<[_]>::len).max()?;
        let gap = Gap::of(run, Nanos(SLICE.get().saturating_mul(slices as u64)))?;
        (gap.beyond.as_secs_f64() > expected(io, m)).then_some(gap)
    }

    /// The one behind the last end.
    pub(super) fn at_the_end(run: &Run) -> Option<Gap> {
        let m = &run.measurement;
        let last = m.series.iter().rposition(|point| point.operations > 0)?;
        let worked = SLICE.get().saturating_mul(last as u64 + 1);
        Gap::of(run, m.duration.saturating_sub(Nanos(worked)))
    }

    /// A gap of this length; `None` where too little of it is beyond the pause.
    fn of(run: &Run, length: Nanos) -> Option<Gap> {
        let pause = run.workload.io().and_then(|io| io.think);
        let pause = pause.map_or(Nanos::ZERO, |think| think.time);
        let beyond = length.saturating_sub(pause);
        (beyond.get() >= SLICE.get() * FEWEST as u64).then_some(Gap { pause, beyond })
    }
}

/// The seconds without an end that the pace of the work lets expect.
fn expected(io: &IoWorkload, m: &Measurement) -> f64 {
    let worked = m.duration.as_secs_f64() - paused(io, m);
    let between_ends = worked.max(0.0) / m.operations() as f64;
    let under_way = f64::from(io.queue_depth.max(1)) * f64::from(io.jobs.max(1));
    between_ends * RARE.max(under_way * ROUNDS)
}

/// The seconds that each job rested by itself: after so many operations of its own.
fn paused(io: &IoWorkload, m: &Measurement) -> f64 {
    io.think.map_or(0.0, |think| {
        let of_job = m.operations() as f64 / f64::from(io.jobs.max(1));
        of_job / f64::from(think.every.max(1)) * think.time.as_secs_f64()
    })
}
