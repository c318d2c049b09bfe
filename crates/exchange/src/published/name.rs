//! What the cells of published figures are called.

use std::collections::{BTreeMap, BTreeSet};

use etalon_review::{Action, Figure};
use etalon_units::Bytes;

/// A name for each figure: one for those of a kind, different ones for others.
///
/// A name is as short as it can be, so that the same work in two texts has the same one and can be compared. Where two
/// kinds would share it, they are told apart by the disk or file, by what was done there, or else by the line.
pub(super) fn names(figures: &[Figure]) -> Vec<String> {
    let mut kinds = BTreeMap::new();
    for figure in figures {
        let next = kinds.len();
        kinds.entry(figure.kind()).or_insert((next, figure));
    }
    let mut first: Vec<(usize, &Figure)> = kinds.values().copied().collect();
    first.sort_by_key(|(at, _)| *at);
    let first: Vec<&Figure> = first.into_iter().map(|(_, figure)| figure).collect();
    let mut told: Vec<String> = first.iter().map(|figure| plain(figure)).collect();
    tell_apart(&mut told, |at| {
        first[at].place.clone().map(|place| format!(" ({place})"))
    });
    tell_apart(&mut told, |at| {
        done(first[at].action).map(|done| format!(" ({done})"))
    });
    tell_apart(&mut told, |at| Some(format!(" (line {})", first[at].line)));
    let of = |figure: &Figure| kinds.get(&figure.kind()).map_or(0, |(at, _)| *at);
    figures
        .iter()
        .map(|figure| told[of(figure)].clone())
        .collect()
}

/// Gives each name that several have its own end; one that all of them share tells nothing.
fn tell_apart(names: &mut [String], end: impl Fn(usize) -> Option<String>) {
    let mut ends: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        ends.entry(name.clone()).or_default().insert(end(at));
    }
    for (at, name) in names.iter_mut().enumerate() {
        if ends.get(name).is_some_and(|ends| ends.len() > 1) {
            name.push_str(&end(at).unwrap_or_default());
        }
    }
}

/// What was done, of a transfer: a job of fio that reads and writes has one name for both.
fn done(action: Action) -> Option<&'static str> {
    match action {
        Action::Read => Some("read"),
        Action::Write => Some("write"),
        Action::RandomRead => Some("random read"),
        Action::RandomWrite => Some("random write"),
        Action::Copy | Action::CachedRead | Action::Other => None,
    }
}

/// `iozone random read, 64 KiB of 1 GiB, direct`.
fn plain(figure: &Figure) -> String {
    let program = figure.tool.name();
    let label = figure.label.trim();
    let mut name = match label.strip_prefix(program) {
        Some(rest) if rest.starts_with(' ') => label.to_owned(),
        _ if label.is_empty() => program.to_owned(),
        _ => format!("{program} {label}"),
    };
    let size = |bytes: f64| Bytes(bytes.round() as u64).to_string();
    let sizes = match (figure.block_bytes, figure.file_bytes) {
        (Some(block), Some(file)) => Some(format!("{} of {}", size(block), size(file))),
        (Some(block), None) => Some(size(block)),
        (None, Some(file)) => Some(format!("of {}", size(file))),
        (None, None) => None,
    };
    if let Some(sizes) = sizes {
        name.push_str(&format!(", {sizes}"));
    }
    if figure.direct == Some(true) && !label.contains("DIRECT") {
        name.push_str(", direct");
    }
    name
}
