//! Several files in a directory of the user's choice.

use std::path::Path;

use anyhow::Context as _;
use etalon_factor::guard::{Existing, Output, Readers, new_directory};

use crate::output;

/// Makes the directory where it is missing; those above it must be there.
pub(super) fn make(directory: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot make the directory '{}'", directory.display());
    if directory.exists() {
        return Ok(());
    }
    new_directory(directory).with_context(cannot)
}

/// Writes a file that must not be there, and tells its name.
pub(super) fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write '{}'", path.display());
    let mut file = Output::claim(path, Existing::Refuse, Readers::ByUmask).with_context(cannot)?;
    file.write(bytes).with_context(cannot)?;
    output::print(&format!("{}\n", path.display()))
}
