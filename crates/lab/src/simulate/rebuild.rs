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
    /// When it will end if the rate goes on to change with the place as it has done so far.
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
    let mut curve = Curve::new(member_bytes, steps / points.max(1));
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
        curve.add(done, done * step_bytes, end_ns);
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
    bytes: u64,
    every: u64,
    last: (u64, u64),
}

impl Curve {
    fn new(bytes: u64, every: u64) -> Curve {
        Curve {
            points: Vec::new(),
            bytes,
            every: every.max(1),
            last: (0, 0),
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bytes and times are below 2^53"
    )]
    fn add(&mut self, step: u64, done_bytes: u64, at_ns: u64) {
        if !step.is_multiple_of(self.every) {
            return;
        }
        let (bytes, time) = (done_bytes - self.last.0, at_ns - self.last.1);
        let rate = bytes as f64 * SECOND_NS as f64 / time.max(1) as f64;
        let forecast_ns = at_ns + (self.left_seconds(done_bytes, rate) * SECOND_NS as f64) as u64;
        self.last = (done_bytes, at_ns);
        self.points.push(RebuildProgress {
            done_bytes,
            at_ns,
            rate,
            forecast_ns,
        });
    }
    /// Time for the rest. The rate falls evenly from the outside to the inside, so that it is the
    /// integral of 1 / (rate + slope * x): a forecast at the rate of the moment is a third too short.
    #[expect(clippy::cast_precision_loss, reason = "bytes are below 2^53")]
    fn left_seconds(&self, done_bytes: u64, rate: f64) -> f64 {
        let left = self.bytes.saturating_sub(done_bytes) as f64;
        let Some(first) = self.points.first() else {
            return left / rate;
        };
        let slope = (rate - first.rate) / (done_bytes - first.done_bytes).max(1) as f64;
        let last_rate = (rate + slope * left).clamp(rate / 4.0, rate * 4.0);
        match ((last_rate - rate) / rate).abs() < 0.01 {
            true => left / rate,
            false => left / (last_rate - rate) * (last_rate / rate).ln(),
        }
    }
}
