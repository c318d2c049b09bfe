//! `etalon fdtree`: the command line of fdtree 1.0.2 and its lines.
//!
//! [`FdtreeLine`] reads the words and `etalon_workload::tree` does the work.

mod cli;
mod error;
mod kept;
mod options;
mod output;
mod refusal;
mod session;

pub use cli::Fdtree;
pub use error::FdtreeUsage;
pub use options::{FdtreeLine, Options};

#[cfg(test)]
mod tests;
