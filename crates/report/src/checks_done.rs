//! Which checks were done, in a line, and why the others could not be.

use etalon_judge::coverage;
use etalon_language::say;
use std::collections::BTreeMap;

use etalon_model::{Cell, CheckCoverage, CheckState, Run, RunId, RunsByCell};
use serde::{Deserialize, Serialize};

use crate::check_words::fixed;

/// The state of each check in all cells of an experiment together, by its code: not possible where it was so in one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ExperimentChecks(BTreeMap<String, (CheckState, String)>);

impl ExperimentChecks {
    /// Of judged cells and their runs.
    pub fn of(cells: &[Cell], runs: &[Run]) -> ExperimentChecks {
        let runs = RunsByCell::of(runs);
        let all = cells.iter();
        let all: Vec<_> = all
            .map(|cell| coverage(cell, runs.named(&cell.name)))
            .collect();
        Self::of_cells(&all)
    }

    /// Of what became of every check in each cell.
    fn of_cells(cells: &[Vec<CheckCoverage>]) -> ExperimentChecks {
        let states = of_experiment(cells).into_iter();
        let owned = |(code, (state, reason)): (&str, (CheckState, &str))| {
            (code.to_owned(), (state, reason.to_owned()))
        };
        ExperimentChecks(states.map(owned).collect())
    }

    /// How many checks were done on the cells of the experiment and how to see which, with the option of the store as it
    /// was typed; empty without cells.
    pub fn done(&self, experiment: RunId, store: &str) -> String {
        let count = |state| self.0.values().filter(|(own, _)| *own == state).count();
        if self.0.is_empty() {
            return String::new();
        }
        say!(
            "page-checks-done",
            done = count(CheckState::Done),
            not = count(CheckState::NotPossible),
            other = count(CheckState::DoesNotApply),
            command = format!("etalon show {experiment} --findings --json{store}"),
        )
    }

    /// The checks that were not possible, by the reason, a sentence each.
    pub fn not_possible(&self) -> Vec<String> {
        let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (code, (state, reason)) in &self.0 {
            if *state == CheckState::NotPossible {
                by_reason.entry(reason).or_default().push(code);
            }
        }
        let sentence = |(reason, codes): (&str, Vec<&str>)| {
            say!(
                "page-not-checked",
                codes = codes.join(", "),
                reason = fixed(reason).unwrap_or_else(|| reason.to_owned())
            )
        };
        by_reason.into_iter().map(sentence).collect()
    }
}

/// The state of each check in all cells together: not possible where it was so in one.
fn of_experiment(cells: &[Vec<CheckCoverage>]) -> BTreeMap<&'static str, (CheckState, &str)> {
    let rank = |state| match state {
        CheckState::DoesNotApply => 0,
        CheckState::Done => 1,
        CheckState::NotPossible => 2,
    };
    let mut states: Vec<(&'static str, (CheckState, &str))> = Vec::new();
    for cell in cells {
        for (at, one) in cell.iter().enumerate() {
            let told = (one.state, one.reason.as_deref().unwrap_or_default());
            // Every cell's list has the checks in one order.
            let is_there = states.get(at).is_some_and(|(code, _)| *code == one.code);
            let place = match is_there {
                true => Some(at),
                false => states.iter().position(|(code, _)| *code == one.code),
            };
            match place.map(|at| &mut states[at].1) {
                None => states.push((one.code, told)),
                Some(known) if rank(told.0) > rank(known.0) => *known = told,
                Some(_) => {}
            }
        }
    }
    states.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(code: &'static str, state: CheckState, reason: &str) -> CheckCoverage {
        let reason = (!reason.is_empty()).then(|| reason.to_owned().into());
        CheckCoverage {
            code,
            state,
            reason,
        }
    }

    #[test]
    fn what_one_cell_could_not_check_was_not_checked() {
        let (done, not) = (CheckState::Done, CheckState::NotPossible);
        let cells = [
            vec![told("a", done, ""), told("b", done, "")],
            vec![
                told("a", not, "no counter"),
                told("b", CheckState::DoesNotApply, "no read"),
            ],
        ];
        let checks = ExperimentChecks::of_cells(&cells);
        let line = checks.done(7, " --store s");
        assert!(line.starts_with("Checks: 1 done, 1 not possible here, 0 do not apply;"));
        assert!(
            line.contains("show 7 --findings --json --store s"),
            "{line}"
        );
        assert_eq!(checks.not_possible(), ["Not checked: a, as no counter."]);
        assert_eq!(ExperimentChecks::default().done(7, ""), "");
    }
}
