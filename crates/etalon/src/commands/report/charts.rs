//! The pictures of a report as files of their own.

use std::path::Path;

use anyhow::Context as _;
use etalon_factor::guard::{Existing, Output, Readers, new_directory};
use etalon_report::Picture;

use crate::output;
use etalon_tools::Exit;

/// Writes each picture into `directory` and tells their names.
pub(super) fn write(pictures: &[Picture], directory: &Path) -> anyhow::Result<Exit> {
    make(directory)?;
    for picture in pictures {
        let (name, title, note) = (&picture.name, &picture.claim, &picture.note);
        let svg = etalon_picture::standalone(&picture.wide, title, note);
        put(&directory.join(format!("{name}.svg")), svg.as_bytes())?;
        let png = etalon_picture::png(&picture.wide, title, note);
        put(&directory.join(format!("{name}.png")), &png)?;
    }
    Ok(Exit::Done)
}

/// Makes the directory where it is missing; those above it must be there.
fn make(directory: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot make the directory '{}'", directory.display());
    if directory.exists() {
        return Ok(());
    }
    new_directory(directory).with_context(cannot)
}

fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write '{}'", path.display());
    let mut file = Output::claim(path, Existing::Refuse, Readers::ByUmask).with_context(cannot)?;
    file.write(bytes).with_context(cannot)?;
    output::print(&format!("{}\n", path.display()))
}
