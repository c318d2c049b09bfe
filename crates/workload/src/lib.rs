//! The workloads: what is done to a target, carried out and timed.
//!
//! [`tree`] creates and removes a recursive tree of directories and files, as fdtree does.
//! [`metadata`] times the operations on names one by one, with several jobs. The command line calls
//! [`tree::main_like`]; whoever wants the figures calls [`tree::run`] and [`metadata::run`].

mod cpu;
pub mod metadata;
mod room;
pub mod tree;

pub use room::RoomError;
