//! The pictures of a report as files of their own.

use std::path::Path;

use etalon_report::Picture;

use crate::commands::directories::{make, put};

/// Writes each picture into `directory` and tells their names.
pub(super) fn write(pictures: &[Picture], directory: &Path) -> anyhow::Result<()> {
    make(directory)?;
    for picture in pictures {
        let (name, title, note) = (&picture.name, &picture.claim, &picture.note);
        let svg = etalon_picture::standalone(&picture.wide, title, note);
        put(&directory.join(format!("{name}.svg")), svg.as_bytes())?;
        let png = etalon_picture::png(&picture.wide, title, note);
        put(&directory.join(format!("{name}.png")), &png)?;
    }
    Ok(())
}
