//! Creating files where inodes that were freed just before are passed over.

use etalon_model::{Run, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// What needs a new inode.
const CREATES: [&str; 3] = ["create", "mkdir", "symlink"];

/// The parameter that says how many files a pass has.
const FILES: &str = "files_in_all";

pub(crate) const CHECK: Check = Check {
    code: "freed-inodes",
    about: "The filesystem looks for an inode among all that were freed in the last minutes, so that creating gets slower the more was removed just before.",
    advice: "Measure on an ext4 with a journal, or know that this is the rate right after a large removal.",
    ..Check::of_run(run)
};

/// The first pass has removed nothing before it.
fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let filesystem = run.circumstances.beneath.as_ref()?;
    let filesystem = filesystem.avoids_freed_inodes.as_ref()?;
    (creates(run) && run.block > 0).then(|| {
        let files = files_of_a_pass(run);
        // The number of files differs from row to row, and would tell one cause several times.
        let message = said!(
            "{filesystem} passes over inodes that were freed in the last minutes, and the passes before had removed what they made.",
            filesystem = filesystem,
        );
        let passes = ("passes", f64::from(run.block));
        let removed = files.map(|files| ("removed_files", files as f64 * passes.1));
        let evidence: Vec<_> = removed.into_iter().chain([passes]).collect();
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

/// How many files this pass has, and so about each before it; `None` where that is not known.
fn files_of_a_pass(run: &Run) -> Option<u64> {
    let files = run.workload.task()?.parameters.get(FILES)?;
    files.to_string().parse().ok()
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
        message(step, block, without_journal, &[]).is_some()
    }

    fn message(
        step: &str,
        block: u32,
        without_journal: bool,
        parameters: &[(&str, &str)],
    ) -> Option<String> {
        let mut run = read_run();
        run.block = block;
        let parameters = parameters.iter();
        let parameters = parameters.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let parameters = parameters.collect();
        let figure = TaskFigure::Rate;
        let task = TaskWorkload::of_texts("metadata", step, figure, parameters);
        run.workload = Workload::Task(task);
        run.circumstances.beneath = Some(BeneathFacts {
            avoids_freed_inodes: without_journal.then(|| "ext4 without a journal".to_owned()),
            ..BeneathFacts::default()
        });
        super::run(&facts(&run)).map(|outcome| outcome.message.to_string())
    }

    #[test]
    fn creating_after_a_removal_without_a_journal_is_named() {
        assert!(found("create", 1, true));
        assert!(!found("create", 0, true));
        assert!(!found("stat", 1, true));
        assert!(!found("create", 1, false));
    }

    #[test]
    fn rows_of_different_sizes_tell_one_cause_in_one_sentence() {
        let said = |files: &[_]| message("create", 3, true, files).unwrap();
        let one = said(&[("files_in_all", "5000")]);
        assert_eq!(one, said(&[("files_in_all", "64")]));
        assert!(one.contains("removed what they made"), "{one}");
    }
}
