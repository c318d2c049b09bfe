//! What is asked of the machine everywhere, asked in one way.
//!
//! [`FreeSpace`] says how much of a filesystem may be taken with a tenth of it kept free. [`clock`]
//! reads the kernel's clocks, [`memory`] and [`processor`] what there is and what was used, [`cache`]
//! drops what the page cache holds, [`filesystem`] knows those that are memory, [`thread`] lists the threads of this process, and [`signal`] lets
//! handlers be installed in one step and says which signals end the process at once. [`groups`] finds the control groups of this
//! process, and [`mount_text`] reads names as the kernel writes them in its lists of mounts.

pub mod cache;
pub mod clock;
pub mod filesystem;
pub mod groups;
pub mod memory;
pub mod mount_text;
pub mod processor;
pub mod signal;
mod space;
pub mod thread;

pub use space::FreeSpace;
