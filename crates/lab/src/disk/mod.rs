//! Disks that behave as a written model says, on a clock that only moves when they are asked.

mod durable;
mod fault;
mod finished;
mod flat;
pub mod hdd;
mod request;
pub mod ssd;

pub use durable::{CutOrder, VolatileCache};
pub use fault::{Fault, FaultyDisk};
pub use flat::{Flat, FlatFigures, Stall};
pub use request::{Completion, DiskError, Request, RequestKind};

/// Nanoseconds of a second.
pub(crate) const SECOND_NS: u64 = 1_000_000_000;
/// What addresses count in.
pub const SECTOR_BYTES: u64 = 512;

/// A disk on a virtual clock. Time is whole nanoseconds and never goes back: requests are submitted
/// in the order of their times, and no later than the disk's next event.
pub trait Disk: Send {
    /// Its size.
    fn bytes(&self) -> u64;
    /// Takes a request at this time.
    fn submit(&mut self, at_ns: u64, request: Request);
    /// When something happens next in it, if nothing more is submitted until then.
    fn next_event_ns(&self) -> Option<u64>;
    /// Lets the next event happen; gives the request that it ended, if it ended one.
    fn step(&mut self) -> Option<Completion>;
    /// How much of one pass over the disk, in its order and at the speed of its medium, lies before this byte. The unit is the
    /// disk's own; one of a single rate counts bytes.
    fn passed(&self, byte: u64) -> u64 {
        byte
    }
}

/// Nanoseconds that so many bytes take at this rate, rounded up.
pub(crate) fn transfer_ns(bytes: u64, bytes_per_second: u64) -> u64 {
    let exact = u128::from(bytes) * u128::from(SECOND_NS);
    let rounded = exact.div_ceil(u128::from(bytes_per_second.max(1)));
    u64::try_from(rounded).unwrap_or(u64::MAX)
}
