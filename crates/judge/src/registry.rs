//! The list of all checks, and the walk over it.

use etalon_model::{Finding, Workload};

use crate::advice::fit;
use crate::check::{CellFacts, Check, Facts, Looks, Outcome};
use crate::checks;

/// Every check, in the order in which their findings are told.
pub const CHECKS: [&Check; 67] = [
    &checks::run_failed::CHECK,
    &checks::data_corrupt::CHECK,
    &checks::in_memory::CHECK,
    &checks::no_device::CHECK,
    &checks::direct_refused::CHECK,
    &checks::direct_left::CHECK,
    &checks::direct_fell_back::CHECK,
    &checks::cache_state::CHECK,
    &checks::page_cache::CHECK,
    &checks::working_set::CHECK,
    &checks::readahead_waste::CHECK,
    &checks::holes::CHECK,
    &checks::easy_data::CHECK,
    &checks::reducing_layer::CHECK,
    &checks::sparse_loop::CHECK,
    &checks::freed_inodes::CHECK,
    &checks::buffered_loop::CHECK,
    &checks::cache_below::CHECK,
    &checks::server_cache::CHECK,
    &checks::device_cache::CHECK,
    &checks::short_stroked::CHECK,
    &checks::not_durable::CHECK,
    &checks::dirty_left::CHECK,
    &checks::no_flush::CHECK,
    &checks::returned_early::CHECK,
    &checks::commits_not_durable::CHECK,
    &checks::cached_in_server::CHECK,
    &checks::server_bound::CHECK,
    &checks::checkpoint_in_run::CHECK,
    &checks::failed_requests::CHECK,
    &checks::network_bound::CHECK,
    &checks::write_amplification::CHECK,
    &checks::sibling_idle::CHECK,
    &checks::not_together::CHECK,
    &checks::foreign_io::CHECK,
    &checks::earlier_writes::CHECK,
    &checks::background_work::CHECK,
    &checks::rebuild_over::CHECK,
    &checks::discards::CHECK,
    &checks::trimmed_before::CHECK,
    &checks::environment_changed::CHECK,
    &checks::nearly_full::CHECK,
    &checks::failing_disk::CHECK,
    &checks::capped::CHECK,
    &checks::stalled::CHECK,
    &checks::steal::CHECK,
    &checks::throttled::CHECK,
    &checks::memory_pressure::CHECK,
    &checks::clock_trouble::CHECK,
    &checks::lab_guest::CHECK,
    &checks::lab_late::CHECK,
    &checks::process_settings::CHECK,
    &checks::io_uring_refused::CHECK,
    &checks::depth_one::CHECK,
    &checks::buffers_not_registered::CHECK,
    &checks::cpu_bound::CHECK,
    &checks::cpu_starved::CHECK,
    &checks::generator_late::CHECK,
    &checks::few_operations::CHECK,
    &checks::warm_up::CHECK,
    &checks::regimes::CHECK,
    &checks::unsteady::CHECK,
    &checks::one_run::CHECK,
    &checks::two_modes::CHECK,
    &checks::outlying_run::CHECK,
    &checks::own_work::CHECK,
    &checks::interrupted::CHECK,
];

/// What a run that broke off leaves behind: what was to make its data durable was never called.
const OF_A_BROKEN_END: [&str; 3] = ["not-durable", "dirty-left", "no-flush"];

/// The check with this code.
pub fn check_of(code: &str) -> Option<&'static Check> {
    CHECKS.iter().copied().find(|check| check.code == code)
}

/// The findings of one run.
pub fn check_run(facts: &Facts) -> Vec<Finding> {
    let service = facts.run.measurement.service.as_ref();
    let is_elsewhere = service.is_some_and(|service| service.stands);
    let mut found = findings(&facts.run.workload, |looks| match looks {
        Looks::Run(look) | Looks::Both(look, _) => look(facts),
        _ => None,
    });
    let is_of = |codes: &[&str], one: &Finding| codes.contains(&one.code.as_str());
    let failed = found
        .iter()
        .any(|one| one.code == checks::run_failed::CHECK.code);
    found.retain(|one| !(failed && is_of(&OF_A_BROKEN_END, one)));
    // What a server that stands reads and writes need not be on the storage beneath the target.
    found.retain(|one| !(is_elsewhere && is_of(&OF_STORAGE, one)));
    found
}

