//! `wrong-mean`

mod said;

use crate::quantity::{mean, short};
use crate::{Fault, FaultCheck, Material, Row, Table};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "wrong-mean",
    about: "A mean or a total does not match the figures it is of.",
    advice: "Compute it again from the runs, by a program.",
    find,
};

/// What rounding may move a mean by, as a share of it.
const TOLERANCE: f64 = 0.0008;

fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut faults: Vec<Fault> = material.tables.iter().flat_map(in_table).collect();
    faults.extend(said::find(material));
    faults
}

fn in_table(table: &Table) -> Vec<Fault> {
    let rows = table.rows.iter().filter(|row| table.may_be_runs(row));
    let mut faults: Vec<Fault> = rows.filter_map(in_row).collect();
    faults.extend(under_groups(table));
    faults
}

/// Three runs or more and what follows them, which is nearly their mean or nearly their sum, and is neither.
fn in_row(row: &Row) -> Option<Fault> {
    let values: Vec<f64> = row.values.iter().map(|n| n.value).collect();
    let (said, runs) = values.split_last().filter(|(_, runs)| runs.len() >= 3)?;
    let (average, sum) = (mean(runs), runs.iter().sum::<f64>());
    let of = |right: f64| (said / right - 1.0).abs();
    let digits = last_digit(row);
    let near = |right: f64, rounding: f64| {
        (said - right).abs() > rounding
            && of(right) > TOLERANCE
            && of(right) < 0.05
            && !within(runs, right, *said)
    };
    let spread = crate::quantity::span_share(runs) > 0.02;
    // Each run is rounded, and so is what is said of them.
    let rounded = digits * (runs.len() + 1) as f64 / 2.0;
    let wrong = [
        (average, "mean", spread && near(average, digits)),
        (sum, "sum", near(sum, rounded)),
    ]
    .into_iter()
    .find(|(_, _, is_wrong)| *is_wrong)?;
    Some(CHECK.at(
        row.line,
        format!(
            "{}: {} stands as the {} of {} runs, which is {}.",
            row.label,
            row.values.last()?.text,
            wrong.1,
            runs.len(),
            short(wrong.0)
        ),
    ))
}

/// What one of the last digit of a row's numbers is, where they are written alike.
fn last_digit(row: &Row) -> f64 {
    let fewest = row.values.iter().map(|n| n.decimals).min().unwrap_or(0);
    0.1_f64.powi(i32::try_from(fewest).unwrap_or(0))
}

/// Whether a figure beside runs may be one more run: only a sum is far from all of them.
fn within(runs: &[f64], right: f64, said: f64) -> bool {
    let (low, high) = crate::quantity::ends(runs);
    right >= low && right <= high && runs.len() < 3 && said >= low && said <= high
}

/// A row without a label under its group: the means or sums of the columns.
fn under_groups(table: &Table) -> Vec<Fault> {
    let mut group: Vec<&Row> = Vec::new();
    let mut faults = Vec::new();
    for row in &table.rows {
        if row.label.is_empty() && group.len() >= 2 {
            faults.extend(columns(&group, row));
            group.clear();
        } else if group
            .first()
            .is_none_or(|first| first.values.len() == row.values.len())
        {
            group.push(row);
        } else {
            group = vec![row];
        }
    }
    faults
}

fn columns(group: &[&Row], under: &Row) -> Option<Fault> {
    let column = |at: usize| -> Option<Vec<f64>> {
        group
            .iter()
            .map(|row| row.values.get(at).map(|n| n.value))
            .collect()
    };
    let wrong = under.values.iter().enumerate().find_map(|(at, said)| {
        let values = column(at)?;
        let (average, sum) = (mean(&values), values.iter().sum::<f64>());
        let right = if (said.value / sum - 1.0).abs() < 0.2 {
            sum
        } else {
            average
        };
        let off = (said.value / right - 1.0).abs();
        let rounding = 0.1_f64.powi(i32::try_from(said.decimals).unwrap_or(0));
        let is_rounded = said.decimals == 0 && (said.value - right).abs() <= rounding;
        (off > TOLERANCE && off < 0.2 && !is_rounded).then(|| {
            format!(
                "column {}: {} stands under {} rows whose {} is {}",
                at + 1,
                said.text,
                values.len(),
                if right == sum { "sum" } else { "mean" },
                short_exact(right)
            )
        })
    })?;
    Some(CHECK.at(under.line, format!("{wrong}.")))
}

fn short_exact(value: f64) -> String {
    format!("{value:.2}")
}
