//! The guard: every file, device or stream that etalon writes is opened here.
//!
//! [`open`] opens what a user named as a copy's output, [`may_write`] judges what somebody else
//! opened, [`HeldDevice`] is a device that is written for longer, [`lost_on`] tells what goes with it, [`Output`] is a file that etalon makes beside its work, [`database`] the file of a store.
//! What is judged is the *open descriptor*: a name is looked up once, without opening anything
//! (`O_PATH`), the inode that it led to is judged, that very inode is opened through
//! `/proc/self/fd`, judged again, and only then cut. A name that leads elsewhere meanwhile changes
//! nothing.

mod database;
mod device;
mod directory;
mod judge;
mod lost;
mod open;
mod output;
mod refusal;
mod reopen;
mod sticky;

pub use database::{Database, database, private_directory};
pub use device::HeldDevice;
pub use directory::new_directory;
pub use judge::may_write;
pub use lost::{device_size, lost_on};
pub use open::{Create, Writing, open};
pub use output::{Existing, Output, Readers};
pub use refusal::{GuardError, Refusal};
