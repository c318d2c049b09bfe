//! `wild-runs`

use etalon_language::say;

use crate::quantity::{ends, mean, short, span_share};
use crate::{Fault, FaultCheck, Material, Row, Table};

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
    let rows = tables.flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let runs = rows.filter(|(table, row)| table.may_be_runs(row));
    runs.filter_map(|(table, row)| wild(table, row)).collect()
}

fn is_total(label: &str) -> bool {
    let label = label.to_lowercase();
    let mut words = label.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "total" | "totals" | "sum" | "somme"))
}

fn wild(table: &Table, row: &Row) -> Option<Fault> {
    let values: Vec<f64> = row.values.iter().map(|n| n.value).collect();
    let (last, runs) = values.split_last().filter(|(_, runs)| runs.len() >= 3)?;
    let said = said(*last, runs)?;
    let is_wild = span_share(runs) > APART && !row.label.is_empty();
    // The columns of a row of totals are no runs of one thing; nor are those of a row with a nought, unless a head says
    // that they are averaged or added up.
    let is_runs = !is_total(&row.label) && (ends(runs).0 > 0.0 || table.tells_result());
    (is_wild && is_runs).then(|| CHECK.at(row.line, told(row, runs, &said)))
}

/// Whether the runs were averaged or added up; none where the last number is neither.
fn said(last: f64, runs: &[f64]) -> Option<String> {
    let is_near = |right: f64| (last / right - 1.0).abs() < 0.01;
    match (is_near(mean(runs)), is_near(runs.iter().sum())) {
        (true, _) => Some(say!("fault-wild-runs-averaged")),
        (_, true) => Some(say!("fault-wild-runs-added")),
        _ => None,
    }
}

fn told(row: &Row, runs: &[f64], said: &str) -> String {
    let (lowest, highest) = ends(runs);
    let label = &row.label;
    let (low, high) = (short(lowest), short(highest));
    let result = row.values.last().map_or("", |n| n.text.as_str());
    if lowest <= 0.0 {
        // Nothing is a share of nothing.
        return say!(
            "fault-wild-runs-of-nothing",
            label = label,
            low = low,
            high = high,
            said = said,
            result = result,
        );
    }
    let apart = short((highest / lowest - 1.0) * 100.0);
    say!(
        "fault-wild-runs",
        label = label,
        low = low,
        high = high,
        apart = apart,
        said = said,
        result = result,
    )
}
