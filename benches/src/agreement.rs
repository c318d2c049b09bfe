//! Whether two programs find the same figures: run in random order within blocks, judged by the
//! interval of their ratio.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is the program's purpose"
)]

use anyhow::{Context, ensure};
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::StdRng};

use crate::ratio::{Ratio, median, ratio, spread};

/// Figures of one run, by name, in the order in which they are printed.
pub type Figures = Vec<(String, f64)>;

/// How far from 1 both ends of a ratio's interval may lie: 5 %.
const MARGIN: f64 = 0.05;

/// Two programs at the same work.
pub struct Pair<'a> {
    /// What the table is called.
    pub title: String,
    /// The unit of the figures.
    pub unit: &'static str,
    /// The program under test.
    pub ours: Box<dyn Fn() -> anyhow::Result<Figures> + 'a>,
    /// The original.
    pub theirs: Box<dyn Fn() -> anyhow::Result<Figures> + 'a>,
    /// What a figure's ratio means, in a word; usually [`Agreement::judge`].
    pub judge: fn(Ratio) -> &'static str,
    /// Brings storage and caches into the same state; runs before each run of either.
    pub prepare: Box<dyn Fn() -> anyhow::Result<()> + 'a>,
}

/// One figure of both programs, block by block.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    name: String,
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

/// What a ratio's interval says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// All of it lies within the margin.
    Agrees,
    /// It reaches beyond the margin, but also into it.
    Undecided,
    /// All of it lies beyond the margin.
    Differs,
}

impl Agreement {
    /// The words for what a ratio's interval says.
    pub fn judge(ratio: Ratio) -> &'static str {
        Agreement::of(ratio).words()
    }

    fn of(ratio: Ratio) -> Agreement {
        let (low, high) = (1.0 - MARGIN, 1.0 + MARGIN);
        if ratio.low >= low && ratio.high <= high {
            Agreement::Agrees
        } else if ratio.low > high || ratio.high < low {
            Agreement::Differs
        } else {
            Agreement::Undecided
        }
    }

    fn words(self) -> &'static str {
        match self {
            Agreement::Agrees => "agrees within 5 %",
            Agreement::Undecided => "undecided",
            Agreement::Differs => "differs",
        }
    }
}

impl Column {
    /// Both programs' figures of that name, block by block.
    pub fn of<'a>(columns: &'a [Column], name: &str) -> Option<(&'a [f64], &'a [f64])> {
        let column = columns.iter().find(|column| column.name == name)?;
        Some((&column.ours, &column.theirs))
    }
}

impl Pair<'_> {
    /// Runs both once in each of `blocks` blocks, in random order, and prints the table.
    ///
    /// # Errors
    /// The first run that fails, or that lacks a figure which the one before had.
    pub fn compare(&self, blocks: usize) -> anyhow::Result<()> {
        self.columns(blocks).map(drop)
    }

    /// The same, and gives the figures of every block.
    ///
    /// # Errors
    /// As [`Pair::compare`].
    pub fn columns(&self, blocks: usize) -> anyhow::Result<Vec<Column>> {
        let mut rng = StdRng::seed_from_u64(1);
        let mut columns = Vec::new();
        for block in 0..blocks {
            eprint!("\r{}: block {} of {blocks} ", self.title, block + 1);
            let mut ours_next = [true, false];
            ours_next.shuffle(&mut rng);
            for ours in ours_next {
                let (who, run) = match ours {
                    true => ("etalon", &self.ours),
                    false => ("the original", &self.theirs),
                };
                (self.prepare)()?;
                let figures = run().with_context(|| format!("{}: {who}", self.title))?;
                keep(&mut columns, figures, ours)?;
            }
        }
        eprintln!();
        self.print(blocks, &columns);
        Ok(columns)
    }

    fn print(&self, blocks: usize, columns: &[Column]) {
        println!("\n{}, {}, {blocks} blocks", self.title, self.unit);
        println!(
            "{:<18} {:>12} {:>6} {:>12} {:>6}   etalon / original (95 %)",
            "", "etalon", "CV", "original", "CV"
        );
        for Column { name, ours, theirs } in columns {
            print!(
                "{name:<18} {:>12.1} {:>5.1}% {:>12.1} {:>5.1}%",
                median(ours),
                100.0 * spread(ours),
                median(theirs),
                100.0 * spread(theirs)
            );
            match ratio(ours, theirs) {
                Some(r) => {
                    let words = (self.judge)(r);
                    println!(
                        "   {:.3} [{:.3}, {:.3}]  {words}",
                        r.estimate, r.low, r.high
                    );
                }
                None => println!("   one block has no interval"),
            }
        }
    }
}

fn keep(columns: &mut Vec<Column>, figures: Figures, ours: bool) -> anyhow::Result<()> {
    if columns.is_empty() {
        columns.extend(figures.iter().map(|(name, _)| Column {
            name: name.clone(),
            ours: Vec::new(),
            theirs: Vec::new(),
        }));
    }
    let names: Vec<&String> = figures.iter().map(|(name, _)| name).collect();
    let known: Vec<&String> = columns.iter().map(|column| &column.name).collect();
    ensure!(
        names == known,
        "figures {names:?} where {known:?} were expected"
    );
    for (column, (_, figure)) in columns.iter_mut().zip(figures) {
        let side = if ours {
            &mut column.ours
        } else {
            &mut column.theirs
        };
        side.push(figure);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(low: f64, high: f64) -> Agreement {
        Agreement::of(Ratio {
            estimate: f64::midpoint(low, high),
            low,
            high,
        })
    }

    #[test]
    fn an_interval_s_place_decides() {
        assert_eq!(of(0.95, 1.05), Agreement::Agrees);
        assert_eq!(of(0.96, 0.99), Agreement::Agrees);
        assert_eq!(of(0.94, 1.0), Agreement::Undecided);
        assert_eq!(of(0.5, 2.0), Agreement::Undecided);
        assert_eq!(of(1.01, 1.06), Agreement::Undecided);
        assert_eq!(of(1.051, 1.2), Agreement::Differs);
        assert_eq!(of(0.8, 0.949), Agreement::Differs);
    }

    #[test]
    fn figures_must_have_the_same_names() {
        let mut columns = Vec::new();
        keep(
            &mut columns,
            vec![("a".into(), 1.0), ("b".into(), 2.0)],
            true,
        )
        .unwrap();
        keep(
            &mut columns,
            vec![("a".into(), 3.0), ("b".into(), 4.0)],
            false,
        )
        .unwrap();
        assert_eq!((columns[1].ours[0], columns[1].theirs[0]), (2.0, 4.0));
        assert!(keep(&mut columns, vec![("a".into(), 1.0)], true).is_err());
    }
}
