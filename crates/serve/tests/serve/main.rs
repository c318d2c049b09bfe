//! The server, asked over real connections on a loopback address, with a store of its own.
//!
//! - `pages`: what the pages show, and that they agree with the store.
//! - `events`: streams of events, and the end.
//! - `attack`: what nobody may do, each with its answer.
//! - `guarded`: token and TLS, and where they are needed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod attack;
mod common;
mod events;
mod guarded;
mod pages;
