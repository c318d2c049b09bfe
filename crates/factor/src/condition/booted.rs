//! What the laboratory tells a machine that it has booted of the part of a plan that is to be made there: words of the kernel's
//! command line. The kernel takes what has a dot for a module's parameter, and heeds none of a module that it does not have.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use etalon_stack::Roots;

/// The word that names the block of a plan, from 0, that is all that is to be measured before the guest ends.
const BLOCK: &str = "etalon.block=";

/// The word by which a guest is told that it makes this block of a plan alone.
#[must_use]
pub fn block_mark(block: u32) -> String {
    format!("{BLOCK}{block}")
}

/// The block that is all that is to be measured while this kernel runs; none on a machine that no laboratory booted for one.
#[must_use]
pub fn booted_block(roots: &Roots) -> Option<u32> {
    word(roots, BLOCK)?.strip_prefix(BLOCK)?.parse().ok()
}

/// The word that begins so and names a level, whatever is in its name.
pub(super) fn mark_of(begin: &str, level: &str) -> String {
    let mut mark = begin.to_owned();
    for byte in level.bytes() {
        match byte.is_ascii_alphanumeric() || b"._+-".contains(&byte) {
            true => mark.push(char::from(byte)),
            // A text takes whatever is written to it.
            false => drop(write!(mark, "%{byte:02x}")),
        }
    }
    mark
}

/// The word of the kernel's command line that begins so.
pub(super) fn word(roots: &Roots, begin: &str) -> Option<String> {
    let line = fs::read_to_string(command_line(roots)).ok()?;
    let mut words = line.split_whitespace();
    words
        .find(|word| word.starts_with(begin))
        .map(str::to_owned)
}

/// Where the kernel shows it (proc_cmdline(5)).
pub(super) fn command_line(roots: &Roots) -> PathBuf {
    roots.procfs.join("cmdline")
}
