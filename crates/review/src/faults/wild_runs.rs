//! `wild-runs`

use etalon_language::say;

use crate::quantity::{ends, mean, short, span_share};
use crate::{Fault, FaultCheck, Material, Row};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "wild-runs",
    about: "Runs that differ by far were averaged or added up all the same.",
    advice: "Find out why they differ; show every run, and the median with its interval.",
    find,
};

/// How far runs may lie apart, as a share of their mean.
const APART: f64 = 0.2;

fn find(material: &Material<'_>) -> Vec<Fault> {
    let tables = material.tables.iter();
    let rows = tables.flat_map(|table| table.rows.iter().filter(|row| table.may_be_runs(row)));
    rows.filter_map(wild).collect()
}

fn is_total(label: &str) -> bool {
    let label = label.to_lowercase();
    let mut words = label.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "total" | "totals" | "sum" | "somme"))
}

fn wild(row: &Row) -> Option<Fault> {
    let values: Vec<f64> = row.values.iter().map(|n| n.value).collect();
    let (last, runs) = values.split_last().filter(|(_, runs)| runs.len() >= 3)?;
    let is_near = |right: f64| (last / right - 1.0).abs() < 0.01;
    let said = match (is_near(mean(runs)), is_near(runs.iter().sum())) {
        (true, _) => say!("fault-wild-runs-averaged"),
        (_, true) => say!("fault-wild-runs-added"),
        _ => return None,
    };
    // The columns of a row of totals are no runs of one thing.
    if is_total(&row.label) {
        return None;
    }
    let (low, high) = ends(runs);
    (span_share(runs) > APART && !row.label.is_empty()).then(|| {
        CHECK.at(
            row.line,
            say!(
                "fault-wild-runs",
                label = row.label,
                low = short(low),
                high = short(high),
                apart = short((high / low - 1.0) * 100.0),
                said = said,
                result = row.values.last().map_or("", |n| n.text.as_str()),
            ),
        )
    })
}
