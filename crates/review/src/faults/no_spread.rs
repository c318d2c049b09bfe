//! `no-spread`

use etalon_language::say;

use crate::{Fault, FaultCheck, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "no-spread",
    about: "Means stand without their spread.",
    advice: "Say beside each mean how far the runs vary: standard deviation or interval, and their number.",
    find,
};

/// Words that tell of a spread.
const SPREAD: [&str; 14] = [
    "standard deviation",
    "ecart type",
    "ecart-type",
    "ecart-types",
    "stddev",
    "std dev",
    "±",
    "+/-",
    "confidence",
    "interval",
    "variance",
    "percentile",
    "cv ",
    "stdev",
];
/// Words that tell of a mean.
const MEAN: [&str; 6] = [
    "moyenne",
    "average of",
    "mean of",
    "averaged",
    "the mean",
    "in average",
];

/// Lines around a mean in which its spread would stand.
const NEAR: usize = 12;

/// The first mean with no word of its spread near it.
fn find(material: &Material<'_>) -> Vec<Fault> {
    if !material.measures() {
        return Vec::new();
    }
    let said = material
        .page
        .lines
        .iter()
        .filter(|line| line.says(&MEAN))
        .map(|line| line.number);
    let rows = material.tables.iter().flat_map(|table| &table.rows);
    let averaged = rows
        .filter(|row| row.values.len() >= 4 && !row.percents.is_empty())
        .map(|row| row.line);
    let bare = averaged
        .chain(said)
        .find(|line| !is_spread_near(material, *line));
    bare.map(|line| CHECK.at(line, say!("fault-no-spread")))
        .into_iter()
        .collect()
}

fn is_spread_near(material: &Material<'_>, line: usize) -> bool {
    let lines = &material.page.lines;
    lines[line.saturating_sub(NEAR)..(line + NEAR).min(lines.len())]
        .iter()
        .any(|near| near.says(&SPREAD))
}
