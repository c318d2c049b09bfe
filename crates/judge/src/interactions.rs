//! Which factors of a plan depend on each other.

use std::collections::BTreeMap;

use etalon_model::{Chance, Estimate, FactorInteraction, InteractionLevel, Run};
use etalon_stats::{Level, MIN_RUNS_LAB, Sample, holm, interaction};

use crate::figures::record;

/// What lies within this of one by all of its interval is of no consequence, however sure.
const NEGLIGIBLE: f64 = 0.01;

/// A factor with the names of its levels, the baseline first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossedFactor {
    /// Its name.
    pub name: String,
    /// Its levels.
    pub levels: Vec<String>,
}

/// The runs of one cell of a plan.
#[derive(Debug, Clone)]
pub struct CrossedCell<'a> {
    /// Its workload.
    pub workload: &'a str,
    /// The number of the level of each factor.
    pub levels: &'a [usize],
    /// Its runs.
    pub runs: Vec<&'a Run>,
}

/// The figures of the cells of one workload over its complete blocks.
struct Complete<'a> {
    cells: Vec<(&'a [usize], Vec<f64>)>,
}

/// Every pair of factors, each level against the baseline, over blocks that have a run of every cell, averaged over the
/// combinations of further levels that all four corners have. Where there is none of them, it is not tried.
pub fn interactions(
    factors: &[CrossedFactor],
    cells: &[CrossedCell<'_>],
) -> Vec<FactorInteraction> {
    let mut workloads: Vec<&str> = Vec::new();
    for cell in cells {
        if !workloads.contains(&cell.workload) {
            workloads.push(cell.workload);
        }
    }
    let mut found = Vec::new();
    let mut p = Vec::new();
    for workload in workloads {
        let complete = complete(workload, cells);
        for (one, other) in pairs(factors) {
            for (a, b) in contrasts(&factors[one], &factors[other]) {
                let places = [(one, a), (other, b)];
                if let Some(interaction) = complete.interaction(places) {
                    let [first, second] =
                        places.map(|(factor, level)| named(&factors[factor], level));
                    p.push(interaction.p);
                    found.push(FactorInteraction {
                        workload: workload.to_owned(),
                        first,
                        second,
                        effect: record(&interaction.effect),
                        adjusted_p: 1.0,
                        is_shown: false,
                    });
                }
            }
        }
    }
    for (one, adjusted) in found.iter_mut().zip(holm(&p)) {
        one.adjusted_p = adjusted;
        one.is_shown = adjusted <= Chance::ALPHA && matters(&one.effect);
    }
    found
}

/// Whether there are blocks enough for an interval, and it is not all but one.
fn matters(effect: &Estimate) -> bool {
    let near = |end: f64| (end - 1.0).abs() < NEGLIGIBLE;
    let interval = effect.interval.as_ref();
    let is_known = effect.runs as usize >= MIN_RUNS_LAB;
    is_known && interval.is_some_and(|interval| !(near(interval.low) && near(interval.high)))
}

fn pairs(factors: &[CrossedFactor]) -> Vec<(usize, usize)> {
    let varied = (0..factors.len()).filter(|&at| factors[at].levels.len() > 1);
    let varied: Vec<usize> = varied.collect();
    let mut pairs = Vec::new();
    for (place, &one) in varied.iter().enumerate() {
        pairs.extend(varied[place + 1..].iter().map(|&other| (one, other)));
    }
    pairs
}

fn contrasts(one: &CrossedFactor, other: &CrossedFactor) -> Vec<(usize, usize)> {
    let levels = 1..one.levels.len();
    levels
        .flat_map(|a| (1..other.levels.len()).map(move |b| (a, b)))
        .collect()
}

fn named(factor: &CrossedFactor, level: usize) -> InteractionLevel {
    InteractionLevel {
        factor: factor.name.clone(),
        level: factor.levels[level].clone(),
        baseline: factor.levels[0].clone(),
    }
}

fn complete<'a>(workload: &str, cells: &[CrossedCell<'a>]) -> Complete<'a> {
    let own: Vec<&CrossedCell<'a>> = cells.iter().filter(|c| c.workload == workload).collect();
    let figures = own.iter().map(|cell| {
        let sound = cell
            .runs
            .iter()
            .filter(|run| !run.is_invalid() && !run.is_cut());
        sound.map(|run| (run.block, run.figure())).collect()
    });
    let figures: Vec<BTreeMap<u32, f64>> = figures.collect();
    let first = figures.first().cloned().unwrap_or_default();
    let blocks: Vec<u32> = first
        .into_keys()
        .filter(|block| figures.iter().all(|cell| cell.contains_key(block)))
        .collect();
    let values = |cell: &BTreeMap<u32, f64>| blocks.iter().map(|block| cell[block]).collect();
    let cells = own.iter().zip(&figures);
    Complete {
        cells: cells.map(|(cell, of)| (cell.levels, values(of))).collect(),
    }
}

/// The figures of the cells with one level of each of two factors, by their levels with those two left out.
type Corner<'a> = BTreeMap<Vec<usize>, &'a [f64]>;

