//! The workloads: what is done to a target, carried out and timed.
//!
//! [`copy`] copies as dd does, and [`dd`] is its command line with dd's lines and etalon's own.
//! [`raw_read`] reads a device as hdparm does, and [`hdparm`] is its command line.
//! [`tree`] creates and removes a recursive tree of directories and files, as fdtree does.
//! [`file_ops`] does to files what iozone's tests do, one file at a time or several together.
//! [`metadata`] times the operations on names one by one, with several jobs. [`work`] is real work:
//! archives, builds, copies, searches, backups, program starts and command lines. [`together`] runs
//! several at once. The command line calls [`dd::main_like`], [`hdparm::main_like`] and
//! [`tree::main_like`]; whoever wants the figures calls [`copy::copy`], [`tree::run`],
//! [`metadata::run`], [`together::run`] and [`RealWork::run`](work::RealWork::run) of an entry of
//! [`work::REGISTRY`]. [`guard`] decides who may write to a block device. The tools with lines of
//! their own hand each run to a [`RunKeeper`].

pub mod copy;
mod cpu;
pub mod dd;
mod exit;
pub mod file_ops;
pub mod guard;
pub mod hdparm;
mod keeper;
pub mod metadata;
mod part;
pub mod raw_read;
mod room;
pub mod together;
pub mod tree;
pub mod work;

pub use exit::ExitStatus;
pub use guard::{Guard, Refusal};
pub use keeper::{RunKeeper, ToolRun};
pub use part::PartWitness;
pub use room::RoomError;
