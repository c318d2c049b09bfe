//! Scratch directories and their journal as their users meet them.
//!
//! - `scratch`: making and removing, and every reason why it cannot be made.
//! - `kill`: `kill -9` at random moments; afterwards nothing is left.
//! - `attacked`: another user who exchanges what lies on the way to the journal.
//! - `failing`: a disk that fails does not make etalon forget what comes back with it.
//! - `foreign`: what etalon did not make is not touched, whatever the journal says.
//! - `given`: filesystems that give what this user makes to another.
//! - `named`: files and trees under names of the user, told from what replaced them.
//! - `own_directory`: a directory within, and what somebody mounted there.
//! - `journal`: entries that are damaged, of living processes, of other machines.

#![expect(
    clippy::unwrap_used,
    reason = "in a helper of a test, a failure is a failed test"
)]

mod attacked;
mod attacker;
mod failing;
mod foreign;
mod given;
mod journal;
mod kill;
mod named;
mod own_directory;
mod place;
mod scratch;