impl Complete<'_> {
    /// Of two factors by their places, each with the number of a level; averaged over what there is of further levels in
    /// all four corners, since one that is missing in a corner would bring in what it does by itself.
    fn interaction(&self, places: [(usize, usize); 2]) -> Option<etalon_stats::Interaction> {
        let [(one, a), (other, b)] = places;
        let corners = [(a, b), (a, 0), (0, b), (0, 0)];
        let corners = corners.map(|(a, b)| self.corner([(one, a), (other, b)]));
        let shared = corners[0].keys().filter(|further| {
            let mut others = corners[1..].iter();
            others.all(|corner| corner.contains_key(*further))
        });
        let shared: Vec<&Vec<usize>> = shared.collect();
        let arm = |corner: usize| mean(shared.iter().map(|further| corners[corner][*further]));
        let arms = [arm(0)?, arm(1)?, arm(2)?, arm(3)?];
        let [both, first, second, neither] = &arms;
        interaction([both, first, second, neither], Level::REPORTED).ok()
    }

    fn corner(&self, levels: [(usize, usize); 2]) -> Corner<'_> {
        let is_there = |of: &[usize]| levels.iter().all(|(factor, level)| of[*factor] == *level);
        let own = self.cells.iter().filter(|(of, _)| is_there(of));
        let further = |of: &[usize]| {
            let left_out = levels.map(|(factor, _)| factor);
            let kept = of.iter().enumerate();
            kept.filter(|(factor, _)| !left_out.contains(factor))
                .map(|(_, level)| *level)
                .collect()
        };
        own.map(|(of, values)| (further(of), values.as_slice()))
            .collect()
    }
}

/// The geometric mean of cells, block by block.
fn mean<'a>(cells: impl Iterator<Item = &'a [f64]>) -> Option<Sample> {
    let cells: Vec<&[f64]> = cells.collect();
    let blocks = cells.first()?.len();
    let mean = |block: usize| {
        let logs: f64 = cells.iter().map(|values| values[block].ln()).sum();
        (logs / cells.len() as f64).exp()
    };
    Sample::new((0..blocks).map(mean).collect()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::read_run;

    fn factor(name: &str) -> CrossedFactor {
        CrossedFactor {
            name: name.to_owned(),
            levels: vec!["no".to_owned(), "yes".to_owned()],
        }
    }

    /// Runs in eight blocks, each with so many operations in a second, give or take what its block adds.
    fn runs(operations: u64) -> Vec<Run> {
        let run = |block: u32| {
            let mut run = read_run();
            run.block = block;
            let more = operations * u64::from(block) / 200;
            run.measurement.reads.operations = operations + more + u64::from(block * 7 % 5);
            run
        };
        (0..8).map(run).collect()
    }

    /// What is found over cells, each with the numbers of its levels and its operations.
    fn found<const N: usize>(cells: &[([usize; N], u64)]) -> Vec<FactorInteraction> {
        let made = cells.iter();
        let made: Vec<_> = made.map(|(levels, of)| (levels, runs(*of))).collect();
        let cells = made.iter().map(|(levels, runs)| CrossedCell {
            workload: "read",
            levels: *levels,
            runs: runs.iter().collect(),
        });
        let cells: Vec<CrossedCell<'_>> = cells.collect();
        let factors = ["a", "b", "c"].map(factor);
        interactions(&factors[..N], &cells)
    }

    fn shown(both: u64) -> Vec<FactorInteraction> {
        found(&[
            ([0, 0], 10_000),
            ([0, 1], 12_000),
            ([1, 0], 20_000),
            ([1, 1], both),
        ])
    }

    #[test]
    fn factors_that_act_each_by_itself_are_not_told_and_others_are() {
        let none = shown(24_000);
        assert_eq!((none.len(), none[0].is_shown), (1, false), "{none:?}");
        let real = shown(12_000);
        assert!(real[0].is_shown, "{real:?}");
        assert!((real[0].effect.value - 0.5).abs() < 0.01, "{real:?}");
        assert_eq!(
            (real[0].first.factor.as_str(), real[0].effect.runs),
            ("a", 8)
        );
    }

    /// Factors that act each by itself: the third one makes it four times as fast.
    fn apart([a, b, c]: [usize; 3]) -> ([usize; 3], u64) {
        let factor = [1, 2][a] * [10, 12][b] * [1, 4][c];
        ([a, b, c], 1_000 * factor)
    }

    #[test]
    fn in_half_of_the_combinations_what_a_third_factor_does_is_no_interaction() {
        let half = [[0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]].map(apart);
        assert!(found(&half).is_empty(), "{:?}", found(&half));
    }

    #[test]
    fn only_what_all_four_corners_have_of_a_third_factor_is_averaged() {
        let all = (0..8).map(|n| [n & 1, n >> 1 & 1, n >> 2 & 1]);
        let but_one: Vec<_> = all.filter(|of| *of != [1, 1, 1]).map(apart).collect();
        let found = found(&but_one);
        assert_eq!(found.len(), 3, "{found:?}");
        for one in &found {
            assert!((one.effect.value - 1.0).abs() < 0.01, "{one:?}");
            assert!(!one.is_shown, "{one:?}");
        }
    }
}
