//! The findings of an experiment as sentences, each said once.

use etalon_language::say;
use etalon_model::{Cell, Finding, Severity};

use crate::role::label;

/// One sentence a finding: where it holds, its figures, and what to do.
///
/// Findings that say the same of several cells are gathered; the gravest come first.
pub(crate) fn sentences(cells: &[Cell]) -> Vec<String> {
    let mut gathered: Vec<(&Finding, Vec<String>)> = Vec::new();
    for cell in cells {
        for finding in &cell.findings {
            let twin = gathered
                .iter_mut()
                .find(|(seen, _)| seen.code == finding.code && message(seen) == message(finding));
            match twin {
                Some((_, names)) => names.push(label(cell)),
                None => gathered.push((finding, vec![label(cell)])),
            }
        }
    }
    gathered.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
    gathered
        .iter()
        .map(|(finding, names)| sentence(finding, names, cells.len()))
        .collect()
}

/// What was found, with the runs that it holds for where those are not all.
pub(crate) fn message(finding: &Finding) -> String {
    let some = finding.affected.filter(|a| a.runs_affected < a.runs);
    let Some(affected) = some else {
        return finding.message.clone();
    };
    let said = finding.message.trim_end_matches('.');
    let (count, runs) = (affected.runs_affected, affected.runs);
    match affected.left_out {
        true => say!(
            "finding-some-runs-left-out",
            said = said,
            count = count,
            runs = runs
        ),
        false => say!("finding-some-runs", said = said, count = count, runs = runs),
    }
}

fn sentence(finding: &Finding, names: &[String], cells: usize) -> String {
    let mark = match finding.severity {
        Severity::Info => say!("severity-note"),
        Severity::Warn => say!("severity-warning"),
        Severity::Invalid => say!("severity-invalid"),
    };
    let place = if names.len() == cells && cells > 1 {
        say!("page-all-workloads")
    } else {
        names.join("; ")
    };
    say!(
        "page-finding",
        severity = mark,
        code = finding.code,
        place = place,
        said = message(finding),
        advice = finding.advice,
    )
}
