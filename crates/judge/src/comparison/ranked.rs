//! A row whose arms are ranked, before it is known among how many others its differences have to stand.

use etalon_model::{Chance, Comparison, ComparisonVerdict};
use etalon_stats::{Margin, Ranking};

use super::left_out::{self, LeftOut};
use super::{Arm, CompareError, CompareOptions, compared, standing};

/// The arms of a row, described, with the ranking of those that are compared.
pub(super) struct RankedRow<'a> {
    arms: &'a [Arm<'a>],
    options: &'a CompareOptions,
    /// The arms that the others are compared without.
    out: Vec<LeftOut>,
    /// The others, of which nothing is claimed yet.
    comparison: Comparison,
    /// `None` where they are refused or their runs are too few, so that nothing can be claimed.
    ranking: Option<Ranking>,
}

impl<'a> RankedRow<'a> {
    pub(super) fn new(
        name: &str,
        arms: &'a [Arm<'a>],
        options: &'a CompareOptions,
    ) -> Result<RankedRow<'a>, CompareError> {
        let out = left_out::left_out(arms, options.baseline);
        let of_others = left_out::options_of_others(options, &out);
        let (comparison, ranking) = compared(name, &left_out::kept(arms, &out), &of_others)?;
        Ok(RankedRow {
            arms,
            options,
            out,
            comparison,
            ranking,
        })
    }

    /// The p of every pair by itself, in the order in which [`RankedRow::among`] takes them; none where nothing is claimed.
    pub(super) fn p(&self) -> Option<Vec<f64>> {
        let ranking = self.ranking.as_ref()?;
        Some(ranking.pairs.iter().map(|pair| pair.p).collect())
    }

    /// What is claimed of the only row.
    pub(super) fn alone(self) -> Result<Comparison, CompareError> {
        let pairs = self.ranking.iter().flat_map(|ranking| &ranking.pairs);
        let adjusted: Vec<f64> = pairs.map(|pair| pair.adjusted_p).collect();
        self.among(1, adjusted)
    }

    /// What is claimed of one of `rows` that are compared at once, whose pairs have an `adjusted` p each among all of theirs.
    pub(super) fn among(
        mut self,
        rows: u32,
        adjusted: impl IntoIterator<Item = f64>,
    ) -> Result<Comparison, CompareError> {
        if let Some(alone) = &self.ranking {
            let among = alone.among(adjusted);
            conclude(&mut self.comparison, alone, &among)?;
            self.comparison.chance = Some(Chance {
                p: alone.least_p(),
                adjusted_p: among.least_p(),
                rows,
            });
        }
        match self.out.is_empty() {
            true => Ok(self.comparison),
            false => left_out::put_back(self.comparison, self.arms, self.options, &self.out),
        }
    }
}

/// Claims of the arms what stands `among` all rows, where `alone` is what their own row says.
fn conclude(
    comparison: &mut Comparison,
    alone: &Ranking,
    among: &Ranking,
) -> Result<(), CompareError> {
    let margin = Margin::new(comparison.margin)?;
    for (at, arm) in comparison.arms.iter_mut().enumerate() {
        arm.letters = among.letters[at].clone();
        arm.is_best = among.best == Some(at);
    }
    standing::give(comparison, among, margin);
    comparison.verdict = verdict(comparison, alone, among, margin);
    Ok(())
}

fn verdict(
    comparison: &Comparison,
    alone: &Ranking,
    among: &Ranking,
    margin: Margin,
) -> ComparisonVerdict {
    let label = |index: usize| comparison.arms[index].label.clone();
    if let [pair] = &among.pairs[..] {
        let (greater, lesser) = match comparison.unit.less_is_better() {
            true => (pair.other, pair.leader),
            false => (pair.leader, pair.other),
        };
        return match (pair.is_equivalent(margin), among.separates(pair)) {
            (true, _) => ComparisonVerdict::Equivalent,
            (false, false) => ComparisonVerdict::Undecided,
            (false, true) => ComparisonVerdict::Greater {
                greater: label(greater),
                lesser: label(lesser),
            },
        };
    }
    match among.best {
        // What the row says by itself does not stand among the others.
        _ if alone.separates_any() && !among.separates_any() => ComparisonVerdict::Undecided,
        Some(best) => ComparisonVerdict::Best { best: label(best) },
        None => ComparisonVerdict::BestGroup {
            group: among.best_group.iter().map(|&i| label(i)).collect(),
        },
    }
}
