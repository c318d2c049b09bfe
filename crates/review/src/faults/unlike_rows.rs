//! `unlike-rows`

use etalon_language::say;

use crate::quantity::bytes_in_words;
use crate::{Fault, FaultCheck, Figure, Material, Tool};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "unlike-rows",
    about: "Measurements of different sizes stand beside one another as if they were alike.",
    advice: "Measure both with the same size, or say beside each which size it has.",
    find,
};

/// How many times as large one may be.
const TIMES: f64 = 1.5;
/// Lines between two copies that belong together.
const NEAR: usize = 12;

/// Copies of the same kind, one shortly after the other, of which one moved far less.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let copies: Vec<&Figure> = material
        .figures
        .iter()
        .filter(|f| f.tool == Tool::Dd)
        .collect();
    let pairs = copies
        .windows(2)
        .filter_map(|pair| unlike(material, pair[0], pair[1]));
    pairs.take(3).collect()
}

fn unlike(material: &Material<'_>, first: &Figure, second: &Figure) -> Option<Fault> {
    let (one, other) = (first.bytes?, second.bytes?);
    let near = second.line - first.line <= NEAR && first.action == second.action;
    let between = &material.page.lines[first.line..second.line];
    // Where its own command stands above it, the reader sees the other size.
    let shown = second.command_line.is_some()
        || between
            .iter()
            .any(|line| line.says(&["plus de donnees", "more data", "fichier de", "file of"]));
    (near && !shown && one.max(other) / one.min(other) > TIMES).then(|| {
        CHECK.at(
            second.line,
            say!(
                "fault-unlike-rows",
                size = bytes_in_words(other),
                quoted = second.quoted,
                other_size = bytes_in_words(one),
                other_quoted = first.quoted,
                line = first.line.to_string(),
            ),
        )
    })
}
