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
mod image;
mod kernel;
mod module_index;
mod modules;
mod network;
mod one_processor;
mod port;
mod programs;
mod qemu;
mod root;
mod serving;

pub use accelerator::Accelerator;
pub use archive::Archive;
pub use boot::{Booted, Guest};
pub use error::GuestError;
pub use image::DiskImage;
pub use kernel::{InstalledKernel, Kernel, installed};
pub use network::Network;
pub use port::PortLines;
pub use programs::{Libraries, find_program};
pub use qemu::{GuestCable, GuestDisk};
pub use root::{ROOT, RootImage};
pub use serving::ServingGuest;

/// The first program of every guest: mounts what a system needs, loads the modules, and goes on with
/// `/main.sh`.
pub const INIT: &str = include_str!("init.sh");
/// Carries out the command in `/command.sh`, which tells what it measures by the port of this guest.
pub const RUN: &str = concat!(include_str!("port.sh"), include_str!("run.sh"));
/// Carries out the command in `/command.sh`, which serves a disk to another guest, and tells by the port that it does.
const SERVE: &str = concat!(include_str!("port.sh"), include_str!("serve.sh"));
/// The name by which a guest knows its port.
pub const PORT: &str = "etalon-lab";
/// The module of the port.
pub const PORT_MODULE: &str = "virtio_console";
/// The word of the line by which [`RUN`] tells the exit code of its command.
pub const CODE: &str = "code";
/// The serial number of a disk that is told from others by it.
const SERIAL: &str = "etalon-results";
