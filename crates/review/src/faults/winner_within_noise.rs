//! `winner-within-noise`

use etalon_language::{figure, say};

use crate::quantity::{ends, mean, short};
use crate::{Fault, FaultCheck, Material, Row, Table};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "winner-within-noise",
    about: "A winner is marked on a difference smaller than that between its own runs.",
    advice: "Repeat more often, and mark a best only where the intervals of the means stay apart.",
    find,
};

fn find(material: &Material<'_>) -> Vec<Fault> {
    let groups = material.tables.iter().flat_map(groups);
    groups.filter_map(|group| judged(&group)).collect()
}

/// Rows that are compared with one another: those between rows of sums, of as many runs each.
fn groups(table: &Table) -> Vec<Vec<&Row>> {
    let mut all: Vec<Vec<&Row>> = vec![Vec::new()];
    for row in &table.rows {
        let alike = |first: &&&Row| first.values.len() == row.values.len();
        let last = all.last().and_then(|group| group.first());
        if row.label.is_empty() || !(last.is_none() || last.as_ref().is_some_and(alike)) {
            all.push(Vec::new());
        }
        if !row.label.is_empty()
            && table.may_be_runs(row)
            && let Some(group) = all.last_mut()
        {
            group.push(row);
        }
    }
    all
}

/// The runs of a row: its values but the last, which is their mean or sum.
fn runs(row: &Row) -> Option<Vec<f64>> {
    let values: Vec<f64> = row.values.iter().map(|n| n.value).collect();
    let (last, runs) = values.split_last().filter(|(_, runs)| runs.len() >= 2)?;
    let of = |right: f64| (last / right - 1.0).abs() < 0.05;
    (of(mean(runs)) || of(runs.iter().sum())).then(|| runs.to_vec())
}

fn judged(group: &[&Row]) -> Option<Fault> {
    let best = group.iter().find(|row| row.marked)?;
    let (winner, own) = (runs(best)?, ends(&runs(best)?));
    let rivals = group.iter().filter(|row| row.line != best.line);
    let overlapping = rivals
        .filter_map(|row| Some((row, runs(row)?)))
        .find(|(_, other)| {
            let (low, high) = ends(other);
            low <= own.1 && own.0 <= high
        });
    let (rival, other) = overlapping?;
    let (low, high) = ends(&other);
    let gap = (mean(&winner) / mean(&other) - 1.0).abs() * 100.0;
    Some(CHECK.at(
        best.line,
        say!(
            "fault-winner-within-noise",
            best = best.label,
            rival = rival.label,
            gap = short(gap),
            own_low = figure(own.0),
            own_high = figure(own.1),
            low = figure(low),
            high = figure(high),
        ),
    ))
}
