//! `one-run`

use std::collections::BTreeMap;

use etalon_language::say;

use crate::{Fault, FaultCheck, Figure, Line, Material, Tool};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "one-run",
    about: "Every figure is of a single run.",
    advice: "Repeat each measurement at least six times; one run tells nothing of how far it varies.",
    find,
};

/// Where no measurement was made more than twice.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut kinds = BTreeMap::new();
    let figures = material.figures.iter().filter(|f| is_measured(f));
    for figure in figures.clone() {
        kinds
            .entry(figure.kind())
            .or_insert_with(Vec::new)
            .push(figure);
    }
    let most = kinds.values().map(Vec::len).max().unwrap_or(0);
    let told = material.page.lines.iter().any(tells_spread);
    if let Some(line) = admitted(material) {
        return vec![CHECK.at(line, say!("fault-one-run-admitted"))];
    }
    let Some(first) = figures.clone().next() else {
        return Vec::new();
    };
    let single = kinds.values().filter(|runs| runs.len() == 1).count();
    (most <= 2 && !told)
        .then(|| {
            CHECK.at(
                first.line,
                say!(
                    "fault-one-run",
                    counted = counted(single, kinds.len()),
                    label = first.label,
                    quoted = first.quoted,
                ),
            )
        })
        .into_iter()
        .collect()
}

/// Words that tell of several runs or of how far they vary.
const SPREAD: [&str; 9] = [
    "standard deviation",
    "stddev",
    "confidence",
    "runs each",
    "median of",
    "mean of",
    "ecart type",
    "ecart-type",
    "cv =",
];
/// What fio and sysbench print of the operations within one run.
const WITHIN: [&str; 3] = ["\"stddev\"", "(avg/stddev)", "_stddev"];

/// Whether a line tells how far runs vary.
fn tells_spread(line: &Line) -> bool {
    let is_within = line.says(&WITHIN);
    !is_within && (line.says(&SPREAD) || has_share_of_95(line))
}

/// Whether `95%` or `95 %` stands in a line, which is no part of `1.95%`.
fn has_share_of_95(line: &Line) -> bool {
    let text = &line.plain;
    let mut places = text
        .match_indices("95")
        .map(|(at, share)| (at, at + share.len()));
    let is_whole =
        |before: &str| !before.ends_with(|c: char| c.is_ascii_digit() || ".,".contains(c));
    let is_share = |after: &str| after.starts_with('%') || after.starts_with(" %");
    places.any(|(at, end)| is_whole(&text[..at]) && is_share(&text[end..]))
}

/// How many of `all` measurements were made once, where none was made more than twice.
fn counted(single: usize, all: usize) -> String {
    match (single, all) {
        (1, 1) => say!("fault-one-run-only-once"),
        (0, 1) => say!("fault-one-run-only-twice"),
        (0, _) => say!("fault-one-run-all-twice", all = all),
        _ if single == all => say!("fault-one-run-all-once", all = all),
        _ => say!("fault-one-run-some-once", single = single, all = all),
    }
}

/// The line that tells it.
fn admitted(material: &Material<'_>) -> Option<usize> {
    let lines = material.page.lines.iter();
    let mut telling = lines.filter(|line| {
        line.says(&[
            "qu'une seule fois",
            "une seule execution",
            "only run once",
            "run only once",
            "a single run",
            "one run each",
        ])
    });
    telling.next().map(|line| line.number)
}

/// Monitors print one line of a time that others fill; what etalon writes is of all runs of a cell.
fn is_measured(figure: &Figure) -> bool {
    let of_others = [Tool::Sar, Tool::Iostat, Tool::Phoronix, Tool::Etalon];
    !of_others.contains(&figure.tool)
}
