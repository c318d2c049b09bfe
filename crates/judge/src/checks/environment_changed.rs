//! An environment that changed between the runs.

use etalon_model::Severity;
use etalon_model::stack::ManifestChange;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said, word};

/// Changes that are listed in full.
const MAX_LISTED_CHANGES: usize = 3;

pub(crate) const CHECK: Check = Check {
    code: "environment-changed",
    about: "The machine was not the same as at the first run: a setting, a device or a limit changed.",
    advice: "Put it back and measure again; to compare two settings, measure each in a command of its own.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let changes = &facts.run.circumstances.environment.as_ref()?.changes;
    let (idle, of_weight): (Vec<_>, Vec<_>) = changes.iter().partition(|c| c.is_memory_space());
    let (severity, told) = match (of_weight.is_empty(), idle.is_empty()) {
        (false, _) => (Severity::Invalid, of_weight),
        (true, false) => (Severity::Info, idle),
        (true, true) => return None,
    };
    let evidence = [("changes", told.len() as f64)];
    let message = match severity {
        Severity::Info => listed(&told).then(of_space_alone()),
        _ => listed(&told),
    };
    Some(Outcome::new(severity, message, &evidence))
}

/// Added where nothing but swap space or huge pages changed.
fn of_space_alone() -> Sentence {
    said!(
        "; swap space and huge pages have no weight of their own, and memory that gets scarce is memory-pressure's."
    )
}

fn listed(changes: &[&ManifestChange]) -> Sentence {
    let more = changes.len().saturating_sub(MAX_LISTED_CHANGES);
    let told = changes.iter().take(MAX_LISTED_CHANGES).enumerate();
    told.fold(Sentence::default(), |told, (index, change)| {
        match (index, more) {
            (0, _) => first(change),
            (index, 1..) if index + 1 == MAX_LISTED_CHANGES => told.then(last(change, more)),
            _ => told.then(further(change)),
        }
    })
}

fn first(change: &ManifestChange) -> Sentence {
    said!(
        "since the first run changed {key}: {before} -> {after}.",
        key = &change.key,
        before = shown(change.before.as_ref()),
        after = shown(change.after.as_ref()),
    )
}

fn further(change: &ManifestChange) -> Sentence {
    said!(
        "; {key}: {before} -> {after}.",
        key = &change.key,
        before = shown(change.before.as_ref()),
        after = shown(change.after.as_ref()),
    )
}

/// The last that is listed, and how many are not.
fn last(change: &ManifestChange, more: usize) -> Sentence {
    said!(
        "; {key}: {before} -> {after} and {more} more.",
        key = &change.key,
        before = shown(change.before.as_ref()),
        after = shown(change.after.as_ref()),
        more = more,
    )
}

/// The value as the English sentence of a change has it.
fn shown(value: Option<&String>) -> String {
    match value {
        Some(value) => format!("'{value}'"),
        None => word!("not there").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::EnvironmentMark;

    fn changed(keys: &[&str]) -> Option<Severity> {
        let change = |key: &&str| ManifestChange {
            key: (*key).to_owned(),
            before: None,
            after: Some("2147479552 bytes".to_owned()),
        };
        let mut run = read_run();
        run.circumstances.environment = Some(EnvironmentMark {
            changes: keys.iter().map(change).collect(),
            ..EnvironmentMark::default()
        });
        super::run(&facts(&run)).map(|outcome| outcome.severity)
    }

    #[test]
    fn swap_space_and_huge_pages_spoil_nothing_and_how_swap_is_used_does() {
        let space = ["memory.swap_total", "swap./dev/sdb2"];
        assert_eq!(changed(&space), Some(Severity::Info));
        let huge = ["memory.hugepages", "sysctl.vm.nr_hugepages"];
        assert_eq!(changed(&huge), Some(Severity::Info));
        assert_eq!(changed(&["sysctl.vm.swappiness"]), Some(Severity::Invalid));
        assert_eq!(
            changed(&["cgroup.memory.swap.max"]),
            Some(Severity::Invalid)
        );
        let with_scheduler = [space[0], space[1], "layer.sda.queue.scheduler"];
        assert_eq!(changed(&with_scheduler), Some(Severity::Invalid));
    }

    #[test]
    fn a_changed_scheduler_is_named() {
        let mut run = read_run();
        run.circumstances.environment = Some(EnvironmentMark::default());
        assert_eq!(super::run(&facts(&run)), None);
        let change = ManifestChange {
            key: "layer.sda.queue.scheduler".to_owned(),
            before: Some("none".to_owned()),
            after: Some("bfq".to_owned()),
        };
        run.circumstances.environment = Some(EnvironmentMark {
            changes: vec![change; 5],
            ..EnvironmentMark::default()
        });
        let message = super::run(&facts(&run)).unwrap().message;
        assert!(message.contains("'none' -> 'bfq'") && message.ends_with("and 2 more."));
        assert_eq!(message.parts.len(), MAX_LISTED_CHANGES);
    }
}
