//! `one-run`

use std::collections::BTreeMap;

use etalon_language::say;

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

/// Monitors print one line of a time that others fill.
fn is_measured(figure: &Figure) -> bool {
    !matches!(figure.tool, Tool::Sar | Tool::Iostat | Tool::Phoronix)
}
