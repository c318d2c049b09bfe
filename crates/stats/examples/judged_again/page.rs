//! The page on published winners: reads the tables, judges each, writes Markdown.

use std::fmt::Write as _;

use etalon_stats::{
    Better, Design, Level, PLANNED_POWER, PairTest, Ranking, RankingError, Sample, SampleError,
    rank, runs_to_detect,
};
use serde::Deserialize;

/// The published tables as they were printed.
const TABLES: &str = include_str!("../../tests/data/published.json");

/// Why the page cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    /// The tables are not as expected.
    #[error("the published tables cannot be read: {0}")]
    Tables(#[from] serde_json::Error),
    /// A run is no number.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// A table cannot be ranked.
    #[error(transparent)]
    Ranking(#[from] RankingError),
    /// Text could not be written.
    #[error(transparent)]
    Text(#[from] std::fmt::Error),
}

#[derive(Deserialize)]
struct Published {
    tables: Vec<Table>,
}

#[derive(Deserialize)]
struct Table {
    section: String,
    machine: String,
    medium: String,
    unit: String,
    better: String,
    line: usize,
    arms: Vec<Arm>,
}

#[derive(Deserialize)]
struct Arm {
    name: String,
    runs: Vec<f64>,
    published_best: bool,
}

/// How many marks were given and what became of them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tables.
    pub(crate) tables: usize,
    /// Arms marked as best.
    pub(crate) marks: usize,
    /// Marks whose arm beats every other arm of its table.
    pub(crate) survive: usize,
    /// Tables in which any two arms are told apart.
    pub(crate) with_a_difference: usize,
}

/// One table judged.
struct Judged<'a> {
    table: &'a Table,
    ranking: Ranking,
}

impl Judged<'_> {
    fn new(table: &Table) -> Result<Judged<'_>, PageError> {
        let arms = table
            .arms
            .iter()
            .map(|arm| Sample::new(arm.runs.clone()))
            .collect::<Result<Vec<_>, _>>()?;
        let better = if table.better == "higher" {
            Better::Higher
        } else {
            Better::Lower
        };
        let ranking = rank(&arms, Design::Independent, better, Level::REPORTED)?;
        Ok(Judged { table, ranking })
    }

    fn marked(&self) -> impl Iterator<Item = usize> {
        let arms = self.table.arms.iter().enumerate();
        arms.filter(|(_, arm)| arm.published_best).map(|(i, _)| i)
    }

    /// The marked arm against the best-looking of the others.
    fn against_best_rival(&self, marked: usize) -> Option<&PairTest> {
        let rival = self.ranking.order.iter().find(|&&arm| arm != marked)?;
        self.ranking.pairs.iter().find(|pair| {
            (pair.leader, pair.other) == (marked, *rival)
                || (pair.leader, pair.other) == (*rival, marked)
        })
    }

    fn add_to(&self, tally: &mut Tally) {
        tally.tables += 1;
        for marked in self.marked() {
            tally.marks += 1;
            tally.survive += usize::from(self.ranking.best == Some(marked));
        }
        let alpha = self.ranking.level.alpha();
        let differs = self.ranking.pairs.iter().any(|p| p.adjusted_p < alpha);
        tally.with_a_difference += usize::from(differs);
    }

    fn verdict(&self, marked: usize) -> String {
        if self.ranking.best == Some(marked) {
            return "**best**".to_owned();
        }
        if !self.ranking.best_group.contains(&marked) {
            return "beaten".to_owned();
        }
        let names = self.ranking.best_group.iter().filter(|&&arm| arm != marked);
        let names: Vec<&str> = names
            .map(|&arm| self.table.arms[arm].name.as_str())
            .collect();
        format!("not separated from {}", names.join(", "))
    }

    /// Runs per arm that would show a difference of the size seen, at the spread seen.
    fn runs_it_takes(&self, pair: &PairTest) -> String {
        let difference = (pair.ratio(Level::REPORTED).value - 1.0).abs();
        let spread = |arm: usize| {
            let sample = Sample::new(self.table.arms[arm].runs.clone());
            sample.ok().and_then(|s| s.cv()).unwrap_or(0.0)
        };
        let cv = ((spread(pair.leader).powi(2) + spread(pair.other).powi(2)) / 2.0).sqrt();
        match runs_to_detect(cv, difference, Level::REPORTED, PLANNED_POWER) {
            Ok(runs) if runs <= 100_000 => runs.to_string(),
            _ => "more than 100 000".to_owned(),
        }
    }

    fn write_rows(&self, page: &mut String) -> std::fmt::Result {
        for marked in self.marked() {
            let Some(pair) = self.against_best_rival(marked) else {
                continue;
            };
            let rival = if pair.leader == marked {
                pair.other
            } else {
                pair.leader
            };
            let (a, b) = (&self.table.arms[marked], &self.table.arms[rival]);
            let arms = [Sample::new(a.runs.clone()), Sample::new(b.runs.clone())];
            let [Ok(sample_a), Ok(sample_b)] = arms else {
                continue;
            };
            let Ok(ratio) = etalon_stats::ratio(&sample_a, &sample_b, Level::REPORTED) else {
                continue;
            };
            let Some(interval) = ratio.estimate.interval else {
                continue;
            };
            writeln!(
                page,
                "| {} | {} | {} | {} | {:.4} [{:.4}, {:.4}] | {:.3} | {} | {} |",
                self.table.machine,
                self.table.medium,
                a.name,
                b.name,
                ratio.estimate.value,
                interval.low,
                interval.high,
                pair.adjusted_p,
                self.verdict(marked),
                self.runs_it_takes(pair),
            )?;
        }
        Ok(())
    }
}

