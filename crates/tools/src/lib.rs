//! The command lines of other tools: their words, their lines, their exit codes.
//!
//! [`dd`] copies, [`hdparm`] reads devices, [`fdtree`] makes a tree of files and [`iozone`] works on
//! files as those tools do; each has a function that is the whole program. What they do is done by
//! `etalon-workload`. Each hands its runs to a [`RunKeeper`].

pub mod dd;
mod exit;
pub mod fdtree;
pub mod hdparm;
pub mod iozone;
mod keeper;

pub use exit::ExitStatus;
pub use keeper::RunKeeper;
