//! Experiments held against each other for a report, which gives no options of its own.

use etalon_judge::{CompareOptions, RowArms, compare_rows};
use etalon_model::{Cell, Comparison, ComparisonVerdict};
use etalon_report::{ComparedRow, not_compared};
use etalon_stats::Margin;

use super::environments::Environments;
use super::matched::{matched, row_of};
use super::twins;
use crate::arms::NamedArm;

/// The workloads that all experiments have, the first being the base.
pub(crate) struct SideBySide {
    /// A comparison with the base's cell for each row.
    pub(crate) rows: Vec<(Comparison, Cell)>,
    /// What the experiments are called by what differs between them.
    pub(crate) names: Vec<String>,
    /// What is to be said of it.
    pub(crate) notes: Vec<String>,
}

impl SideBySide {
    /// Compares what can be compared, and says of the rest why not.
    pub(crate) fn of(named: &[NamedArm]) -> anyhow::Result<SideBySide> {
        twins::refuse(named)?;
        let environments = Environments::of(named, &[]);
        let names = environments.factor.names.clone();
        let matched = matched(named);
        let options = CompareOptions {
            by: Vec::new(),
            baseline: 0,
            margin: Margin::default().get(),
        };
        let rows = matched.rows.iter();
        let rows: Vec<RowArms<'_>> = rows.map(|cells| row_of(named, &names, cells)).collect();
        let compared = compare_rows(&rows, &options)?.into_iter();
        let bases = matched.rows.iter().map(|cells| cells[0].clone());
        let all: Vec<(Comparison, Cell)> = compared.zip(bases).collect();
        let typed: Vec<String> = named.iter().map(|arm| arm.typed.clone()).collect();
        let not_compared = not_compared(&report_rows(&all), &typed, &names);
        let is_refused =
            |row: &(Comparison, Cell)| matches!(row.0.verdict, ComparisonVerdict::Refused { .. });
        let rows: Vec<_> = all.into_iter().filter(|row| !is_refused(row)).collect();
        let differing = environments.differing();
        let mut notes = differing.notes(&matched.missing, &report_rows(&rows), &typed);
        notes.extend(not_compared);
        Ok(SideBySide { rows, names, notes })
    }
}

/// The rows as a report takes them.
pub(crate) fn report_rows(rows: &[(Comparison, Cell)]) -> Vec<ComparedRow<'_>> {
    let rows = rows.iter();
    rows.map(|(comparison, cell)| ComparedRow { comparison, cell })
        .collect()
}
