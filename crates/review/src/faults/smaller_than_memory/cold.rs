//! Whether the page cache was emptied of a file before it was read.

use crate::{Figure, Line, Material};

/// Lines above a command within which the caches are dropped for it.
const NEAR: usize = 8;
/// What the caches are dropped by.
const DROP: &str = "drop_caches";
/// Words that tell of something that was done for each run.
const EACH: [&str; 8] = [
    "before each",
    "before every",
    "between each",
    "between the runs",
    "between runs",
    "avant chaque",
    "entre chaque",
    "voor elke",
];

/// Whether the figure at this place is of a file that was in no cache when its read began, and each byte of which was read
/// once.
pub(super) fn is_cold(material: &Material<'_>, at: usize) -> bool {
    let figure = &material.figures[at];
    let is_emptied = figure.cold == Some(true) || is_dropped(material, at);
    is_emptied && reads_once(figure)
}

fn reads_once(figure: &Figure) -> bool {
    // Sizes are printed with four digits.
    let (moved, size) = (figure.bytes, figure.size());
    moved
        .zip(size)
        .is_some_and(|(moved, size)| moved <= size * 1.001)
}

/// Whether the caches were dropped between the figure before this one and the command of this one, or for each run.
fn is_dropped(material: &Material<'_>, at: usize) -> bool {
    let lines = &material.page.lines;
    let is_told = |line: &Line| line.says(&[DROP]) && line.says(&EACH);
    if lines.iter().any(is_told) {
        return true;
    }
    let figure = &material.figures[at];
    let command = figure.command_line.unwrap_or(figure.line);
    let others = material.figures[..at].iter().rev();
    let before = others
        .map(|other| other.line)
        .find(|line| *line < figure.line);
    let first = before.unwrap_or(0).max(command.saturating_sub(NEAR + 1));
    let Some((own, above)) = lines.get(first..command).and_then(<[Line]>::split_last) else {
        return false;
    };
    above.iter().any(|line| line.says(&[DROP])) || drops_first(own, figure)
}

/// Whether a line drops the caches before its command.
fn drops_first(line: &Line, figure: &Figure) -> bool {
    let drop = line.plain.find(DROP);
    let command = line.plain.rfind(figure.tool.name());
    drop.zip(command)
        .is_some_and(|(drop, command)| drop < command)
}
