//! The store as its users meet it.
//!
//! - `round_trip`: what is stored comes back as it was, and damage to it does not go unseen.
//! - `bad_files`: files that are no stores, are damaged, locked, too new or cannot be written.
//! - `changed`: notes and tags, experiments copied from another store and removed.
//! - `kill`: `kill -9` at random moments.

#![expect(
    clippy::unwrap_used,
    reason = "in a helper of a test, a failure is a failed test"
)]

mod bad_files;
mod changed;
mod common;
mod kill;
mod round_trip;
