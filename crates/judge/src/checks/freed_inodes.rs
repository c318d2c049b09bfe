//! Creating files where inodes that were freed just before are passed over.

use etalon_model::{Run, Severity};

use crate::check::{Check, Facts, Looks, Outcome};

/// What needs a new inode.
const CREATES: [&str; 3] = ["create", "mkdir", "symlink"];

pub(crate) const CHECK: Check = Check {
    code: "freed-inodes",
    about: "The filesystem looks for an inode among all that were freed in the last minutes, so that creating gets slower the more was removed just before.",
    advice: "Measure on an ext4 with a journal, or know that this is the rate right after a large removal.",
    looks: Looks::Run(run),
};

/// The first pass has removed nothing before it.
fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let filesystem = run.circumstances.beneath.as_ref()?;
    let filesystem = filesystem.avoids_freed_inodes.as_ref()?;
    (creates(run) && run.block > 0).then(|| {
        let message = format!(
            "{filesystem} passes over inodes that were freed in the last minutes, and the passes before had removed what they made."
        );
        Outcome::new(Severity::Warn, message, &[("passes", f64::from(run.block))])
    })
}

/// Whether new names are made, each with an inode of its own.
pub(crate) fn creates(run: &Run) -> bool {
    let task = run.workload.task();
    task.is_some_and(|task| CREATES.contains(&task.step.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::{BeneathFacts, TaskFigure, TaskWorkload, Workload};

    fn found(step: &str, block: u32, without_journal: bool) -> bool {
        let mut run = read_run();
        run.block = block;
        let parameters = std::collections::BTreeMap::new();
        let figure = TaskFigure::Rate;
        let task = TaskWorkload::of_texts("metadata", step, figure, parameters);
        run.workload = Workload::Task(task);
        run.circumstances.beneath = Some(BeneathFacts {
            avoids_freed_inodes: without_journal.then(|| "ext4 without a journal".to_owned()),
            ..BeneathFacts::default()
        });
        super::run(&facts(&run)).is_some()
    }

    #[test]
    fn creating_after_a_removal_without_a_journal_is_named() {
        assert!(found("create", 1, true));
        assert!(!found("create", 0, true));
        assert!(!found("stat", 1, true));
        assert!(!found("create", 1, false));
    }
}
