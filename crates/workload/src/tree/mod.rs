//! The recursive tree of directories and files: created, filled, emptied and removed, each phase
//! timed, as fdtree 1.0.2 does.
//!
//! A tree of `L` levels below its root has `D` directories in every directory but those of the last
//! level, and `F` files of `S` blocks of 4 KiB in every directory. [`TreeShape`] computes the totals,
//! [`TreeSettings`] says what is done, and [`run`] does it and returns a [`TreeRecord`]. The phases
//! follow one another as in fdtree: all directories, then all files, then the files go, then the
//! directories.
//!
//! What differs from the script: nanosecond clocks where it counts whole seconds, no process per
//! file, data that do not compress where it writes zeros (`--zero` writes those), a look at the free
//! space and inodes before the first directory is made, and nothing left behind when it is stopped
//! or fails.

mod error;
mod place;
mod record;
mod run;
mod settings;
mod shape;
mod walk;

pub use error::TreeError;
pub use place::DEFAULT_NAME;
pub use record::{Phase, PhaseRecord, TreeRecord};
pub use run::{root_of, run, run_in};
pub use settings::TreeSettings;
pub use shape::{BLOCK, ShapeError, TreeShape};

#[cfg(test)]
mod tests;
