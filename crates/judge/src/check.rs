//! What a check is, what it may look at, and what it finds.

use etalon_model::{Evidence, Finding, Run, Severity};
use etalon_stats::Sample;

use crate::sentence::Sentence;

/// What a check may look at.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The run.
    pub run: &'a Run,
    /// Nanoseconds that the tool itself needs for one operation, found with the `null` backend on
    /// this machine; `None` where it was not calibrated.
    pub null_ns_per_operation: Option<f64>,
}

/// One way in which a figure can be less than it seems.
#[derive(Debug)]
pub struct Check {
    /// The stable name of its findings.
    pub code: &'static str,
    /// What a finding of it means, in one line.
    pub about: &'static str,
    /// What to do about it.
    pub advice: &'static str,
    /// What it means for a page with little room; `None` where a finding's own sentence stands there.
    pub short_about: Option<&'static str>,
    /// What to do, for the same page.
    pub short_advice: Option<&'static str>,
    pub(crate) looks: Looks,
}

/// What a check looks at.
#[derive(Debug)]
pub(crate) enum Looks {
    /// Every run.
    Run(fn(&Facts) -> Option<Outcome>),
    /// The runs of a cell together.
    Cell(fn(&CellFacts) -> Option<Outcome>),
    /// Every run, and the runs of a cell together for what none of them shows by itself.
    Both(
        fn(&Facts) -> Option<Outcome>,
        fn(&CellFacts) -> Option<Outcome>,
    ),
    /// What a tool says of its passes over files (`files.rs`).
    Files,
}

/// The runs of a cell that count, in their order, and their figures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellFacts<'a> {
    pub(crate) runs: &'a [&'a Run],
    pub(crate) sample: &'a Sample,
}

impl Check {
    /// One that looks at every run, without its words.
    pub(crate) const fn of_run(look: fn(&Facts) -> Option<Outcome>) -> Check {
        Check::looking(Looks::Run(look))
    }

    /// One that looks at the runs of a cell together.
    pub(crate) const fn of_cell(look: fn(&CellFacts) -> Option<Outcome>) -> Check {
        Check::looking(Looks::Cell(look))
    }

    /// One that looks at every run, and at all of them.
    pub(crate) const fn of_run_and_cell(
        run: fn(&Facts) -> Option<Outcome>,
        cell: fn(&CellFacts) -> Option<Outcome>,
    ) -> Check {
        Check::looking(Looks::Both(run, cell))
    }

    /// One that `files.rs` looks for.
    pub(crate) const fn of_files() -> Check {
        Check::looking(Looks::Files)
    }

    const fn looking(looks: Looks) -> Check {
        Check {
            code: "",
            about: "",
            advice: "",
            short_about: None,
            short_advice: None,
            looks,
        }
    }

    /// The finding of an outcome.
    pub(crate) fn finding(&self, outcome: Outcome) -> Finding {
        Finding {
            code: self.code.to_owned(),
            severity: outcome.severity,
            message: outcome.message.text,
            advice: outcome.advice.unwrap_or_else(|| self.advice.to_owned()),
            evidence: outcome.evidence,
            affected: None,
            said: outcome.message.parts,
        }
    }
}

/// What a check found, before its name and advice are added.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) severity: Severity,
    /// One sentence with its figures, ending in a full stop.
    pub(crate) message: Sentence,
    pub(crate) evidence: Vec<Evidence>,
    /// What to do, where the cause that was found asks for something else than the check's findings do
    /// else.
    pub(crate) advice: Option<String>,
}

impl Outcome {
    pub(crate) fn new(
        severity: Severity,
        message: impl Into<Sentence>,
        evidence: &[(&str, f64)],
    ) -> Outcome {
        Outcome {
            severity,
            message: message.into(),
            evidence: evidence
                .iter()
                .map(|(name, value)| Evidence::new(name, *value))
                .collect(),
            advice: None,
        }
    }

    /// The same, with what its own cause asks for.
    pub(crate) fn advising(self, advice: impl Into<String>) -> Outcome {
        Outcome {
            advice: Some(advice.into()),
            ..self
        }
    }
}
