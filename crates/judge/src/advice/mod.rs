//! What to do about a finding, in the words of the command that ran.
//!
//! The advice of a [`Check`](crate::Check) names options of `etalon measure`. The other commands have
//! options of their own, and each gets its own sentence where such an option is meant.

#[cfg(test)]
mod tests;

mod sentences;

use etalon_model::{Finding, Workload};
use sentences::{DD, FDTREE, HDPARM, IOZONE, METADATA, WEB, WORK};

/// What to do about a finding of this `code`, in the words of the command that did the work; `None` where
/// the finding's own advice fits.
fn fitting_advice(code: &str, workload: &Workload) -> Option<&'static str> {
    let sentences = match workload.task()?.work.as_str() {
        "web" if code == "run-failed" => WEB,
        "dd" => DD,
        "hdparm" => HDPARM,
        "iozone" => IOZONE,
        "fdtree" => FDTREE,
        "metadata" => METADATA,
        _ => WORK,
    };
    let found = sentences.iter().find(|(known, _)| *known == code);
    found.map(|(_, sentence)| *sentence)
}

/// Gives findings the advice that fits what ran; a check that had a cause of its own in mind has said so
/// and keeps its words.
pub(crate) fn fit(finding: &mut Finding, own: &str, workload: &Workload) {
    if finding.advice == own
        && let Some(advice) = fitting_advice(&finding.code, workload)
    {
        advice.clone_into(&mut finding.advice);
    }
}
