//! What a report compares: experiments with each other, or the levels of the plan that made a single one.

use etalon_report::{ComparedRow, HtmlReport};

use super::Subjects;
use crate::commands::compare::{SideBySide, report_rows};

/// The rows of a comparison as a report takes them; none where there is nothing to compare.
pub(crate) struct Compared<'a> {
    subjects: &'a Subjects,
    question: Option<&'a str>,
    rows: Vec<ComparedRow<'a>>,
    names: &'a [String],
    notes: Vec<String>,
}

impl<'a> Compared<'a> {
    /// The experiments of `side_by_side`, which is that of the subjects, else the levels of their plan.
    pub(crate) fn of(subjects: &'a Subjects, side_by_side: Option<&'a SideBySide>) -> Compared<'a> {
        let nothing = Compared {
            subjects,
            question: None,
            rows: Vec::new(),
            names: &[],
            notes: Vec::new(),
        };
        match (side_by_side, &subjects.planned) {
            (Some(found), _) => Compared {
                rows: report_rows(&found.rows),
                names: &found.names,
                notes: found.notes.clone(),
                ..nothing
            },
            (None, Some(planned)) => Compared {
                question: Some(&planned.question),
                rows: planned.rows(),
                names: planned.names(),
                notes: planned.notes(),
                ..nothing
            },
            (None, None) => nothing,
        }
    }

    /// The report, which is made again by `command`.
    pub(crate) fn report<'b>(&'b self, command: &'b str) -> HtmlReport<'b> {
        HtmlReport {
            subjects: &self.subjects.subjects,
            question: self.question,
            rows: &self.rows,
            names: self.names,
            notes: &self.notes,
            command,
        }
    }
}
