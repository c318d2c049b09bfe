//! Doing I/O and timing it.
//!
//! [`Plan::resolve`] checks a [`IoWorkload`](etalon_model::IoWorkload) against a [`TargetPlace`] and
//! refuses what cannot be done; [`prepare`] lays out the files that it needs; [`run`] does the work
//! and returns a [`Measurement`](etalon_model::Measurement). All three leave what they are doing
//! when the [`Control`] says so.
//!
//! Inside, `run` starts one worker per job. A worker asks `offsets` where to go, `pacing` when,
//! `data` what to write, hands requests to a `backend` and books every answer in a `recorder`.
//! The worker's loop knows neither the backend nor the clock, so the same loop runs on the modelled
//! device's virtual time.
//!
//! Work with an order and a clock of its own, outside this crate, takes its memory, mappings,
//! streams, data and queues from here: [`Buffers`], [`Mapping`], [`Stream`], [`Pattern`], [`Queue`].
//!
//! What a latency is. Blocking backends (`sync`, `mmap`, `stdio`) read the clock once per
//! operation: the end of one is the start of the next, so a latency includes the tool's own work
//! between two operations, which the `null` backend measures (tens of nanoseconds). `io_uring`
//! reads the clock once before each submission and once per pass over the completions, so a
//! latency includes the wait for the rest of its batch on both sides; with a batch of one both are
//! nothing.
//!
//! ```
//! use etalon_engine::{Control, Plan, TargetPlace, prepare, run};
//! use etalon_model::{End, IoWorkload};
//! use etalon_units::Bytes;
//!
//! let directory = tempfile::tempdir()?;
//! let workload = IoWorkload { file_size: Bytes::kib(64), end: End::Pass, ..IoWorkload::default() };
//! let plan = Plan::resolve(&workload, &TargetPlace::Directory(directory.path().to_owned()))?;
//! let control = Control::default();
//! let measurement = run(&prepare(&plan, &control)?, &control)?;
//! assert_eq!(measurement.bytes(), Bytes::kib(64));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod affinity;
mod backend;
mod clock;
mod control;
mod data;
mod error;
mod offsets;
mod pacing;
mod plan;
mod prepare;
mod recorder;
mod run;
mod worker;

pub use backend::{Buffers, Mapping, Queue, Stream};
pub use control::{Control, Progress};
pub use data::Pattern;
pub use error::{EngineError, PlanError};
pub use offsets::Permutation;
pub use plan::{Plan, TargetPlace};
pub use prepare::{Prepared, prepare};
pub use run::run;
