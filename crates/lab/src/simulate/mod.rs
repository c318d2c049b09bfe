//! Requests carried through an array of modelled disks, without a guest: the clock is virtual, so a
//! day of work takes seconds.

mod rebuild;
mod room;
mod workload;

pub use rebuild::{Progress, Rebuild, rebuild};
pub use room::{Room, RoomError};
pub use workload::{Outcome, Pattern, Workload};
