//! The file operations of iozone: each goes over one file record by record, in an order of its own.
//!
//! [`FileOp`] names an operation, [`Settings`] says how the file is opened, how large file and
//! records are and what is inside the clock. [`run_pass`] carries out one operation on one file,
//! [`run_together`] the same operation on several files at once with a common start; both give
//! [`Pass`] records. [`Placed`] makes, keeps and removes the files.
//!
//! A pass reads the clock twice: after everything is ready (file open, memory touched, order of
//! the records decided) and at its end, so that its rate is that of the calls alone. Reads and
//! writes carry their offset (`pread`, `pwrite`), which saves the `lseek` before a random access.
//! Data in the records do not compress, nor do records beside one another repeat, and every page bears
//! its own number, so that nothing below can merge two of them, unless a [`Fill`] asks for something
//! else.
//!
//! Steps (`steps`) say where a pass goes: over whole records in an [`Order`], or as [`Lists`] have
//! it. They are taken one after the other (`visit`), or several at once from a queue (`queued`,
//! [`Depth`]). What a worker does between them ([`Think`]) is no part of its time.

mod advice;
mod clock;
mod content;
mod data;
mod error;
mod file;
mod file_lock;
mod halt;
mod jitter;
mod launch;
mod mapped;
mod mix;
mod operation;
mod order;
mod pass;
mod place;
mod prepare;
mod progress;
mod queue;
mod queued;
mod ready;
mod record_file;
mod record_lock;
mod remount;
mod rendezvous;
mod settings;
mod stamp;
mod start;
mod steps;
mod think;
mod together;
mod visit;
mod witness;

pub use advice::Advice;
pub use content::{Fill, Sharing};
pub use error::FileOpError;
pub use launch::{WorkerProgram, worker_main};
pub use mix::Mix;
pub use operation::{Direction, FileOp};
pub use order::{Order, Visits};
pub use pass::{Pass, RecordLatency};
pub use place::{FileId, Placed, SpaceLeft, Terms, made_by_etalon, room};
pub use prepare::run_pass;
pub use remount::Remount;
pub use settings::{Depth, Mapped, Settings, WriteBack};
pub use steps::{Access, Lists, extent};
pub use think::{Burst, Think};
pub use together::{GroupResult, TogetherOptions, Workers, run_together};
pub use witness::ClockWitness;

#[cfg(test)]
mod tests;
