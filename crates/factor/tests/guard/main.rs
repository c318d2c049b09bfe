//! The guard on real files, links, FIFOs and loop devices. What needs root and `losetup` says
//! `skipped` where it cannot run.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot go on should say where, and one that cannot run says so"
)]

mod databases;
mod devices;
mod files;
mod ground;
mod outputs;
mod race;
