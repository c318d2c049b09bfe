//! What is written, and what is found when it is read back.

mod ledger;
mod pattern;
mod verify;

pub(crate) use ledger::{Ledger, MAX_BLOCKS, generation};
pub use pattern::Pattern;
pub(crate) use verify::{Expected, check, merge};
