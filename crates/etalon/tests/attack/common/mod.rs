//! What every attack needs.

mod ground;
mod home;
mod picture;
mod said;
mod storage;

use std::io::Write as _;

pub(crate) use ground::Ground;
pub(crate) use home::{Home, program};
pub(crate) use picture::{Guarded, names_in};
pub(crate) use said::{Said, finish, run, start};
pub(crate) use storage::{Loop, Mount, SwapOn, tool, try_tool};

/// Says on the real standard error what this machine does not have, and so is not attacked.
pub(crate) fn absent(what: &str, why: &str) {
    // Past libtest, which would keep the line to itself.
    let why = why.lines().next().unwrap_or_default();
    let _ = writeln!(std::io::stderr(), "not on this machine: {what}: {why}");
}

/// Whether this is root; if not, the test is skipped by name.
pub(crate) fn root_for(test: &str) -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        let _ = writeln!(std::io::stderr(), "skipped: {test}: needs root");
    }
    root
}
