//! The command lines of other tools: their words, their lines, their exit codes.
//!
//! [`dd`] copies, [`hdparm`] reads devices, [`fdtree`] makes a tree of files and [`iozone`] works on
//! files as those tools do; each is a [`Tool`]. What they do is done by `etalon-workload`. Each hands its runs to a
//! [`RunKeeper`], and all end with one of the codes of [`Exit`].

pub mod dd;
mod exit;
pub mod fdtree;
pub mod hdparm;
pub mod iozone;
mod keeper;
mod reasons;
mod record;
mod tool;
mod way_out;

pub use exit::Exit;
pub use keeper::RunKeeper;
pub use record::ToolRecord;
pub use tool::{Tool, ToolContext};
pub use way_out::way_out_of_denied;

#[cfg(test)]
mod tests;
