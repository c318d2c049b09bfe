//! The findings of an experiment as sentences, each said once.

use etalon_judge::check_of;
use etalon_language::say;
use etalon_model::{AffectedRuns, Cell, Finding, Severity};

use crate::check_words::{CheckWords, advice, found};
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
                .find(|(seen, _)| seen.code == finding.code && says_the_same(seen, finding));
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

/// Whether both have one sentence, in whichever language.
fn says_the_same(one: &Finding, other: &Finding) -> bool {
    one.message == other.message && some_runs(one) == some_runs(other)
}

/// The runs that it holds for, where those are not all.
pub(super) fn some_runs(finding: &Finding) -> Option<AffectedRuns> {
    finding.affected.filter(|a| a.runs_affected < a.runs)
}

/// What was found, with the runs that it holds for where those are not all.
pub(crate) fn message(finding: &Finding) -> String {
    let own = found(finding).unwrap_or_else(|| finding.message.clone());
    of_runs(finding, own)
}

/// A sentence about a finding with the runs that it holds for, where those are not all.
pub(super) fn of_runs(finding: &Finding, own: String) -> String {
    let Some(affected) = some_runs(finding) else {
        return own;
    };
    let said = own.trim_end_matches('.');
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
    let (said, advice) = in_words(finding);
    say!(
        "page-finding",
        severity = mark,
        code = finding.code,
        place = place,
        said = said,
        advice = advice,
    )
}

/// What it says and what to do. In another language the check's meaning stands before a sentence that there is in English
/// alone, and its advice for that of the record where they are the same.
fn in_words(finding: &Finding) -> (String, String) {
    let (said, to_do) = (message(finding), advice(finding));
    let check = check_of(&finding.code);
    let Some((check, own)) = check.and_then(|check| Some((check, CheckWords::spoken(check)?)))
    else {
        return (said, to_do);
    };
    let said = match found(finding) {
        Some(_) => said,
        None => own.before(&said),
    };
    let is_usual = finding.advice == check.advice;
    (said, if is_usual { own.advice } else { to_do })
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_language::Language;

    #[test]
    fn findings_are_told_in_the_language_of_their_reader() {
        let check = check_of("depth-one").unwrap();
        let message = "the sync backend keeps one operation in flight per job, not 4.";
        let finding = Finding::new(check.code, Severity::Info, message, check.advice);
        let told = |language: Language| language.speak(|| in_words(&finding));
        let english = told(Language::English);
        assert_eq!(english, (finding.message.clone(), finding.advice.clone()));
        for language in [Language::French, Language::Dutch] {
            let own = language.speak(|| CheckWords::spoken(check)).unwrap();
            let (said, advice) = told(language);
            assert_eq!(advice, own.advice);
            let [about, english] = [&own.about, &finding.message].map(|s| s.trim_end_matches('.'));
            assert_eq!(said, format!("{about} ({english})."));
        }
    }
}
