//! Requests carried through an array of modelled disks, without a guest: the clock is virtual, so a
//! day of work takes seconds.

mod rebuild;
mod simulated;
mod workload;

pub use rebuild::{Rebuild, RebuildProgress, rebuild};
pub use simulated::{SimulatedArray, SimulationError};
pub use workload::{Pattern, Workload, WorkloadOutcome};
