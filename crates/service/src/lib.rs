//! What databases and web servers have in common as real work.
//!
//! [`Home`] is the directory in which a private server runs, as an ordinary user where etalon is root;
//! [`until_it_answers`] waits for it, [`cold`] empties the page cache of its files and tells what stayed, [`on_stop`]
//! ends what takes long once the work is to stop, [`Clients`] ends programs that ask it, [`told_if_full`] knows a full filesystem by each server's words, and [`load`] lets several clients work at once, one after another or
//! at a rate.

mod clients;
pub mod cold;
mod error;
mod full;
mod home;
mod interrupt;
pub mod load;
mod start;

pub use clients::Clients;
pub use error::ServiceError;
pub use full::told_if_full;
pub use home::Home;
pub use interrupt::{by_signal, on_stop, on_stop_or_stuck};
pub use start::{program, until_it_answers};
