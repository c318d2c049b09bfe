//! The workloads: what is done to a target, carried out and timed.
//!
//! [`tree`] creates and removes a recursive tree of directories and files, as fdtree does.
//! The command line calls [`tree::main_like`]; whoever wants the figures calls [`tree::run`].

pub mod tree;
