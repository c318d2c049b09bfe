//! `wrong-mean`

mod said;

use etalon_language::{figure, say};

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
    let mut faults: Vec<Fault> = rows.filter_map(|row| in_row(table, row)).collect();
    faults.extend(under_groups(table));
    faults
}

/// Three runs or more and what follows them, which is nearly their mean or, where a head tells of one, nearly their sum,
/// and is neither: figures of different things come near a sum by chance.
fn in_row(table: &Table, row: &Row) -> Option<Fault> {
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
    let is_mean = spread && near(average, digits);
    let is_sum = table.tells_result() && near(sum, rounded);
    if !is_mean && !is_sum {
        return None;
    }
    let (right, what) = right(is_mean, average, sum);
    Some(CHECK.at(
        row.line,
        say!(
            "fault-wrong-mean-row",
            label = row.label,
            said = row.values.last()?.text,
            what = what,
            count = runs.len(),
            right = short(right),
        ),
    ))
}

/// The mean or the sum, and what it is called.
fn right(is_mean: bool, average: f64, sum: f64) -> (f64, String) {
    match is_mean {
        true => (average, say!("fault-wrong-mean-mean")),
        false => (sum, say!("fault-wrong-mean-sum")),
    }
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
        let is_mean = (said.value / sum - 1.0).abs() >= 0.2;
        let (right, what) = right(is_mean, average, sum);
        let off = (said.value / right - 1.0).abs();
        let rounding = 0.1_f64.powi(i32::try_from(said.decimals).unwrap_or(0));
        let is_rounded = said.decimals == 0 && (said.value - right).abs() <= rounding;
        (off > TOLERANCE && off < 0.2 && !is_rounded).then(|| {
            say!(
                "fault-wrong-mean-column",
                column = at + 1,
                said = said.text,
                count = values.len(),
                what = what,
                right = hundredths(right),
            )
        })
    })?;
    Some(CHECK.at(under.line, wrong))
}

fn hundredths(value: f64) -> String {
    figure(format!("{value:.2}"))
}
