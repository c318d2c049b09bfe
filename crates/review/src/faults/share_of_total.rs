//! `share-of-total`

use etalon_language::say;

use crate::quantity::short;
use crate::{Fault, FaultCheck, Material, Row, Table};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "share-of-total",
    about: "Rows are compared by their shares of a total.",
    advice: "Give each as a ratio to a named base, for example the first row.",
    find,
};

/// Percentages that add up to a hundred over the rows of a comparison, and lie near one another.
fn find(material: &Material<'_>) -> Vec<Fault> {
    material
        .tables
        .iter()
        .filter_map(in_table)
        .take(3)
        .collect()
}

fn in_table(table: &Table) -> Option<Fault> {
    let shares: Vec<&Row> = table
        .rows
        .iter()
        .filter(|row| !row.percents.is_empty() && !row.label.is_empty())
        .collect();
    let sized = (2..=6).rev().filter(|size| *size <= shares.len());
    let group = sized.flat_map(|size| shares.windows(size)).find(|rows| {
        let percents: Vec<f64> = rows.iter().map(|row| row.percents[0].value).collect();
        let (sum, even) = (percents.iter().sum::<f64>(), 100.0 / rows.len() as f64);
        (sum - 100.0).abs() < 0.1 && percents.iter().all(|p| (p / even - 1.0).abs() < 0.25)
    })?;
    let shown: Vec<String> = group
        .iter()
        .map(|row| format!("{}%", row.percents[0].text))
        .collect();
    let told = say!(
        "fault-share-of-total",
        shares = shown.join(", "),
        equal = short(100.0 / group.len() as f64),
    );
    Some(CHECK.at(group[0].line, told))
}
