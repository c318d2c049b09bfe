//! The pictures of a report as files of their own.

use std::path::Path;

use anyhow::Context as _;
use etalon_factor::guard::{Existing, Output, Readers};
use etalon_report::Picture;

use crate::output;
use etalon_tools::Exit;

/// Writes each picture into `directory` and tells their names.
pub(super) fn write(pictures: &[Picture], directory: &Path) -> anyhow::Result<Exit> {
    for picture in pictures {
        let (name, title, note) = (&picture.name, &picture.claim, &picture.note);
        let svg = etalon_picture::standalone(&picture.wide, title, note);
        put(&directory.join(format!("{name}.svg")), svg.as_bytes())?;
        let png = etalon_picture::png(&picture.wide, title, note);
        put(&directory.join(format!("{name}.png")), &png)?;
    }
    Ok(Exit::Done)
}

fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write '{}'", path.display());
    let mut file = Output::claim(path, Existing::Refuse, Readers::ByUmask).with_context(cannot)?;
    file.write(bytes).with_context(cannot)?;
    output::print(&format!("{}\n", path.display()))
}
