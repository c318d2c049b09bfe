//! What a check is, and the list of all of them.

use etalon_model::{Evidence, Finding, Run, Severity};

use crate::checks;

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
    pub(crate) run: fn(&Facts) -> Option<Outcome>,
}

/// What a check found, before its name and advice are added.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) severity: Severity,
    /// One sentence with its figures, ending in a full stop.
    pub(crate) message: String,
    pub(crate) evidence: Vec<Evidence>,
}

impl Outcome {
    pub(crate) fn new(severity: Severity, message: String, evidence: &[(&str, f64)]) -> Outcome {
        Outcome {
            severity,
            message,
            evidence: evidence
                .iter()
                .map(|(name, value)| Evidence::new(name, *value))
                .collect(),
        }
    }
}

/// Every check, in the order in which their findings are told.
pub const CHECKS: [&Check; 41] = [
    &checks::failed::CHECK,
    &checks::verify::CHECK,
    &checks::no_device::CHECK,
    &checks::direct_refused::CHECK,
    &checks::direct_fell_back::CHECK,
    &checks::cache_state::CHECK,
    &checks::page_cache::CHECK,
    &checks::working_set::CHECK,
    &checks::readahead_waste::CHECK,
    &checks::holes::CHECK,
    &checks::content::CHECK,
    &checks::reducing_layer::CHECK,
    &checks::sparse_loop::CHECK,
    &checks::buffered_loop::CHECK,
    &checks::cache_below::CHECK,
    &checks::not_durable::CHECK,
    &checks::dirty_left::CHECK,
    &checks::no_flush::CHECK,
    &checks::durable_rate::CHECK,
    &checks::write_amplification::CHECK,
    &checks::sibling_idle::CHECK,
    &checks::not_together::CHECK,
    &checks::foreign_io::CHECK,
    &checks::background::CHECK,
    &checks::discards::CHECK,
    &checks::environment::CHECK,
    &checks::nearly_full::CHECK,
    &checks::failing_disk::CHECK,
    &checks::steal::CHECK,
    &checks::throttling::CHECK,
    &checks::memory_pressure::CHECK,
    &checks::clock_trouble::CHECK,
    &checks::io_uring_refused::CHECK,
    &checks::depth_one::CHECK,
    &checks::buffers_not_registered::CHECK,
    &checks::tool_limit::CHECK,
    &checks::generator_lag::CHECK,
    &checks::few_operations::CHECK,
    &checks::warm_up::CHECK,
    &checks::regimes::CHECK,
    &checks::unsteady::CHECK,
];

/// The findings of one run.
pub fn check_run(facts: &Facts) -> Vec<Finding> {
    CHECKS
        .iter()
        .filter_map(|check| {
            let outcome = (check.run)(facts)?;
            Some(Finding {
                code: check.code.to_owned(),
                severity: outcome.severity,
                message: outcome.message,
                advice: check.advice.to_owned(),
                evidence: outcome.evidence,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_lower_case_words() {
        for (index, check) in CHECKS.iter().enumerate() {
            assert!(
                check
                    .code
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}",
                check.code
            );
            assert!(CHECKS[..index].iter().all(|other| other.code != check.code));
        }
    }

    #[test]
    fn every_check_says_what_it_means_and_what_to_do() {
        for check in CHECKS {
            assert!(
                check.about.ends_with('.') && check.advice.ends_with('.'),
                "{}",
                check.code
            );
        }
    }

    #[test]
    fn every_check_has_its_paragraph_in_the_docs() {
        let page = include_str!("../../../docs/checks.md");
        for check in CHECKS {
            let heading = format!("\n### {}\n", check.code);
            assert!(page.contains(&heading), "{}", check.code);
        }
    }
}
