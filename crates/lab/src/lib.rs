//! Disks whose true behaviour is known: models on a virtual clock, arrays of them as md lays them
//! out, and simulations that need no machine.
//!
//! A [`disk::Disk`] is asked by [`disk::Request`]s and answers with [`disk::Completion`]s at times of
//! its own. [`catalogue`] has classes of disks with the source of each figure. [`array::Array`] says
//! which members a request to an array goes to; [`simulate`] carries requests through all of it.
//! [`serve`] puts a disk on the machine's clock, behind a socket, and [`guest`] boots a virtual machine
//! that has such disks. [`powercut`] cuts their power, and says what is left of what was promised.

pub mod array;
pub mod catalogue;
pub mod disk;
pub mod guest;
mod noise;
pub mod powercut;
pub mod serve;
pub mod simulate;
