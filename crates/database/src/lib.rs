//! Databases as real work: what people wait for when a program keeps its data in one.
//!
//! Each engine is a folder or file that implements a [`RealWork`] and
//! `Session`, by itself or through `private` and `standing`; `sequence` takes all of them through the same steps: load, count, insert, index,
//! the queries of `queries`, vacuum and checkpoint. Rows come from a seed, so that every run works
//! on the same data. What an engine says of its settings and counters goes with each step as
//! [`ServiceFacts`](etalon_model::ServiceFacts), of which the checks judge whether commits were
//! durable and whether the disk was in the figure at all. `driven` has other programs work on the same servers.

mod ahead;
mod driven;
mod error;
mod lock_watch;
mod mariadb;
mod parameters;
mod postgresql;
mod private;
mod queries;
mod read_back;
mod row_size;
mod rows;
mod sequence;
mod session;
mod sqlite;
mod standing;
mod stream;
mod transactions;

pub use error::DatabaseError;
use error::explained;
pub use mariadb::WireError;
pub use postgresql::{PostgresqlError, ServerRefusal, places as postgresql_places};

use etalon_work::RealWork;

/// The databases, in the order of the help text.
pub static WORKS: [&dyn RealWork; 5] = [
    &sqlite::Sqlite,
    &postgresql::Postgresql,
    &mariadb::Mariadb,
    &driven::Pgbench,
    &driven::Sysbench,
];

#[cfg(test)]
mod tests;
