//! An attack on etalon from outside: every case starts the program as a user would, and asserts
//! what it must never do.
//!
//! | part | what it attacks |
//! |---|---|
//! | `common` | starting the program, devices and filesystems that go away with their test |
//! | `dangers` | names of what must not be written: devices in use, marked devices, files behind devices, special files, and the ways to spell them |
//! | `ways` | every option of every command that takes a name, and the walk through the help that finds a new one |
//! | `targets` | dangers x ways: refused, and not a byte changed |
//! | `twins` | what must go on working |
//! | `races` | a thread that swaps names while commands look and open |
//! | `stranger` | another user who was there first: planted names and journals, swapped directories |
//! | `forged` | entries and directories that somebody has tampered with |
//! | `storms` | `kill -9` at random moments |
//! | `signals` | early, repeated and ignored signals, limits, a mask of zero |
//! | `hostile_names` | escape sequences, new lines and formulas in names |
//! | `damaged` | stores that are empty, cut short or rotten |
//!
//! `ETALON_ATTACK_BINARY=FILE` attacks another program than the one just built, so that one can see
//! an older one fail; `ETALON_ATTACK_KILLS=1000` is the nightly size of the kill storms. What needs
//! root is skipped by name, and what this machine does not have is named, on standard error.

#![expect(
    clippy::unwrap_used,
    reason = "in a helper of a test, a failure is a failed test"
)]

mod common;
mod damaged;
mod dangers;
mod forged;
mod hostile_names;
mod races;
mod signals;
mod storms;
mod stranger;
mod targets;
mod twins;
mod ways;
