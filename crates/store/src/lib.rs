//! Experiments and their runs, kept in one SQLite file.
//!
//! A [`Store`] is opened by path ([`Store::open`], [`Store::open_read_only`]; [`default_path`] says
//! where it lives when nobody names one). Whoever carries out an experiment calls
//! [`Store::begin_experiment`], then [`Store::append_run`] the moment each run ends, then
//! [`Store::append_cells`] and [`Store::finish_experiment`]; each of these is one transaction, so a
//! kill loses at most the run in progress. Readers call [`Store::list`] and [`Store::experiment`], or
//! [`Store::list_sound`] and [`Store::sound_experiment`] for what damage has left; [`Store::outline`] leaves the
//! records of the runs unread, [`Store::abridged_experiment`] their series, and [`Store::digested_experiment`] the runs
//! themselves.
//! [`StoreError`] says what is wrong and what to do about it. Every run and cell carries a checksum,
//! since SQLite itself has none: what comes back is what was stored, or an error. An experiment whose process was killed
//! comes back as running; [`state_now`] says whether it still does, and [`may_run_here`] whether it may on this machine.

mod abridged;
mod cells;
mod choice;
mod codec;
mod columns;
mod digest;
mod elapsed;
mod environment;
mod error;
mod go_on;
mod headline;
mod holder;
mod keep;
mod location;
mod open;
mod read;
mod remark;
mod schema;
mod sound;
mod state;
mod workloads;
mod write;

pub use abridged::Abridged;
pub use digest::Digested;
pub use error::{CorruptDetail, Damage, OpenFailure, StoreError};
pub use headline::Outline;
pub use holder::Holder;
pub use location::{NoDataDirectory, default_path};
pub use open::Store;
pub use remark::Remark;
pub use schema::{APPLICATION_ID, STORE_VERSION};
pub use sound::Sound;
pub use state::{may_run_here, owner_started_unix_ns, state_here, state_now};
