//! Why an experiment could not be carried out.

use std::convert::Infallible;
use std::path::PathBuf;

use etalon_engine::{EngineError, PlanError};
use etalon_factor::guard::GuardError;
use etalon_factor::{CacheLimitError, JournalError, ScratchError, TargetLockError};
use etalon_host::memory::Room;
use etalon_model::CacheMode;
use etalon_stats::StoppingRuleError;
use etalon_units::{Bytes, Nanos, shell_word};
use etalon_work::WorkError;
use etalon_workload::PlainError;
use etalon_workload::metadata::MetadataError;
use etalon_workload::together::ConcurrentError;

use crate::SiteError;
use crate::changes::Changes;
use crate::unquiet::in_words;
use crate::{QUIET_SECONDS, Unquiet};

/// Why a witness could not do its part, for example because a store is full.
pub type WitnessError = Box<dyn std::error::Error + Send + Sync>;

/// Why an experiment could not be carried out; each text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// Nothing is to be done.
    #[error("no workload is given; name at least one operation")]
    NoWorkload,
    /// Runs are to be added to others, and the conditions are not the same.
    #[error(
        "since the last run changed {0}: further runs would be of something else; measure it as an experiment of its own, and compare the two"
    )]
    Changed(Changes),
    /// Runs are to be added to others, which were made on something else.
    #[error(
        "the target was {then}, and is {now}: further runs would be of something else; measure it as an experiment of its own, and compare the two"
    )]
    AnotherTarget {
        /// What it was at the last run.
        then: String,
        /// What it is.
        now: String,
    },
    /// Runs are to be added to others, of whose conditions nothing is known.
    #[error(
        "the runs keep no environment, so that nobody knows whether it is the same now; measure it as an experiment of its own, and compare the two"
    )]
    NotKnown,
    /// The target cannot be used.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// The block device must not be written, or could not be opened for it.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// No private directory could be made on the target.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// Another etalon is measuring the same target.
    #[error(transparent)]
    Lock(#[from] TargetLockError),
    /// A quiet machine was waited for, and did not come.
    #[error(
        "after {limit} the machine is not quiet for {QUIET_SECONDS} s: {}; nothing was measured: end that, or wait longer, as with --wait=quiet:4h",
        in_words(found)
    )]
    NotQuiet {
        /// How long it was waited.
        limit: Nanos,
        /// What kept it busy last.
        found: Vec<Unquiet>,
    },
    /// Whether the machine is quiet cannot be seen.
    #[error(transparent)]
    Monitor(#[from] etalon_stack::MonitorError),
    /// What is changed on the machine cannot be written down, so nothing is changed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The page cache cannot be limited.
    #[error(transparent)]
    CacheLimit(#[from] CacheLimitError),
    /// The page cache could not be brought into the declared state.
    #[error("'{}' could not be brought into the cache state {mode}: {source}; see whether it can be read", path.display())]
    CacheState {
        /// The file.
        path: PathBuf,
        /// The state.
        mode: CacheMode,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// The workload does not go with the target.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A run could not begin.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The wanted precision or number of runs contradicts itself.
    #[error(transparent)]
    Goal(#[from] StoppingRuleError),
    /// Too little free space.
    #[error(
        "only {} may be used on the filesystem of {}, so that a tenth of it stays free, and {needed} are needed; free some space or name another target",
        below(*usable, *needed),
        target.display()
    )]
    NoSpace {
        /// The target.
        target: PathBuf,
        /// What may be used.
        usable: Bytes,
        /// What is needed.
        needed: Bytes,
    },
    /// Too little free memory for files that lie in it.
    #[error(
        "files on {} lie in memory, of which {} are free{}: only {} may be used, so that a tenth of it stays free, and {needed} are needed; give smaller files, free some memory or name another target",
        target.display(),
        room.available,
        of_group(room),
        below(*usable, *needed)
    )]
    NoMemory {
        /// The target.
        target: PathBuf,
        /// What is needed.
        needed: Bytes,
        /// What may be used.
        usable: Bytes,
        /// What there is.
        room: Room,
    },
    /// The files whose size was named do not fit, while smaller ones would.
    #[error(
        "a check makes three files of {size}, and only {} may be used on the filesystem of {}, so that a tenth of it stays free; give a file size of at most {}, or none",
        below(*usable, Bytes(size.get().saturating_mul(3))),
        target.display(),
        Bytes(usable.get() / 3).round_down(Bytes::mib(1))
    )]
    TooLarge {
        /// The target.
        target: PathBuf,
        /// What may be used.
        usable: Bytes,
        /// The size of one file.
        size: Bytes,
    },
    /// The files whose size was named would lie in memory and take too much of it, while smaller ones would not.
    #[error(
        "files on {} take memory, of which {memory} are available, and a check makes three files of {size}; give a file size of at most {}, or none",
        target.display(),
        fits.round_down(Bytes::mib(1))
    )]
    TooLargeForMemory {
        /// The target.
        target: PathBuf,
        /// The memory that is available.
        memory: Bytes,
        /// The size of one file.
        size: Bytes,
        /// The largest that would do.
        fits: Bytes,
    },
    /// The files of the runs that stand, to which more are to be added, no longer fit.
    #[error(
        "the runs that stand had files of {size}, of which a check makes three, and only {} may be used for them on {} now; free some space, or memory where they lie in it, or measure it as an experiment of its own, and compare the two",
        below(*usable, Bytes(size.get().saturating_mul(3))),
        target.display()
    )]
    NoRoomAgain {
        /// The target.
        target: PathBuf,
        /// What may be used.
        usable: Bytes,
        /// The size of one file.
        size: Bytes,
    },
    /// A size of files was named for a device, which has none.
    #[error(
        "{} is a block device, which a check reads as a whole; leave --file-size out, or read a part of it: etalon measure {} --op randread --range {}",
        target.display(),
        shell_word(target),
        typed(*size)
    )]
    FileSizeOfDevice {
        /// The device.
        target: PathBuf,
        /// The size.
        size: Bytes,
    },
    /// The first bytes could not be written.
    #[error("cannot write test files on {}; see whether a file of 64 MiB can be written there: {operation}: {source}", target.display())]
    Trial {
        /// The target.
        target: PathBuf,
        /// The operation.
        operation: String,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// The budget is too short.
    #[error(
        "a budget of {budget} is too short: {} {needed} here; give --budget {needed_option} or more",
        match blocks { 1 => "one block of runs takes".to_owned(), n => format!("{n} blocks of runs take") }
    )]
    NoTime {
        /// The budget.
        budget: Nanos,
        /// The blocks that must fit.
        blocks: usize,
        /// What they take, with all that goes before them.
        needed: Nanos,
        /// The same as it is typed.
        needed_option: String,
    },
    /// `O_DIRECT` was insisted on and refused.
    #[error("the filesystem of {} refuses O_DIRECT; leave --direct out to measure through its page cache", target.display())]
    DirectRefused {
        /// The target.
        target: PathBuf,
    },
    /// Two of several workloads have one name.
    #[error("two of the workloads are called '{name}'; give each its own --name")]
    SameName {
        /// The name.
        name: String,
    },
    /// Several workloads could not be measured together.
    #[error(transparent)]
    Together(#[from] ConcurrentError),
    /// The operations on names could not be begun.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// The real work could not be begun.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// A level of a plan could not be set, read back or put back.
    #[error(transparent)]
    Factor(#[from] etalon_factor::condition::FactorError),
    /// A command of a plan failed.
    #[error("the plan's command '{command}' failed: {why}")]
    Command {
        /// The command.
        command: String,
        /// What it said.
        why: String,
    },
    /// A task came to its end, and no part of it has a figure.
    #[error("nothing was measured: {why}")]
    NothingMeasured {
        /// Why not, in sentences.
        why: String,
    },
    /// Another error, in whose text the private directory bears its path.
    #[error("{text}")]
    Shown {
        /// The text.
        text: String,
        /// The error.
        cause: Box<ExperimentError>,
    },
    /// A state of the device was asked for, and none is written.
    #[error("'{}' has no state to precondition: that takes a block device, and a workload that writes to it", target.display())]
    NoDeviceToPrecondition {
        /// What the plan measures.
        target: PathBuf,
    },
    /// A plan asked for steps that a real work does not have.
    #[error("no step is called {steps}; there are: {found}")]
    NoSuchStep {
        /// What the plan names.
        steps: String,
        /// Those of the work.
        found: String,
    },
    /// A run was not kept.
    #[error("the run could not be kept: {0}")]
    NotKept(WitnessError),
}

impl From<PlainError> for ExperimentError {
    fn from(error: PlainError) -> Self {
        match error {
            PlainError::Plan(error) => error.into(),
            PlainError::Engine(error) => error.into(),
        }
    }
}

/// What may be used, so that it does not read as what is needed: 47.9 MiB of 48.
fn below(usable: Bytes, needed: Bytes) -> String {
    let rounded = usable.to_string();
    match rounded.replace(".0 ", " ") == needed.to_string() {
        true => format!("{} KiB", usable.get() / Bytes::kib(1).get()),
        false => rounded,
    }
}

/// The control group that allows no more memory, where it is not the machine that has none.
fn of_group(room: &Room) -> String {
    let named = |group: &PathBuf| format!(" in the control group '{}'", group.display());
    room.group.as_ref().map_or_else(String::new, named)
}

/// A size as it is typed.
fn typed(size: Bytes) -> String {
    size.exact().replace(' ', "")
}

/// For work that says in its report what failed.
impl From<Infallible> for ExperimentError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_used_never_reads_as_what_is_needed() {
        let (usable, needed) = (Bytes(Bytes::mib(3).get() - 1), Bytes::mib(3));
        let error = ExperimentError::NoSpace {
            target: "/mnt".into(),
            usable,
            needed,
        };
        let said = error.to_string();
        assert!(said.starts_with("only 3071 KiB may be used"), "{said}");
        assert_eq!(below(Bytes::mib(2), needed), "2 MiB");
    }

    #[test]
    fn files_that_are_too_large_are_told_with_the_size_that_fits() {
        let error = ExperimentError::TooLarge {
            target: "/mnt".into(),
            usable: Bytes::mib(44),
            size: Bytes::mib(40),
        };
        let said = error.to_string();
        assert!(said.contains("three files of 40 MiB"), "{said}");
        assert!(said.contains("at most 14 MiB"), "{said}");
        let error = ExperimentError::TooLargeForMemory {
            target: "/mnt".into(),
            memory: Bytes::mib(100),
            size: Bytes::mib(40),
            fits: Bytes::kib(12_800),
        };
        let said = error.to_string();
        assert!(
            said.starts_with("files on /mnt take memory, of which 100 MiB"),
            "{said}"
        );
        assert!(said.contains("at most 12 MiB"), "{said}");
        let error = ExperimentError::NoRoomAgain {
            target: "/mnt".into(),
            usable: Bytes::mib(44),
            size: Bytes::mib(40),
        };
        let said = error.to_string();
        assert!(said.contains("free some space"), "{said}");
        assert!(!said.contains("give a file size"), "{said}");
    }

    #[test]
    fn a_part_of_a_device_is_read_by_a_command_that_is_told() {
        let error = ExperimentError::FileSizeOfDevice {
            target: "/dev/sdb".into(),
            size: Bytes::gib(1),
        };
        let said = error.to_string();
        let command = "etalon measure /dev/sdb --op randread --range 1GiB";
        assert!(said.ends_with(command), "{said}");
    }
}
