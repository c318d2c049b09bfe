//! The workloads: what is done to a target, carried out and timed.
//!
//! [`copy`] copies as dd does. [`raw_read`] reads a device as hdparm does. [`tree`] creates and
//! removes a recursive tree of directories and files, as fdtree does. [`metadata`] times the
//! operations on names one by one, with several jobs. [`together`] runs several at once. Whoever wants
//! the figures calls [`copy::copy`], [`raw_read::read_device`], [`tree::run`], [`metadata::run`] and
//! [`together::run_prepared`]. Plain I/O, several workloads at once and metadata operations are
//! [`Measurable`] here; copies, raw reads and trees become so in the sessions of the command lines that
//! make them (`crates/tools`), which print between two passes.

mod close;
pub mod copy;
mod file_data;
pub mod measurable;
pub mod metadata;
mod part;
mod plain;
pub mod raw_read;
pub mod room;
pub mod together;
pub mod tree;

/// What a workload makes its own directory by.
pub use etalon_factor::{OwnDirectory, RemoveError};
/// What a workload looks by whether its files have left the page cache.
pub use etalon_stack::CacheLook;
pub use measurable::Measurable;
pub use part::PartWitness;
pub use plain::{PlainError, PlainIo};
pub use room::RoomError;
