//! The recursive tree of directories and files: created, filled, emptied and removed, each phase
//! timed, with the options and the lines of fdtree 1.0.2.
//!
//! A tree of `L` levels below its root has `D` directories in every directory but those of the last
//! level, and `F` files of `S` blocks of 4 KiB in every directory. [`TreeShape`] computes the totals,
//! [`Options`] reads the command line, [`run`] does the work and returns a [`TreeRecord`], and
//! [`main_like`] is the whole program. The phases follow one another as in fdtree: all directories,
//! then all files, then the files go, then the directories.
//!
//! What differs from the script: nanosecond clocks where it counts whole seconds, no process per
//! file, data that do not compress where it writes zeros (`--zero` writes those), a look at the free
//! space and inodes before the first directory is made, and nothing left behind when it is stopped
//! or fails.

mod cli;
mod error;
mod kept;
mod options;
mod output;
mod place;
mod record;
mod run;
mod shape;
mod walk;

pub use cli::main_like;
pub use error::{OptionError, TreeError};
pub use options::{Options, Request};
pub use place::DEFAULT_NAME;
pub use record::{Phase, PhaseRecord, TreeRecord};
pub use run::run;
pub use shape::{BLOCK, ShapeError, TreeShape};

#[cfg(test)]
mod tests;