/// What is seen of the storage beneath the target alone.
const OF_STORAGE: [&str; 14] = [
    checks::in_memory::CHECK.code,
    checks::no_device::CHECK.code,
    checks::reducing_layer::CHECK.code,
    checks::sparse_loop::CHECK.code,
    checks::buffered_loop::CHECK.code,
    checks::cache_below::CHECK.code,
    checks::server_cache::CHECK.code,
    checks::device_cache::CHECK.code,
    checks::write_amplification::CHECK.code,
    checks::foreign_io::CHECK.code,
    checks::earlier_writes::CHECK.code,
    checks::background_work::CHECK.code,
    checks::nearly_full::CHECK.code,
    checks::failing_disk::CHECK.code,
];

/// The findings about the runs of a cell together.
pub(crate) fn check_cell(facts: &CellFacts) -> Vec<Finding> {
    let Some(run) = facts.runs.first() else {
        return Vec::new();
    };
    findings(&run.workload, |looks| match looks {
        Looks::Cell(look) | Looks::Both(_, look) => look(facts),
        _ => None,
    })
}

fn findings(workload: &Workload, look: impl Fn(&Looks) -> Option<Outcome>) -> Vec<Finding> {
    let found = CHECKS.iter().filter_map(|check| {
        let mut finding = check.finding(look(&check.looks)?);
        fit(&mut finding, check.advice, workload);
        Some(finding)
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_failed_run_is_not_told_what_follows_from_its_end() {
        let mut run = crate::samples::write_run();
        run.device.as_mut().unwrap().written_bytes = etalon_units::Bytes::ZERO;
        let codes = |run: &etalon_model::Run| -> Vec<String> {
            let found = check_run(&crate::samples::facts(run));
            found.into_iter().map(|one| one.code).collect()
        };
        assert_eq!(codes(&run), ["not-durable"]);
        run.measurement.ended = etalon_model::Ended::DiskFull;
        assert_eq!(codes(&run), ["run-failed"]);
    }

    #[test]
    fn of_a_server_that_stands_the_storage_beneath_the_target_is_not_judged() {
        let mut run = crate::samples::read_run();
        let beneath = etalon_model::BeneathFacts {
            in_memory: vec!["tmpfs at /dev/shm".to_owned()],
            ..Default::default()
        };
        run.circumstances.beneath = Some(beneath);
        let mut is_told = |stands| {
            run.measurement.service = Some(etalon_model::ServiceFacts {
                stands,
                ..Default::default()
            });
            let found = check_run(&crate::samples::facts(&run));
            found.iter().any(|finding| finding.code == "in-memory")
        };
        assert_eq!([is_told(false), is_told(true)], [true, false]);
    }

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
            let short = [check.short_about, check.short_advice];
            let ends = |short: Option<&str>| short.is_none_or(|text| text.ends_with('.'));
            assert!(short.into_iter().all(ends), "{}", check.code);
        }
    }

    #[test]
    fn the_guide_speaks_of_checks_that_there_are() {
        let guide = include_str!("../../../docs/guide.md");
        let chapter = guide.split("## What the findings mean").nth(1).unwrap();
        let chapter = chapter.split("\n## ").next().unwrap();
        let rows = chapter.lines().filter_map(|line| line.strip_prefix("| `"));
        let codes: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
        assert!(codes.len() > 5, "{codes:?}");
        for code in codes {
            assert!(CHECKS.iter().any(|check| check.code == code), "{code}");
        }
    }

    /// The code whose source file, or folder, is `name`.
    fn code_of(name: &str) -> Option<String> {
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        (stem != "mod").then(|| stem.replace('_', "-"))
    }

    #[test]
    fn registry_documentation_and_sources_hold_the_same_checks() {
        let codes: BTreeSet<String> = CHECKS.iter().map(|check| check.code.to_owned()).collect();
        let page = include_str!("../../../docs/checks.md");
        let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
        let documented: BTreeSet<String> = headings.map(str::to_owned).collect();
        assert_eq!(documented, codes);
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/checks");
        let files = std::fs::read_dir(folder).unwrap().flatten();
        let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        let sources: BTreeSet<String> = names.filter_map(|name| code_of(&name)).collect();
        assert_eq!(sources, codes);
    }
}
