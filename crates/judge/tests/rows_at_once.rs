//! Pages of several rows, simulated: how many of equal ones tell a difference, and what is found of real ones.

#![expect(clippy::unwrap_used, reason = "helpers of a test fail by panicking")]

mod common;

use common::run;
use etalon_judge::{Arm, CompareOptions, Goal, RowArms, compare_rows, judge_cell};
use etalon_model::{Cell, Comparison, ComparisonVerdict, Run, Standing};
use etalon_units::Percent;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

const PAGES: usize = 1000;
/// The share of pages that is kept, and twice what so many pages scatter by.
const KEPT: f64 = 0.05 + 2.0 * 0.0069;
const BLOCKS: usize = 8;
/// Variation of single runs, and of whole blocks that all rows share, on the scale of logarithms.
const NOISE: f64 = 0.08;
const OF_BLOCK: f64 = 0.05;

fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    // Box and Muller; the first must not be zero.
    let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// What the third arm of a page does of what the others do.
const THIRD: f64 = 0.7;

/// The sides of each row, judged once and then given the figures of one page after another.
struct Stage {
    runs: Vec<Run>,
    cells: Vec<Vec<Cell>>,
}

impl Stage {
    fn new(rows: usize) -> Stage {
        Stage::of_arms(2, rows)
    }

    fn of_arms(arms: usize, rows: usize) -> Stage {
        let goal = Goal::new(Some(Percent::from_fraction(0.05)), 6, 30).unwrap();
        let runs: Vec<Run> = (0..6).map(|block| run(block, 1)).collect();
        let all: Vec<&Run> = runs.iter().collect();
        let cell = judge_cell("a cell", &all, &goal).unwrap();
        Stage {
            cells: vec![vec![cell; arms]; rows],
            runs,
        }
    }

    /// A page of the rows, of which the first ones differ by these factors in the second arm, and all in a third one.
    fn page(&mut self, factors: &[f64], rng: &mut Xoshiro256PlusPlus) -> Vec<Comparison> {
        let arms = self.cells[0].len();
        for side in 0..arms {
            let shared: Vec<f64> = (0..BLOCKS).map(|_| OF_BLOCK * normal(rng)).collect();
            for (row, pair) in self.cells.iter_mut().enumerate() {
                let factor = match side {
                    2 => THIRD,
                    _ => *factors.get(row).filter(|_| side == 1).unwrap_or(&1.0),
                };
                let values = shared.iter();
                let values = values.map(|block| 1e5 * factor * (block + NOISE * normal(rng)).exp());
                pair[side].values = values.collect();
            }
        }
        self.compared()
    }

    fn compared(&self) -> Vec<Comparison> {
        let rows = self.cells.iter().map(|cells| {
            let named = ["a", "b", "c"].iter().zip(cells);
            RowArms {
                name: "a cell".to_owned(),
                arms: named.map(|(label, cell)| self.arm(label, cell)).collect(),
            }
        });
        let options = CompareOptions {
            by: Vec::new(),
            baseline: 0,
            margin: 0.02,
        };
        compare_rows(&rows.collect::<Vec<_>>(), &options).unwrap()
    }

    fn arm<'a>(&'a self, label: &str, cell: &'a Cell) -> Arm<'a> {
        Arm {
            label: label.to_owned(),
            session: label.to_owned(),
            cell,
            runs: self.runs.iter().collect(),
        }
    }
}

fn is_told(row: &Comparison) -> bool {
    let standing = row.arms[1].standing;
    matches!(standing, Some(Standing::Faster | Standing::Slower))
}

/// The share of pages of equal rows on which a row is told apart, and on which one would be if each were the only one.
fn false_pages(rows: usize, seed: u64) -> (f64, f64) {
    let (mut stage, mut rng) = (Stage::new(rows), Xoshiro256PlusPlus::seed_from_u64(seed));
    let (mut told, mut alone) = (0, 0);
    for _ in 0..PAGES {
        let page = stage.page(&[], &mut rng);
        told += usize::from(page.iter().any(is_told));
        alone += usize::from(page.iter().any(|row| row.chance.unwrap().p < 0.05));
    }
    let share = |pages: usize| pages as f64 / PAGES as f64;
    (share(told), share(alone))
}

