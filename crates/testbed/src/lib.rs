//! What the tests of several rooms make again and again, in one place: [`copy_program`] for programs that another user
//! starts, [`attach`] for loop devices, [`refuse_io_uring`] for what containers refuse, [`ALL_RUNS`] for how runs scatter, [`kept_runs`] for what a store holds after a kill, [`undo`] for what a test made, [`Weather`] and
//! [`OF_THE_MACHINE`] for what the machine did to a test meanwhile.
//!
//! Only tests depend on it. Its functions panic with what the tool or the kernel said: a failure here is a failed test.

mod loops;
mod program;
mod refused;
mod runs;
mod store;
mod undo;
mod weather;

pub use loops::attach;
pub use program::copy_program;
pub use refused::refuse_io_uring;
pub use runs::{ALL_RUNS, EQUAL_GROUPS, Runs};
pub use store::kept_runs;
pub use undo::undo;
pub use weather::{OF_THE_MACHINE, Weather};
