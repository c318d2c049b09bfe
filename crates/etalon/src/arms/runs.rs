//! Some of an experiment's runs as an arm of their own: `@3`, `@1-6`, `@1,3,5-8`.

use std::collections::HashMap;

use anyhow::bail;
use etalon_judge::{Goal, judge_cell};
use etalon_model::{Experiment, Run};
use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB};

use crate::exit::BadUsage;

/// The stretches of run numbers that were typed; runs of a cell count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice(Vec<(usize, usize)>);

impl Choice {
    /// `None` when `text` is no list of numbers and stretches.
    pub(super) fn parse(text: &str) -> Option<Choice> {
        let stretch = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (1 <= first && first <= last).then_some((first, last))
        };
        text.split(',')
            .map(stretch)
            .collect::<Option<_>>()
            .map(Choice)
    }

    fn holds(&self, number: usize) -> bool {
        self.0.iter().any(|&(a, b)| (a..=b).contains(&number))
    }

    fn last(&self) -> usize {
        self.0.iter().map(|&(_, last)| last).max().unwrap_or(0)
    }
}

/// Leaves only the chosen runs of each of `cells`, judged again by themselves.
pub(super) fn keep(
    experiment: &mut Experiment,
    only: Option<&str>,
    choice: &Choice,
) -> anyhow::Result<()> {
    let names = experiment.cells.iter().map(|cell| cell.name.clone());
    let names: Vec<String> = names
        .filter(|name| only.is_none_or(|only| only == name))
        .collect();
    for name in &names {
        let count = experiment.runs_of(name).count();
        if choice.last() > count {
            bail!(BadUsage(format!(
                "there is no run {} of '{name}': experiment {} has {count}",
                choice.last(),
                experiment.header.id,
            )));
        }
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    experiment.runs.retain(|run| {
        let number = counts.entry(run.cell.clone()).or_default();
        *number += 1;
        choice.holds(*number)
    });
    let goal = Goal::new(None, MIN_RUNS_LAB, MAX_RUNS)?;
    let judged = names.iter().filter_map(|name| {
        let runs: Vec<&Run> = experiment.runs_of(name).collect();
        judge_cell(name, &runs, &goal)
    });
    experiment.cells = judged.collect();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_stretches() {
        let parse = Choice::parse;
        assert_eq!(parse("3"), Some(Choice(vec![(3, 3)])));
        assert_eq!(parse("1,3-5"), Some(Choice(vec![(1, 1), (3, 5)])));
        for bad in ["", "0", "5-3", "1-", "a", "1,,2", "-3"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        let choice = parse("1,3-5").unwrap();
        let held: Vec<usize> = (0..8).filter(|&n| choice.holds(n)).collect();
        assert_eq!((held, choice.last()), (vec![1, 3, 4, 5], 5));
    }
}
