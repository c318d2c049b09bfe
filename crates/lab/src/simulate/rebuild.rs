//! A member that is replaced: everything of it is computed from the others and written, in order.

use std::collections::BTreeMap;
use std::ops::Range;

use super::simulated::{SimulatedArray, SimulationError};
use crate::array::{Child, LayoutError, Phases};
use crate::disk::{RequestKind, SECOND_NS};

/// A point of the curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RebuildProgress {
    /// Bytes of the new member that are written.
    pub done_bytes: u64,
    /// Time since the begin.
    pub at_ns: u64,
    /// Bytes per second since the last point.
    pub rate: f64,
    /// When it will end if it goes on over the rest, whose media rates are those of its zones, as it did since the last point.
    pub forecast_ns: u64,
}

/// A whole rebuild.
#[derive(Debug, Clone, PartialEq)]
pub struct Rebuild {
    /// The curve.
    pub curve: Vec<RebuildProgress>,
    /// How long it took.
    pub elapsed_ns: u64,
    /// Bytes of the member.
    pub bytes: u64,
}

/// Requests that md has under way at once are about so large together (`RESYNC_WINDOW` and the stripe
/// cache are of this order).
const WINDOW: u64 = 4;

/// Rebuilds a member of the array by steps of so many bytes, and looks at the curve so many times.
///
/// # Errors
/// [`SimulationError`] where the array cannot be read without the member, or another one fails.
pub fn rebuild(
    simulated: &mut SimulatedArray,
    member: usize,
    member_bytes: u64,
    step_bytes: u64,
    points: u64,
) -> Result<Rebuild, SimulationError> {
    let steps = Steps {
        member,
        step_bytes,
        count: member_bytes / step_bytes.max(1),
    };
    let mut curve = Curve::new(
        steps.work(simulated, 0..steps.count)?,
        steps.count / points.max(1),
    );
    for step in 0..WINDOW.min(steps.count) {
        steps.begin(simulated, 0, step)?;
    }
    let (mut end_ns, mut passed) = (0, 0);
    for done in 1..=steps.count {
        end_ns = simulated.next_end()?.at_ns;
        passed += steps.work(simulated, done - 1..done)?;
        let next = done + WINDOW - 1;
        if next < steps.count {
            steps.begin(simulated, end_ns, next)?;
        }
        if done.is_multiple_of(curve.every) {
            curve.add(done * step_bytes, passed, end_ns);
        }
    }
    Ok(Rebuild {
        curve: curve.points,
        elapsed_ns: end_ns,
        bytes: steps.count * step_bytes,
    })
}

/// The way over the new member.
struct Steps {
    member: usize,
    step_bytes: u64,
    count: u64,
}

impl Steps {
    /// Reads whatever a step needs, then writes it.
    fn begin(
        &self,
        simulated: &mut SimulatedArray,
        at_ns: u64,
        step: u64,
    ) -> Result<(), SimulationError> {
        let phases = self.phases(simulated, step)?;
        simulated.submit_phases(at_ns, step, phases);
        Ok(())
    }

    fn phases(&self, simulated: &SimulatedArray, step: u64) -> Result<Phases, LayoutError> {
        let write = Child {
            member: self.member,
            kind: RequestKind::WRITE,
            offset_bytes: step * self.step_bytes,
            length_bytes: self.step_bytes,
        };
        let array = &simulated.array;
        let reads = array.recovery_reads(self.member, write.offset_bytes, self.step_bytes)?;
        Ok(vec![reads, vec![write]])
    }

    /// What these steps take of one pass over the disk that has most to do in each: far copies are read at the inner end of one
    /// disk while they are written at the outer end of another.
    fn work(&self, simulated: &SimulatedArray, steps: Range<u64>) -> Result<u64, LayoutError> {
        let mut work = 0;
        for step in steps {
            let mut passed: BTreeMap<usize, u64> = BTreeMap::new();
            for child in self.phases(simulated, step)?.concat() {
                *passed.entry(child.member).or_default() += simulated.passed(&child);
            }
            work += passed.into_values().max().unwrap_or(0);
        }
        Ok(work)
    }
}

/// Points at equal distances.
struct Curve {
    points: Vec<RebuildProgress>,
    /// What one pass over the member takes, in the disk's own unit.
    whole: u64,
    every: u64,
    /// Bytes, their part of the pass, and the time.
    last: (u64, u64, u64),
}

impl Curve {
    fn new(whole: u64, every: u64) -> Curve {
        Curve {
            points: Vec::new(),
            whole,
            every: every.max(1),
            last: (0, 0, 0),
        }
    }

    /// A point, before which so much of the pass lies. The rate falls from zone to zone, so that what is left is weighed by the
    /// rates of its zones: a forecast at the rate of the moment is a third too short.
    #[expect(clippy::cast_precision_loss, reason = "bytes and times are below 2^53")]
    fn add(&mut self, done_bytes: u64, passed: u64, at_ns: u64) {
        let (last_bytes, last_passed, last_ns) = self.last;
        let (bytes, part) = (done_bytes - last_bytes, passed - last_passed);
        let time = (at_ns - last_ns).max(1);
        let left = u128::from(self.whole.saturating_sub(passed));
        let left_ns = left * u128::from(time) / u128::from(part.max(1));
        self.last = (done_bytes, passed, at_ns);
        self.points.push(RebuildProgress {
            done_bytes,
            at_ns,
            rate: bytes as f64 * SECOND_NS as f64 / time as f64,
            forecast_ns: at_ns + u64::try_from(left_ns).unwrap_or(u64::MAX / 2),
        });
    }
}