/// The whole page.
pub(crate) fn page() -> Result<String, PageError> {
    let published: Published = serde_json::from_str(TABLES)?;
    let judged = published
        .tables
        .iter()
        .map(Judged::new)
        .collect::<Result<Vec<_>, _>>()?;
    let mut tally = Tally::default();
    for one in &judged {
        one.add_to(&mut tally);
    }
    let mut page = String::new();
    write_opening(&mut page, tally)?;
    let mut section = "";
    for one in &judged {
        if one.table.section != section {
            section = &one.table.section;
            let (unit, better) = (&one.table.unit, &one.table.better);
            write!(
                page,
                "\n## {section}\n\nIn {unit}; {better} is better. First row: line {} of the document's text.\n\n",
                one.table.line
            )?;
            page.push_str(HEADER);
        }
        one.write_rows(&mut page)?;
    }
    Ok(page)
}

/// The figures of the opening paragraph.
#[cfg(test)]
pub(crate) fn tally() -> Result<Tally, PageError> {
    let published: Published = serde_json::from_str(TABLES)?;
    let mut tally = Tally::default();
    for table in &published.tables {
        Judged::new(table)?.add_to(&mut tally);
    }
    Ok(tally)
}

const HEADER: &str = "\
| machine | medium | published best | best rival | ratio to rival [95 %] | adjusted p | verdict | runs per scheduler to tell |
|---|---|---|---|---|---|---|---|
";

fn write_opening(page: &mut String, tally: Tally) -> std::fmt::Result {
    let Tally {
        tables,
        marks,
        survive,
        with_a_difference,
    } = tally;
    write!(
        page,
        "\
# Published winners, judged again

Four French notes on storage performance, 2009-2024, compare I/O schedulers on solid-state and on
hard disks, three runs each, and mark the best of every table. Here the same runs go through the
all-pairs rule of `etalon-stats`: every pair of schedulers in a table is compared by Welch's t on
logarithms, Holm's correction is taken over all pairs of the table, and a scheduler is best only if
it is separated from every other one at 95 %.

**Marks that survive: {survive} of {marks}, in {tables} tables.** Tables in which any two schedulers are
told apart at all: {with_a_difference} of {tables}.

That does not say that the schedulers are equal; three runs cannot show that either. The last
column tells how many runs of each scheduler would have shown a difference of the size printed, at
the spread seen, with a probability of 80 %. The interval of the ratio is for that pair alone; the
verdict uses the adjusted p. For times, a ratio below 1 favours the published best.

The runs are in `crates/stats/tests/data/published.json`, each table with its line in the
document's text. This page is written by
`cargo run -p etalon-stats --example judged_again > docs/judged-again.md`, and a test compares the two.
"
    )
}
