//! The workloads: what is done to a target, carried out and timed.
//!
//! [`copy`] copies as dd does. [`raw_read`] reads a device as hdparm does. [`tree`] creates and
//! removes a recursive tree of directories and files, as fdtree does. [`file_ops`] does to files what
//! iozone's tests do, one file at a time or several together. [`metadata`] times the operations on
//! names one by one, with several jobs. [`work`] is real work: archives, builds, copies, searches,
//! backups, program starts and command lines. [`together`] runs several at once. Whoever wants the
//! figures calls [`copy::copy`], [`raw_read::read_device`], [`tree::run`], [`metadata::run`],
//! [`together::run_prepared`] and [`RealWork::run`](work::RealWork::run) of an entry of [`work::REGISTRY`].
//! All of it can be measured by whoever takes a [`Measurable`].

pub mod copy;
pub mod file_ops;
pub mod measurable;
pub mod metadata;
mod part;
mod plain;
pub mod raw_read;
mod room;
pub mod together;
pub mod tree;
pub mod work;

pub use measurable::Measurable;
pub use part::PartWitness;
pub use plain::{PlainError, PlainIo};
pub use room::RoomError;
