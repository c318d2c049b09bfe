//! `one-run`

use std::collections::BTreeMap;

use crate::{Fault, FaultCheck, Figure, Material, Tool};

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
    let told = material.page.says(&[
        "standard deviation",
        "stddev",
        "95 %",
        "95%",
        "confidence",
        "runs each",
        "median of",
        "mean of",
        "ecart type",
        "ecart-type",
        "cv =",
    ]);
    if let Some(line) = admitted(material) {
        return vec![CHECK.at(
            line,
            "the page says itself that it measured once.".to_owned(),
        )];
    }
    let Some(first) = figures.clone().next() else {
        return Vec::new();
    };
    let single = kinds.values().filter(|runs| runs.len() == 1).count();
    (most <= 2 && !told)
        .then(|| {
            CHECK.at(
                first.line,
                format!(
                    "{} ({} {}).",
                    counted(single, kinds.len()),
                    first.label,
                    first.quoted
                ),
            )
        })
        .into_iter()
        .collect()
}

/// How many of `all` measurements were made once, where none was made more than twice.
fn counted(single: usize, all: usize) -> String {
    match (single, all) {
        (1, 1) => "the only measurement was made once".to_owned(),
        (0, 1) => "the only measurement was made twice".to_owned(),
        (0, _) => format!("each of {all} measurements was made twice"),
        _ if single == all => format!("each of {all} measurements was made once"),
        _ => format!("{single} of {all} measurements were made once, none more than twice"),
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

/// Monitors print one line of a time that others fill.
fn is_measured(figure: &Figure) -> bool {
    !matches!(figure.tool, Tool::Sar | Tool::Iostat | Tool::Phoronix)
}
