//! What the tests of several rooms make again and again, in one place: [`copy_program`] for programs that another user
//! starts, [`ignored_test`] for what a test kills, [`Home`] for what a program keeps, [`Loop`], [`Zram`] and [`Mount`] for devices and filesystems,
//! [`ControlGroup`] for limits, [`wait_for`] and [`HANG`] for what comes late or never, [`refuse_io_uring`] for what containers refuse, [`refuse_close`] for a file that cannot be kept, [`ALL_RUNS`] for how runs scatter,
//! [`put`] for the files of a machine that is copied, [`kept_runs`] for what a store holds after a kill, [`tool`] and [`undo`] for what a test makes by other programs and takes back, [`root_for`] and [`skip`] for what
//! a machine cannot do, [`Weather`] and [`OF_THE_MACHINE`] for what the machine did to a test meanwhile.
//!
//! Only tests depend on it. Its functions panic with what the tool or the kernel said: a failure here is a failed test.

mod again;
mod copied;
mod group;
mod hang;
mod home;
mod loops;
mod mount;
mod program;
mod refused;
mod runs;
mod skip;
mod store;
mod tool;
mod undo;
mod waiting;
mod weather;
mod zram;

use again::again;

pub use copied::put;
pub use group::ControlGroup;
pub use hang::HANG;
pub use home::{Home, in_memory};
pub use loops::Loop;
pub use mount::{Mount, mkfs};
pub use program::{copy_program, ignored_test};
pub use refused::{refuse_close, refuse_io_uring};
pub use runs::{ALL_RUNS, EQUAL_GROUPS, Runs};
pub use skip::{root_for, skip};
pub use store::kept_runs;
pub use tool::{tool, try_tool};
pub use undo::undo;
pub use waiting::wait_for;
pub use weather::{OF_THE_MACHINE, Weather};
pub use zram::Zram;
