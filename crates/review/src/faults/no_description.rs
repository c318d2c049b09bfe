//! `no-description`

use etalon_language::say;

use crate::{Fault, FaultCheck, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "no-description",
    about: "What was measured is not described.",
    advice: "Name the disk, the memory, the kernel and the filesystem: without them nobody can repeat or place the figures.",
    find,
};

fn find(material: &Material<'_>) -> Vec<Fault> {
    let missing = material.setting.missing();
    let line = material
        .figures
        .first()
        .map(|f| f.line)
        .or_else(|| material.tables.first().map(|t| t.rows[0].line));
    let (Some(line), false) = (line, missing.is_empty()) else {
        return Vec::new();
    };
    vec![CHECK.at(
        line,
        say!("fault-no-description", missing = missing.join(", ")),
    )]
}
