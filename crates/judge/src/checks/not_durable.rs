//! Writes that the devices did not take.

use etalon_model::{FsyncPolicy, Run, Severity, SyncMode, TaskFigure, TaskWorkload, Workload};
use etalon_units::Percent;

use crate::check::{Check, Facts, Looks, Outcome};

/// Up to 1 % of the bytes may still be in memory at the end without changing the figure.
const DEVICE_SHARE: f64 = 0.99;

pub(crate) const CHECK: Check = Check {
    code: "not-durable",
    about: "The devices took less than 99 % of the bytes written; the rest was still in memory, or a layer shrank it.",
    advice: "Put what makes it durable inside the clock: --fsync end or O_DIRECT, for names `etalon metadata --durability phase`.",
    looks: Looks::Run(run),
};

/// Operations that change names or what hangs on them.
const CHANGES: [&str; 13] = [
    "mkdir",
    "create",
    "write",
    "rename",
    "link",
    "symlink",
    "setxattr",
    "unlink",
    "rmdir",
    // Those of fdtree.
    "directories created",
    "files created",
    "files removed",
    "directories removed",
];

fn run(facts: &Facts) -> Option<Outcome> {
    let forced = match &facts.run.workload {
        // What is counted in bytes has a number of them that the devices must take.
        Workload::Task(task) if task.figure != TaskFigure::Throughput => {
            return of_names(facts.run, task);
        }
        Workload::Task(_) => facts.run.measurement.fsyncs > 0,
        Workload::Io(io) => io.fsync != FsyncPolicy::Never || io.sync != SyncMode::None,
    };
    // A mirror that took only one copy of each byte has not kept the promise either.
    let copies = facts.run.expected_write_copies();
    let share = facts.run.device_write_share()? / copies;
    (share < DEVICE_SHARE).then(|| {
        let share_text = Percent::from_fraction(share);
        let cause = if forced {
            "although fsync was inside the clock: a layer below compresses, deduplicates or ignores it"
        } else {
            "and no fsync was inside the clock: the rest was still in memory"
        };
        let message = format!("the devices took {share_text} of the bytes that were written, {cause}.");
        Outcome::new(Severity::Invalid, message, &[("device_write_share", share)])
    })
}

/// A name has no number of bytes, so that only whether anything was synced can be told.
fn of_names(run: &Run, task: &TaskWorkload) -> Option<Outcome> {
    let device = run.device.as_ref()?;
    let changes = task.figure == TaskFigure::Rate && CHANGES.contains(&task.step.as_str());
    (changes && run.measurement.fsyncs == 0).then(|| {
        let message = "nothing was synced inside the clock: the figure is the rate at which memory took the changes.".to_owned();
        let evidence = [("device_written_bytes", device.written_bytes.as_f64())];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, task_run, write_run};
    use etalon_units::Bytes;

    #[test]
    fn a_write_left_in_memory_is_caught_and_a_durable_one_is_not() {
        let mut run = write_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.workload.io_mut().unwrap().fsync = FsyncPolicy::Never;
        run.device.as_mut().unwrap().written_bytes = Bytes::ZERO;
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("took 0 %") && outcome.message.contains("in memory"));
    }

    #[test]
    fn changed_names_carry_a_reservation_until_they_are_synced() {
        let mut run = task_run(TaskFigure::Rate);
        for (step, is_told) in [("create", true), ("stat", false), ("readdir", false)] {
            run.workload.task_mut().unwrap().step = step.to_owned();
            let outcome = super::run(&facts(&run));
            assert_eq!(outcome.is_some(), is_told, "{step}");
        }
        run.workload.task_mut().unwrap().step = "create".to_owned();
        run.measurement.fsyncs = 1;
        assert_eq!(super::run(&facts(&run)), None);
        let step = task_run(TaskFigure::Time);
        assert_eq!(super::run(&facts(&step)), None);
    }
}
