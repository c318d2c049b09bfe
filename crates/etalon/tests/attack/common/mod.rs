//! What every attack needs.

mod ground;
mod home;
mod picture;
mod said;
mod storage;

use std::io::Write as _;

pub(crate) use etalon_testbed::{root_for, tool, try_tool};
pub(crate) use ground::Ground;
pub(crate) use home::{Home, program};
pub(crate) use picture::{Guarded, names_in};
pub(crate) use said::{Said, finish, run, start};
pub(crate) use storage::{Loop, Mount, SwapOn};

/// Says on the real standard error what this machine does not have, and so is not attacked.
pub(crate) fn absent(what: &str, why: &str) {
    // Past libtest, which would keep the line to itself.
    let why = why.lines().next().unwrap_or_default();
    let _ = writeln!(std::io::stderr(), "not on this machine: {what}: {why}");
}
