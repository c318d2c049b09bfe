//! Why a figure is invalid, and why it is of fewer runs than were made.

use std::io::{self, Write};

use etalon_model::{Cell, Finding, Severity};

/// A line for each reason. What is only to be borne in mind is kept with the runs, and told by `etalon show`.
pub(crate) fn write_reasons(label: &str, cell: &Cell, out: &mut dyn Write) -> io::Result<()> {
    for finding in &cell.findings {
        let Some(effect) = effect(cell, finding) else {
            continue;
        };
        let (code, message, advice) = (&finding.code, &finding.message, &finding.advice);
        writeln!(out, "{label}: {effect} [{code}] {message} {advice}")?;
    }
    Ok(())
}

/// What the finding does to the figure.
fn effect(cell: &Cell, finding: &Finding) -> Option<String> {
    if cell.verdict.is_invalid() && finding.severity == Severity::Invalid {
        return Some("invalid".to_owned());
    }
    let left_out = finding.affected.filter(|affected| affected.left_out)?;
    let (count, made) = (left_out.runs_affected, left_out.runs);
    Some(format!("{count} of {made} runs left out"))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::AtomicBool;

    use etalon_model::{Finding, Run};

    use super::*;
    use crate::dd::Dd;
    use crate::keeper::judged;
    use crate::tests::served;

    fn of_copies(number: u32) -> Vec<Run> {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().display();
        let line = format!("if=/dev/zero of={place}/f count=1 --runs {number}");
        let words: Vec<std::ffi::OsString> = line.split(' ').map(Into::into).collect();
        let mut runs = served::<Dd>(&words, &AtomicBool::new(false)).kept;
        runs.iter_mut().for_each(|run| run.findings.clear());
        runs
    }

    fn finding(severity: Severity, code: &str) -> Finding {
        Finding::new(
            code,
            severity,
            "The page cache answered.",
            "Use oflag=direct.",
        )
    }

    /// Of six runs, one of which the page cache has spoilt.
    pub(crate) fn one_left_out() -> Cell {
        let mut runs = of_copies(6);
        runs[2].findings = vec![finding(Severity::Invalid, "page-cache")];
        judged(&runs).remove(0)
    }

    fn told(cell: &Cell) -> String {
        let mut out = Vec::new();
        write_reasons("etalon", cell, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_invalid_figure_is_told_with_its_reason() {
        let mut runs = of_copies(1);
        assert_eq!(told(&judged(&runs)[0]), "");
        runs[0].findings = vec![
            finding(Severity::Warn, "steal"),
            finding(Severity::Invalid, "page-cache"),
        ];
        let told = told(&judged(&runs)[0]);
        assert!(
            told.starts_with("etalon: invalid [page-cache] The page cache answered."),
            "{told}"
        );
        assert_eq!(told.lines().count(), 1, "{told}");
    }

    #[test]
    fn a_run_that_is_in_no_figure_is_told_with_its_reason() {
        assert_eq!(
            told(&one_left_out()),
            "etalon: 1 of 6 runs left out [page-cache] The page cache answered. Use oflag=direct.\n"
        );
    }
}
