//! The answer in words: what is faster, what is slower, and where nothing is shown.

use etalon_language::say;
use etalon_model::{ComparisonArm, Estimate, Standing};
use etalon_units::Percent;

use super::ComparedRow;
use super::figures::{inverse, margin, ratio, span, speed};
use super::groups::Groups;
use crate::role::label;

/// More sentences of one kind than these are not read; the table has them all.
const MOST_SENTENCES: usize = 4;

/// One arm in one row.
struct ArmInRow<'a> {
    row: &'a ComparedRow<'a>,
    arm: usize,
    standing: Standing,
    /// How many times as fast the faster of the two is.
    times: Estimate,
}

impl ArmInRow<'_> {
    fn is_of_few_runs(&self) -> bool {
        self.row.comparison.arms[self.arm].has_too_few_runs()
    }
}

/// The sentences, the most important first.
pub(crate) fn answer(rows: &[ComparedRow<'_>], groups: &Groups) -> Vec<String> {
    let found: Vec<ArmInRow<'_>> = rows.iter().flat_map(found).collect();
    if found.is_empty() {
        return vec![say!("compare-nothing")];
    }
    let mut told = best(rows, groups);
    told.extend(shown(&found, Standing::Faster, groups));
    told.extend(shown(&found, Standing::Slower, groups));
    told.extend(alike(rows, &found, groups));
    told.extend(undecided(&found, groups));
    told
}

/// The figures that the answer names, as it writes them.
pub(crate) fn main_figures(rows: &[ComparedRow<'_>]) -> Vec<String> {
    let mut figures: Vec<String> = rows.iter().flat_map(found).map(|f| times(&f)).collect();
    figures.sort();
    figures.dedup();
    figures
}

fn times(found: &ArmInRow<'_>) -> String {
    say!("compare-times", ratio = ratio(found.times.value))
}

fn found<'a>(row: &'a ComparedRow<'a>) -> Vec<ArmInRow<'a>> {
    let arms = row.comparison.arms.iter().enumerate();
    let found = |(arm, compared): (usize, &ComparisonArm)| {
        let speed = speed(compared, row.comparison.unit)?;
        let standing = compared.standing?;
        Some(ArmInRow {
            row,
            arm,
            standing,
            times: match standing {
                Standing::Slower => inverse(&speed),
                _ => speed,
            },
        })
    };
    arms.filter_map(found).collect()
}

/// Of more than two arms, the one that beats all others.
fn best(rows: &[ComparedRow<'_>], groups: &Groups) -> Vec<String> {
    if groups.count() < 3 {
        return Vec::new();
    }
    let of_arm = |arm: usize| {
        let is_best = |row: &&ComparedRow<'_>| {
            let compared = row.comparison.arms.get(arm);
            compared.is_some_and(|compared| compared.is_best)
        };
        let names: Vec<String> = rows
            .iter()
            .filter(is_best)
            .map(|row| label(row.cell))
            .collect();
        (!names.is_empty()).then(|| {
            say!(
                "compare-best",
                arm = groups.name(arm),
                rows = names.join(", ")
            )
        })
    };
    (0..groups.count()).filter_map(of_arm).collect()
}

/// The differences of one direction, the largest that is certain first.
fn shown(found: &[ArmInRow<'_>], standing: Standing, groups: &Groups) -> Vec<String> {
    let mut own: Vec<&ArmInRow<'_>> = found.iter().filter(|f| f.standing == standing).collect();
    let certain = |found: &ArmInRow<'_>| found.times.interval.map_or(0.0, |interval| interval.low);
    own.sort_by(|a, b| certain(b).total_cmp(&certain(a)));
    let mut told: Vec<String> = own
        .iter()
        .take(MOST_SENTENCES)
        .map(|found| sentence(found, groups))
        .collect();
    let rest: Vec<String> = own
        .iter()
        .skip(MOST_SENTENCES)
        .map(|found| name(found, groups))
        .collect();
    if !rest.is_empty() {
        let rest = rest.join(", ");
        told.push(match standing {
            Standing::Slower => say!("compare-also-slower", rows = rest),
            _ => say!("compare-also-faster", rows = rest),
        });
    }
    told
}

/// `xfs is 1.51 times as fast as btrfs in random write QD1 (95 %: 1.40-1.64).`
fn sentence(found: &ArmInRow<'_>, groups: &Groups) -> String {
    let (arm, base) = (groups.name(found.arm), groups.name(groups.baseline));
    let (winner, loser) = match found.standing {
        Standing::Slower => (base, arm),
        _ => (arm, base),
    };
    let interval = found.times.interval.as_ref();
    let interval = interval.map(|it| (Percent::from_fraction(it.level), span(it)));
    let is_one_workload = found.row.is_one_workload();
    let row = is_one_workload.then(|| label(found.row.cell));
    let times = times(found);
    match (row, interval) {
        (None, None) => {
            say!(
                "compare-faster",
                winner = winner,
                times = times,
                loser = loser
            )
        }
        (Some(row), None) => {
            say!(
                "compare-faster-in",
                winner = winner,
                times = times,
                loser = loser,
                row = row
            )
        }
        (None, Some((level, ends))) => say!(
            "compare-faster-interval",
            winner = winner,
            times = times,
            loser = loser,
            level = level,
            interval = ends,
        ),
        (Some(row), Some((level, ends))) => say!(
            "compare-faster-in-interval",
            winner = winner,
            times = times,
            loser = loser,
            row = row,
            level = level,
            interval = ends,
        ),
    }
}

fn alike(rows: &[ComparedRow<'_>], found: &[ArmInRow<'_>], groups: &Groups) -> Option<String> {
    let own = found.iter().filter(|f| f.standing == Standing::Equal);
    let names: Vec<String> = own.map(|found| name(found, groups)).collect();
    let margin = margin(rows.first()?.comparison.margin);
    (!names.is_empty()).then(|| say!("compare-equal", margin = margin, rows = names.join(", ")))
}

/// The rows without a verdict: with an interval that holds both, and without one.
fn undecided(found: &[ArmInRow<'_>], groups: &Groups) -> Vec<String> {
    let own = found.iter().filter(|f| f.standing == Standing::NotShown);
    let (few, enough): (Vec<_>, Vec<_>) = own.partition(|f| f.is_of_few_runs());
    let names = |rows: &[&ArmInRow<'_>]| -> Option<String> {
        let names: Vec<String> = rows.iter().map(|found| name(found, groups)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    if enough.len() == found.len() {
        return vec![say!("compare-none-at-all")];
    }
    if few.len() == found.len() {
        return vec![say!("compare-too-few-at-all")];
    }
    let not_shown = names(&enough).map(|rows| say!("compare-none-in", rows = rows));
    let too_few = names(&few).map(|rows| say!("compare-too-few-in", rows = rows));
    not_shown.into_iter().chain(too_few).collect()
}

/// The row, and with more than two arms the one that is meant.
fn name(found: &ArmInRow<'_>, groups: &Groups) -> String {
    let row = label(found.row.cell);
    match groups.count() {
        2 => row,
        _ => format!("{row} ({})", groups.name(found.arm)),
    }
}
