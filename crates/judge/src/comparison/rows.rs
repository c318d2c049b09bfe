//! Rows that are compared at once: of many equal ones some look different by chance.
//!
//! A row's interval and p are its own. Of `m` equal rows at 95 % one or more leave out 1 on `1 - 0.95^m` of the pages: 14 %
//! of three rows, 40 % of ten. So the p of the rows are adjusted for each other, and a row whose adjusted p is not below
//! 5 % claims nothing: by Holm's method, which keeps the share of pages with a false difference at 5 % whatever the rows
//! have in common; from 21 rows on by that of Benjamini and Hochberg, which keeps the share of false ones among the
//! differences there, since Holm's would hide nearly all that is real ([`etalon_stats::holm()`], [`etalon_stats::screen`]).
//! `tests/rows_at_once.rs` has both shares, simulated.

use etalon_model::{Chance, Comparison, ComparisonVerdict};
use etalon_stats::{Ranking, holm, screen};

use super::{Arm, CompareError, CompareOptions, claim_nothing, compare_arms, standing};

/// The arms of one row.
#[derive(Debug, Clone)]
pub struct RowArms<'a> {
    /// The cell's name, or those of the cells that are compared.
    pub name: String,
    /// The sides.
    pub arms: Vec<Arm<'a>>,
}

/// Compares the rows of one page, each as [`compare_arms`] does, and lets a difference count only where it stands among
/// all of them.
///
/// # Errors
/// As [`compare_arms`], for the first row that has one.
pub fn compare_rows(
    rows: &[RowArms<'_>],
    options: &CompareOptions,
) -> Result<Vec<Comparison>, CompareError> {
    let compared = rows
        .iter()
        .map(|row| compare_arms(&row.name, &row.arms, options));
    let mut compared = compared.collect::<Result<Vec<_>, _>>()?;
    hold_together(&mut compared);
    Ok(compared)
}

/// What a ranking of one row says by itself.
pub(super) fn chance_of(ranking: &Ranking) -> Chance {
    let p = ranking.pairs.iter().map(|pair| pair.adjusted_p);
    let p = p.fold(1.0, f64::min);
    Chance {
        p,
        adjusted_p: p,
        rows: 1,
    }
}

fn hold_together(compared: &mut [Comparison]) {
    let p = compared.iter().filter_map(|row| Some(row.chance?.p));
    let p: Vec<f64> = p.collect();
    let rows = u32::try_from(p.len()).unwrap_or(u32::MAX);
    let adjusted = match rows > Chance::MOST_ROWS {
        true => screen(&p),
        false => holm(&p),
    };
    let judged = compared.iter_mut();
    let judged = judged.filter_map(|row| row.chance.map(|chance| (row, chance.p)));
    for ((row, p), adjusted_p) in judged.zip(adjusted) {
        row.chance = Some(Chance {
            p,
            adjusted_p,
            rows,
        });
        give_up(row, p < Chance::ALPHA && adjusted_p >= Chance::ALPHA);
    }
}

/// Takes a difference back that does not stand among the other rows; what is the same within the margin claims none.
fn give_up(row: &mut Comparison, stands_alone: bool) {
    if stands_alone && row.verdict != ComparisonVerdict::Equivalent {
        claim_nothing(row);
        standing::give(row);
    }
}
