//! A row whose arms are ranked, before it is known among how many others its differences have to stand.

use etalon_model::{Chance, Comparison, ComparisonVerdict};
use etalon_stats::{Margin, PairTest, Ranking};

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
    let leaders = leaders(among, margin);
    for (at, arm) in comparison.arms.iter_mut().enumerate() {
        arm.letters = among.letters[at].clone();
        arm.is_best = leaders == [at];
    }
    standing::give(comparison, among, margin);
    comparison.verdict = verdict(comparison, alone, among, margin);
    Ok(())
}

/// The arm that leads, and those that are not told apart from it or differ from it by less than the margin, in order.
fn leaders(ranking: &Ranking, margin: Margin) -> Vec<usize> {
    let leader = ranking.order.iter().take(1).copied();
    let others = ranking.order.iter().skip(1).copied();
    let is_beaten = |other: &usize| {
        let pair = ranking.pair(ranking.order[0], *other);
        pair.is_some_and(|pair| tells(ranking, pair, margin))
    };
    leader
        .chain(others.filter(|other| !is_beaten(other)))
        .collect()
}

/// Whether a pair is told apart by more than the margin: a difference within it counts as none, however certain it is.
fn tells(ranking: &Ranking, pair: &PairTest, margin: Margin) -> bool {
    ranking.separates(pair) && !pair.is_equivalent(margin)
}

fn tells_any(ranking: &Ranking, margin: Margin) -> bool {
    let mut pairs = ranking.pairs.iter();
    pairs.any(|pair| tells(ranking, pair, margin))
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
    // What the row says by itself does not stand among the others.
    if tells_any(alone, margin) && !tells_any(among, margin) {
        return ComparisonVerdict::Undecided;
    }
    match leaders(among, margin)[..] {
        [best] => ComparisonVerdict::Best { best: label(best) },
        ref group => ComparisonVerdict::BestGroup {
            group: group.iter().map(|&at| label(at)).collect(),
        },
    }
}
