//! Rows that are compared at once: of many equal ones some look different by chance.
//!
//! An interval is that of its pair of arms alone. Of `m` equal pairs at 95 % one or more leave out 1 on `1 - 0.95^m` of the
//! pages: 14 % of three rows of two arms, 40 % of ten. So the p of all pairs of all rows are adjusted for each other, and a
//! pair whose adjusted p is not below 5 % is not told apart: by Holm's method, which keeps the share of pages with a false
//! difference at 5 % whatever the pairs have in common; from 21 rows on by that of Benjamini and Hochberg, which keeps the
//! share of false ones among the differences there, since Holm's would hide nearly all that is real ([`etalon_stats::holm()`],
//! [`etalon_stats::screen`]). One real difference in a row lets no other pair of that row through.
//! `tests/rows_at_once.rs` has both shares, simulated.

use etalon_model::{Chance, Comparison};
use etalon_stats::{holm, screen};

use super::{Arm, CompareError, CompareOptions, RankedRow, limit};

/// The arms of one row.
#[derive(Debug, Clone)]
pub struct RowArms<'a> {
    /// The cell's name, or those of the cells that are compared.
    pub name: String,
    /// The sides.
    pub arms: Vec<Arm<'a>>,
}

/// Compares the rows of one page, each as [`compare_arms`](super::compare_arms) does, and lets a difference count only where
/// it stands among those of all of them.
///
/// # Errors
/// As [`compare_arms`](super::compare_arms), for the first row that has one.
pub fn compare_rows(
    rows: &[RowArms<'_>],
    options: &CompareOptions,
) -> Result<Vec<Comparison>, CompareError> {
    let held = rows.iter().map(|row| limit::declared(&row.arms, options));
    let held: Vec<_> = held.collect();
    let arms = rows.iter().zip(&held);
    let arms: Vec<_> = arms
        .map(|(row, held)| limit::under(&row.arms, held))
        .collect();
    let ranked = rows.iter().zip(&arms);
    let ranked = ranked.map(|(row, arms)| RankedRow::new(&row.name, arms, options));
    hold_together(ranked.collect::<Result<_, _>>()?)
}

/// Holds the pairs of all rows to 5 % together.
fn hold_together(ranked: Vec<RankedRow<'_>>) -> Result<Vec<Comparison>, CompareError> {
    let p: Vec<Vec<f64>> = ranked.iter().filter_map(RankedRow::p).collect();
    let rows = u32::try_from(p.len()).unwrap_or(u32::MAX);
    let adjusted = match rows > Chance::MOST_ROWS {
        true => screen(&p.concat()),
        false => holm(&p.concat()),
    };
    let mut adjusted = adjusted.into_iter();
    let rows = ranked.into_iter().map(|row| {
        let pairs = row.p().map_or(0, |p| p.len());
        let own: Vec<f64> = adjusted.by_ref().take(pairs).collect();
        row.among(rows, own)
    });
    rows.collect()
}
