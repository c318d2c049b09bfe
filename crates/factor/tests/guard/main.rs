//! The guard on real files, links, FIFOs and loop devices. What needs root and `losetup` says
//! `SKIPPED` where it cannot run.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod databases;
mod devices;
mod files;
mod ground;
mod outputs;
mod race;