#[test]
fn of_pages_of_equal_rows_at_most_one_in_twenty_tells_a_difference() {
    for (rows, seed) in [(3, 5), (10, 6), (30, 7)] {
        let (told, alone) = false_pages(rows, seed);
        assert!(told <= KEPT, "{rows} rows: {told}");
        // What the adjustment is for.
        assert!(alone > 0.1, "{rows} rows: {alone}");
    }
}

/// A third arm that is certainly slower in every row lets no difference of the other two through.
#[test]
fn of_pages_with_a_third_arm_at_most_one_in_twenty_tells_the_other_two_apart() {
    for (rows, seed) in [(1, 11), (3, 12), (10, 13)] {
        let (mut stage, mut rng) = (
            Stage::of_arms(3, rows),
            Xoshiro256PlusPlus::seed_from_u64(seed),
        );
        let (mut told, mut third) = (0, 0);
        for _ in 0..PAGES {
            let page = stage.page(&[], &mut rng);
            told += usize::from(page.iter().any(is_told));
            let is_slower = |row: &Comparison| row.arms[2].standing == Some(Standing::Slower);
            third += page.iter().filter(|row| is_slower(row)).count();
        }
        let share = told as f64 / PAGES as f64;
        assert!(share <= KEPT, "{rows} rows: {share}");
        // What is real is found all the same.
        let found = third as f64 / (PAGES * rows) as f64;
        assert!(found > 0.9, "{rows} rows: {found}");
    }
}

#[test]
fn a_row_that_differs_by_a_third_is_told_apart_among_ten() {
    let (mut stage, mut rng) = (Stage::new(10), Xoshiro256PlusPlus::seed_from_u64(8));
    let told = (0..PAGES).filter(|_| is_told(&stage.page(&[1.33], &mut rng)[0]));
    let share = told.count() as f64 / PAGES as f64;
    assert!(share > 0.9, "{share}");
}

/// Of the differences that a screen names about one in twenty is none.
#[test]
fn a_screen_keeps_the_share_of_false_ones_among_what_it_names() {
    let (mut stage, mut rng) = (Stage::new(40), Xoshiro256PlusPlus::seed_from_u64(9));
    let (mut shares, mut found) = (0.0, 0);
    for _ in 0..PAGES / 20 {
        let page = stage.page(&[1.33; 20], &mut rng);
        let is_false = page[20..].iter().filter(|row| is_told(row)).count();
        let all = page.iter().filter(|row| is_told(row)).count();
        found += all - is_false;
        shares += is_false as f64 / all.max(1) as f64;
    }
    assert!(shares / (PAGES / 20) as f64 <= 0.05, "{shares}");
    assert!(found > 20 * PAGES / 20 * 9 / 10, "{found}");
}

/// Rows that are told apart by themselves alone claim nothing, and keep their intervals and what they were alone.
#[test]
fn what_does_not_stand_among_the_rows_is_undecided_and_says_what_it_was_alone() {
    let (mut stage, mut rng) = (Stage::new(10), Xoshiro256PlusPlus::seed_from_u64(10));
    let mut pages = (0..PAGES).map(|_| stage.page(&[], &mut rng));
    let given_up = |page: &Vec<Comparison>| page.iter().any(Comparison::is_told_apart_alone);
    let page = pages.find(given_up).unwrap();
    let row = page.iter().find(|row| row.is_told_apart_alone()).unwrap();
    assert_eq!(row.verdict, ComparisonVerdict::Undecided);
    assert_eq!(row.arms[1].standing, Some(Standing::NotShown));
    let interval = row.arms[1].of_baseline.unwrap().interval.unwrap();
    assert!(
        !(interval.low..=interval.high).contains(&1.0),
        "{interval:?}"
    );
    let chance = row.chance.unwrap();
    assert!(chance.p < 0.05 && chance.adjusted_p >= 0.05 && chance.rows == 10);
}
