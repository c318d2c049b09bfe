//! Virtual machines that boot in seconds: any kernel, an initial memory filesystem of this machine's own
//! programs, and disks that are files or served models.
//!
//! [`Kernel`] finds an image with its modules, [`Archive`] packs what the guest runs, [`Accelerator`]
//! says how its processor runs, and [`Guest::boot`] starts QEMU, waits for its end and says how it went.
//! QEMU is a [`etalon_factor::Server`]: it is in the journal before it runs, and ends with etalon.

mod accelerator;
mod archive;
mod boot;
mod error;
mod kernel;
mod modules;
mod network;
mod programs;
mod qemu;
mod results;

pub use accelerator::Accelerator;
pub use archive::Archive;
pub use boot::{Booted, Guest};
pub use error::GuestError;
pub use kernel::Kernel;
pub use network::Network;
pub use programs::{Libraries, find_program};
pub use qemu::GuestDisk;
pub use results::Results;

/// The first program of every guest: mounts what a system needs, loads the modules, and goes on with
/// `/main.sh`.
pub const INIT: &str = include_str!("init.sh");
/// Carries out the command in `/command.sh` and writes what it gave to the disk for results.
pub const RUN: &str = include_str!("run.sh");
/// The name by which a guest knows the disk for results.
pub const RESULTS: &str = "etalon-results";
