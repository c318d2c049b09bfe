//! What so many rows at once cannot tell: of equal ones some look different.

use etalon_language::say;
use etalon_model::{Chance, Standing};
use etalon_units::Percent;

use super::ComparedRow;
use crate::role::label;

/// The rows that would be told apart if they were the only ones, and what is to be known of a screen.
pub(crate) fn by_chance(rows: &[ComparedRow<'_>]) -> Vec<String> {
    let chances = rows.iter().filter_map(|row| row.comparison.chance);
    let Some(chance) = chances.max_by_key(|chance| chance.rows) else {
        return Vec::new();
    };
    if chance.is_of_screen() {
        return match rows.iter().any(names_a_difference) {
            true => vec![say!("compare-screen", rows = chance.rows)],
            false => Vec::new(),
        };
    }
    let apart = rows
        .iter()
        .filter(|row| row.comparison.is_told_apart_alone());
    let names: Vec<String> = apart.map(|row| label(row.cell)).collect();
    let told = || {
        let share = pages_with_one(chance.rows);
        say!(
            "compare-by-chance",
            names = names.join(", "),
            rows = chance.rows,
            share = share
        )
    };
    match names.is_empty() {
        true => Vec::new(),
        false => vec![told()],
    }
}

fn names_a_difference(row: &ComparedRow<'_>) -> bool {
    let mut arms = row.comparison.arms.iter();
    arms.any(|arm| matches!(arm.standing, Some(Standing::Faster | Standing::Slower)))
}

/// On how many pages at least one of so many equal rows looks different, if they have nothing in common.
fn pages_with_one(rows: u32) -> Percent {
    let none = (1.0 - Chance::ALPHA).powf(f64::from(rows));
    Percent::from_fraction(((1.0 - none) * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{cells, comparison};
    use etalon_model::ComparisonVerdict;

    fn told(rows: u32, p: f64, verdict: ComparisonVerdict) -> Vec<String> {
        told_of(rows, p, verdict, Standing::NotShown)
    }

    fn told_of(rows: u32, p: f64, verdict: ComparisonVerdict, other: Standing) -> Vec<String> {
        let (cell, mut comparison) = (cells().remove(0), comparison());
        comparison
            .arms
            .iter_mut()
            .for_each(|arm| arm.standing = None);
        comparison.arms[1].standing = Some(other);
        comparison.verdict = verdict;
        comparison.chance = Some(Chance {
            p,
            adjusted_p: 0.06,
            rows,
        });
        let row = ComparedRow {
            comparison: &comparison,
            cell: &cell,
        };
        by_chance(&[row])
    }

    #[test]
    fn a_row_that_is_told_apart_alone_is_named_with_the_share_of_pages() {
        let undecided = || ComparisonVerdict::Undecided;
        let [text] = &told(3, 0.02, undecided())[..] else {
            panic!("no sentence");
        };
        assert!(
            text.contains("3 equal rows") && text.contains("14 %"),
            "{text}"
        );
        assert!(told(3, 0.2, undecided()).is_empty());
        assert!(told(3, 0.02, ComparisonVerdict::Equivalent).is_empty());
    }

    #[test]
    fn many_rows_of_which_one_differs_are_a_screen() {
        let undecided = || ComparisonVerdict::Undecided;
        let text = told_of(21, 0.02, undecided(), Standing::Slower).join("");
        assert!(text.contains("21 rows"), "{text}");
        assert_eq!(told(21, 0.02, undecided()), [""; 0]);
    }
}
