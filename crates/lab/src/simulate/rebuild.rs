//! A member that is replaced: everything of it is computed from the others and written, in order.

use super::simulated::{SimulatedArray, SimulationError};
use crate::array::{Child, Layout};
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
    let steps = member_bytes / step_bytes.max(1);
    let whole = simulated.passed(member, steps * step_bytes);
    let mut curve = Curve::new(whole, steps / points.max(1));
    for step in 0..WINDOW.min(steps) {
        begin(simulated, 0, member, step, step_bytes);
    }
    let mut end_ns = 0;
    for done in 1..=steps {
        end_ns = simulated.next_end()?.at_ns;
        let next = done + WINDOW - 1;
        if next < steps {
            begin(simulated, end_ns, member, next, step_bytes);
        }
        if done.is_multiple_of(curve.every) {
            let bytes = done * step_bytes;
            curve.add(bytes, simulated.passed(member, bytes), end_ns);
        }
    }
    Ok(Rebuild {
        curve: curve.points,
        elapsed_ns: end_ns,
        bytes: steps * step_bytes,
    })
}

/// Reads one step of whatever is needed, then writes it.
fn begin(simulated: &mut SimulatedArray, at_ns: u64, member: usize, step: u64, step_bytes: u64) {
    let child = |member, kind| Child {
        member,
        kind,
        offset_bytes: step * step_bytes,
        length_bytes: step_bytes,
    };
    let reads = sources(simulated, member);
    let reads = reads
        .into_iter()
        .map(|source| child(source, RequestKind::Read));
    let phases = vec![reads.collect(), vec![child(member, RequestKind::WRITE)]];
    simulated.submit_phases(at_ns, step, phases);
}

/// The members that are read: all that parity needs, or one that has a copy.
fn sources(simulated: &SimulatedArray, member: usize) -> Vec<usize> {
    let array = &simulated.array;
    let others = (0..array.members.len()).filter(|other| *other != member);
    match array.layout() {
        Layout::Raid4 | Layout::Raid5 | Layout::Raid6 => {
            let enough = array.members.len() - array.layout().parity();
            others.take(enough).collect()
        }
        Layout::Raid0 => Vec::new(),
        Layout::Raid1 => others.take(1).collect(),
        Layout::Near(_) | Layout::Far(_) | Layout::Offset(_) => {
            let neighbour = if member.is_multiple_of(2) {
                member + 1
            } else {
                member - 1
            };
            vec![neighbour.min(array.members.len() - 1)]
        }
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
