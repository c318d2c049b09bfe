//! Which checks could be done on the runs of a cell, from the records alone.
//!
//! A check gives no finding where nothing is wrong, where it has nothing to look at, and where it
//! means nothing of the run. [`coverage`] tells the three apart, by the line that each check has in
//! the [`table`].

mod about;
mod needs;
mod table;

use std::borrow::Cow;
use std::sync::LazyLock;

use etalon_model::{Cell, CheckCoverage, CheckState, Run};

use crate::registry::CHECKS;
use about::About;
use needs::Need;
use table::SCOPES;

/// Whether a check means something of a run, and what it looks at there.
pub(crate) struct Scope {
    pub(crate) code: &'static str,
    /// Which runs it is about, and what the others lack.
    pub(crate) about: About,
    pub(crate) needs: &'static [Need],
    /// Whether it asks of a run that is the only one of its cell.
    pub(crate) of_one_run: bool,
}

/// What became of every check on a cell, whose runs are `own`, in the order of [`CHECKS`]; runs that were cut short
/// are passed over.
pub fn coverage(cell: &Cell, own: &[&Run]) -> Vec<CheckCoverage> {
    let own = own.iter().copied().filter(|run| !run.is_cut());
    let own: Vec<&Run> = own.collect();
    let mut told = of_runs(&own);
    // What was found was looked for.
    for one in &mut told {
        if cell.findings.iter().any(|finding| finding.code == one.code) {
            (one.state, one.reason) = (CheckState::Done, None);
        }
    }
    told
}

/// The lines of the table in the order of [`CHECKS`]: to look each up by its code takes as long as all else that is done
/// for a cell.
static IN_ORDER: LazyLock<Vec<&Scope>> = LazyLock::new(|| {
    let of = |code| SCOPES.iter().find(|scope| scope.code == code);
    CHECKS.iter().filter_map(|check| of(check.code)).collect()
});

fn of_runs(runs: &[&Run]) -> Vec<CheckCoverage> {
    let all = IN_ORDER.iter();
    all.map(|scope| of_check(scope, runs)).collect()
}

const OF_OTHERS: &str = "another program measured it, and only its text is known";
const SEVERAL: &str = "there are several runs, whose spread says more";

fn of_check(scope: &Scope, runs: &[&Run]) -> CheckCoverage {
    let told = |state, reason: Option<&'static str>| CheckCoverage {
        code: scope.code,
        state,
        reason: reason.map(Cow::Borrowed),
    };
    let (applies, lacking) = scope.about;
    if scope.of_one_run && runs.len() > 1 {
        return told(CheckState::DoesNotApply, Some(SEVERAL));
    }
    let is_own = |run: &&Run| run.circumstances.published.is_none();
    if !runs.iter().any(is_own) && !runs.is_empty() {
        return told(CheckState::DoesNotApply, Some(OF_OTHERS));
    }
    // Counted, and not gathered: that would be two lists for each check of each cell.
    let (mut all, mut lacks, mut first) = (0, 0, None);
    for run in runs.iter().filter(|run| applies(run)) {
        all += 1;
        if let Some(reason) = missing(scope, run, runs.len()) {
            lacks += 1;
            first = first.or(Some(reason));
        }
    }
    match first {
        _ if all == 0 => told(CheckState::DoesNotApply, Some(lacking)),
        None => told(CheckState::Done, None),
        Some(first) if lacks == all => told(CheckState::NotPossible, Some(first)),
        Some(first) => {
            let of = format!("{first} (in {lacks} of {all} runs)");
            CheckCoverage {
                reason: Some(of.into()),
                ..told(CheckState::NotPossible, None)
            }
        }
    }
}

fn missing(scope: &Scope, run: &Run, runs: usize) -> Option<&'static str> {
    scope.needs.iter().find_map(|need| need.missing(run, runs))
}

#[cfg(test)]
mod tests;
