//! What the findings of its runs say of a cell.

use etalon_model::{AffectedRuns, Finding, Run, Severity};

/// A finding of one run.
#[derive(Clone, Copy)]
struct OfRun<'a> {
    finding: &'a Finding,
    is_left_out: bool,
}

impl OfRun<'_> {
    /// Whether it is why its run was left out.
    fn spoils(self) -> bool {
        self.is_left_out && self.finding.severity == Severity::Invalid
    }
}

/// Each code once, as the gravest of its findings in the runs that count says it, with the number of runs it holds for;
/// and once more of the runs that it makes invalid, where those are left out. Of a cell that is `spoiled` none are.
pub(crate) fn gather(runs: &[&Run], spoiled: bool) -> Vec<Finding> {
    let mut by_code: Vec<Vec<OfRun<'_>>> = Vec::new();
    for run in runs {
        let is_left_out = !spoiled && run.is_invalid();
        for finding in &run.findings {
            let found = OfRun {
                finding,
                is_left_out,
            };
            match by_code
                .iter_mut()
                .find(|of| of[0].finding.code == finding.code)
            {
                Some(others) => others.push(found),
                None => by_code.push(vec![found]),
            }
        }
    }
    let by_code = by_code.iter();
    by_code.flat_map(|of| of_code(of, runs.len())).collect()
}

/// What the findings of one code are told as.
fn of_code(found: &[OfRun<'_>], runs: usize) -> Vec<Finding> {
    let (spoiling, others): (Vec<OfRun<'_>>, Vec<OfRun<'_>>) =
        found.iter().partition(|one| one.spoils());
    let counted = others.iter().copied().filter(|one| !one.is_left_out);
    let counted: Vec<OfRun<'_>> = counted.collect();
    let lesser = match (counted.is_empty(), spoiling.is_empty()) {
        (false, _) => told(&counted, others.len(), runs),
        (true, true) => told(&others, others.len(), runs),
        (true, false) => None,
    };
    let graver = told(&spoiling, spoiling.len(), runs);
    lesser.into_iter().chain(graver).collect()
}

/// The gravest of them, the first of several, as one that holds for `count` of the runs; of runs that are left out it is
/// no more than a reservation.
fn told(found: &[OfRun<'_>], count: usize, runs: usize) -> Option<Finding> {
    let gravest = found.iter().rev().max_by_key(|one| one.finding.severity)?;
    let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
    let severity = match gravest.is_left_out {
        true => gravest.finding.severity.min(Severity::Warn),
        false => gravest.finding.severity,
    };
    Some(Finding {
        severity,
        affected: Some(AffectedRuns {
            runs_affected: number(count),
            runs: number(runs),
            left_out: gravest.is_left_out,
        }),
        ..gravest.finding.clone()
    })
}

/// Each code once: what all runs together show stands in the place of what those that count show by themselves where it is
/// graver.
pub(crate) fn with_graver(mut findings: Vec<Finding>, together: Vec<Finding>) -> Vec<Finding> {
    for found in together {
        let is_own = |own: &&mut Finding| {
            own.code == found.code && !own.affected.is_some_and(|a| a.left_out)
        };
        match findings.iter_mut().find(is_own) {
            Some(own) if own.severity < found.severity => *own = found,
            Some(_) => {}
            None => findings.push(found),
        }
    }
    findings
}

/// The codes of what makes a cell invalid.
pub(crate) fn reasons(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .filter(|finding| finding.severity == Severity::Invalid)
        .map(|finding| finding.code.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::read_run;

    fn run(findings: &[(&str, Severity, &str)]) -> Run {
        let mut run = read_run();
        let found = findings.iter();
        let found = found.map(|(code, severity, said)| Finding::new(code, *severity, said, ""));
        run.findings = found.collect();
        run
    }

    /// Message, severity, count and whether left out.
    fn gathered(runs: &[Run], spoiled: bool) -> Vec<(String, Severity, u32, bool)> {
        let runs: Vec<&Run> = runs.iter().collect();
        let all = gather(&runs, spoiled).into_iter();
        let told = all.map(|finding| {
            let of = finding.affected.unwrap();
            let severity = finding.severity;
            (finding.message, severity, of.runs_affected, of.left_out)
        });
        told.collect()
    }

    #[test]
    fn a_reservation_on_runs_that_count_stands_beside_one_that_was_left_out() {
        let mut runs = vec![run(&[("foreign-io", Severity::Warn, "3 %")]); 7];
        runs.insert(2, run(&[("foreign-io", Severity::Invalid, "8 %")]));
        let counted = ("3 %".to_owned(), Severity::Warn, 7, false);
        let left_out = ("8 %".to_owned(), Severity::Warn, 1, true);
        assert_eq!(gathered(&runs, false), [counted, left_out]);
        let spoiled = ("8 %".to_owned(), Severity::Invalid, 8, false);
        assert_eq!(gathered(&runs, true), [spoiled]);
    }

    #[test]
    fn what_a_run_that_was_left_out_shows_besides_is_counted_and_weighs_nothing() {
        let besides = ("steal", Severity::Warn, "4 %");
        let spoiled = ("foreign-io", Severity::Invalid, "8 %");
        let mut runs = vec![run(&[]), run(&[]), run(&[spoiled, besides])];
        let of_foreign_io = ("8 %".to_owned(), Severity::Warn, 1, true);
        let alone = ("4 %".to_owned(), Severity::Warn, 1, true);
        assert_eq!(gathered(&runs, false), [of_foreign_io.clone(), alone]);
        runs[0] = run(&[("steal", Severity::Info, "1 %")]);
        let with_others = ("1 %".to_owned(), Severity::Info, 2, false);
        assert_eq!(gathered(&runs, false), [with_others, of_foreign_io]);
    }

    #[test]
    fn what_runs_show_together_takes_no_place_of_one_that_was_left_out() {
        let runs = [run(&[]), run(&[("capped", Severity::Invalid, "one")])];
        let own = gather(&runs.iter().collect::<Vec<_>>(), false);
        let together = Finding::new("capped", Severity::Warn, "all", "");
        let both = with_graver(own, vec![together]);
        let said: Vec<&str> = both.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(said, ["one", "all"]);
    }
}
