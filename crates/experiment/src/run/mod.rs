//! The one way to make runs.
//!
//! [`repeat()`] asks a [`Session`] which groups of cells still need runs, has [`Schedule`] order them,
//! and keeps what each pass gives. An [`Observer`] looks around each pass of something
//! [`Measurable`](etalon_workload::Measurable), reads the counters around each of its parts, and makes
//! a judged run of each; [`ShortPasses`] looks around many that are shorter than a look. `Until` says when
//! enough runs were made.

pub(crate) mod around;
mod brackets;
mod build;
pub(crate) mod cache;
mod observe;
mod plain;
pub(crate) mod quiet;
mod repeat;
mod schedule;
mod short;
mod stopping;
mod traffic;

pub use build::unobserved;
pub use observe::{Observed, Observer};
pub(crate) use plain::Runner;
pub use repeat::{BegunPass, Session, Step, repeat};
pub use schedule::{Schedule, order_of_block};
pub use short::ShortPasses;
pub(crate) use stopping::Until;
