//! Running contestants in blocks, and printing what came out.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is the program's purpose"
)]

use anyhow::Context;
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::StdRng};

use crate::contestant::Contestant;
use crate::ratio::{Ratio, median, ratio, spread};

/// Figures of each contestant, block by block.
#[derive(Debug)]
pub struct Table {
    unit: &'static str,
    columns: Vec<(String, Vec<f64>)>,
}

/// Runs every contestant once in each of `blocks` blocks, in random order; figures are in `unit`.
///
/// # Errors
/// The first contestant that fails, by name.
pub fn alternate(
    contestants: &[Contestant],
    blocks: usize,
    unit: &'static str,
) -> anyhow::Result<Table> {
    let mut rng = StdRng::seed_from_u64(1);
    let mut order: Vec<usize> = (0..contestants.len()).collect();
    let mut columns: Vec<(String, Vec<f64>)> = contestants
        .iter()
        .map(|c| (c.name.clone(), Vec::new()))
        .collect();
    for block in 0..blocks {
        eprint!("\rblock {} of {blocks} ", block + 1);
        order.shuffle(&mut rng);
        for &index in &order {
            let contestant = &contestants[index];
            let figure = (contestant.run)().with_context(|| contestant.name.clone())?;
            columns[index].1.push(figure);
        }
    }
    eprintln!();
    Ok(Table { unit, columns })
}

impl Table {
    /// The ratio of the contestant at `ours` to the one at `theirs`; `None` below two blocks, or without them.
    pub fn ratio(&self, ours: usize, theirs: usize) -> Option<Ratio> {
        let of = |at: usize| self.columns.get(at).map(|(_, values)| values.as_slice());
        ratio(of(ours)?, of(theirs)?)
    }

    /// Prints median and spread of each contestant, and the first one's ratio to each other.
    pub fn print(&self) {
        let Some((_, ours)) = self.columns.first() else {
            return;
        };
        println!(
            "{:<28} {:>14} {:>7} {:>5}   first / this (95 %)",
            "", self.unit, "CV", "runs"
        );
        for (index, (name, values)) in self.columns.iter().enumerate() {
            print!(
                "{name:<28} {:>14.1} {:>6.1}% {:>5}",
                median(values),
                100.0 * spread(values),
                values.len()
            );
            match ratio(ours, values).filter(|_| index > 0) {
                Some(r) => println!("   {:.3} [{:.3}, {:.3}]", r.estimate, r.low, r.high),
                None => println!(),
            }
        }
    }
}
