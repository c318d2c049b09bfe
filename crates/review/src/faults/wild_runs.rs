//! `wild-runs`

use crate::quantity::{ends, mean, short, span_share};
use crate::{Fault, FaultCheck, Material, Row};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "wild-runs",
    about: "Runs that differ by far were averaged all the same.",
    advice: "Find out why they differ; show every run, and the median with its interval.",
    find,
};

/// How far runs may lie apart, as a share of their mean.
const APART: f64 = 0.2;

fn find(material: &Material<'_>) -> Vec<Fault> {
    let rows = material.tables.iter().flat_map(|table| &table.rows);
    rows.filter_map(wild).collect()
}

fn wild(row: &Row) -> Option<Fault> {
    let values: Vec<f64> = row.values.iter().map(|n| n.value).collect();
    let (last, runs) = values.split_last().filter(|(_, runs)| runs.len() >= 3)?;
    let averaged = [mean(runs), runs.iter().sum()]
        .into_iter()
        .any(|right: f64| (last / right - 1.0).abs() < 0.01);
    let (low, high) = ends(runs);
    (averaged && span_share(runs) > APART && !row.label.is_empty()).then(|| {
        CHECK.at(
            row.line,
            format!(
                "{}: runs from {} to {} ({}% apart) were averaged to {}.",
                row.label,
                short(low),
                short(high),
                short((high / low - 1.0) * 100.0),
                row.values.last().map_or("", |n| n.text.as_str())
            ),
        )
    })
}
