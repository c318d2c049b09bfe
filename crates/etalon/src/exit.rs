//! The exit codes; scripts may rely on them.

use std::borrow::Cow;
use std::process::ExitCode;

use etalon_engine::PlanError;
use etalon_experiment::ExperimentError;
use etalon_factor::guard::Refusal;
use etalon_factor::{ScratchError, TargetLockError};
use etalon_units::visible_lines;
use etalon_work::WorkError;

use crate::output;
use crate::usage::one_line;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done, and no figure is known to be wrong.
    Done = 0,
    /// Failed.
    Failed = 1,
    /// The command line could not be understood.
    Usage = 2,
    /// Done, but a figure is `invalid`, or a comparison or a passport could not be made.
    NotValid = 3,
    /// Refused, because it would have destroyed something.
    Refused = 4,
    /// Done, but a figure is less precise than was asked for.
    Imprecise = 5,
    /// Not begun: another etalon measures on something that the target stands on.
    InUse = 6,
    /// `compare --fail-if-slower`: a loss beyond the margin is shown.
    Slower = 7,
    /// Interrupted by a signal; what had finished is kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl Exit {
    /// The outcome that a code of the table stands for; any other code is a failure.
    pub(crate) fn of_code(code: u8) -> Exit {
        const ALL: [Exit; 9] = [
            Exit::Done,
            Exit::Failed,
            Exit::Usage,
            Exit::NotValid,
            Exit::Refused,
            Exit::Imprecise,
            Exit::InUse,
            Exit::Slower,
            Exit::Interrupted,
        ];
        let known = ALL.into_iter().find(|exit| *exit as u8 == code);
        known.unwrap_or(Exit::Failed)
    }
}

/// What the help says of the codes.
pub(crate) const TABLE: &str = "Exit codes: 0 done, 1 failed, 2 bad usage, 3 done but a figure is invalid or nothing could be compared, \
4 refused as dangerous, 5 done but less precise than --precision asked for, \
6 another etalon measures there (--wait waits for it), 7 slower than compare --fail-if-slower allows, 130 interrupted.";

/// A request refused because it would destroy something.
#[derive(Debug)]
pub(crate) struct Dangerous(pub(crate) String);

impl std::fmt::Display for Dangerous {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Dangerous {}

/// A request that contradicts itself in a way that the parser of options cannot see.
#[derive(Debug)]
pub(crate) struct BadUsage(pub(crate) String);

impl std::fmt::Display for BadUsage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadUsage {}

/// The exit code of an error.
pub(crate) fn classify(error: &anyhow::Error) -> Exit {
    if error.chain().any(|cause| cause.is::<Dangerous>()) {
        return Exit::Refused;
    }
    if error.chain().any(|cause| cause.is::<Refusal>()) {
        return Exit::Refused;
    }
    if error.chain().any(|cause| cause.is::<BadUsage>()) {
        return Exit::Usage;
    }
    if let Some(WorkError::Parameter(_)) = error.downcast_ref() {
        return Exit::Usage;
    }
    match error.downcast_ref().map(ExperimentError::cause) {
        Some(ExperimentError::Plan(plan)) => of_plan(plan),
        Some(ExperimentError::Guard(error)) if error.is_refusal() => Exit::Refused,
        Some(ExperimentError::Lock(TargetLockError::Busy(_))) => Exit::InUse,
        Some(ExperimentError::Lock(TargetLockError::Interrupted)) => Exit::Interrupted,
        Some(ExperimentError::Goal(_) | ExperimentError::SameName { .. }) => Exit::Usage,
        Some(ExperimentError::Scratch(ScratchError::NotADirectory { .. })) => Exit::Usage,
        _ => Exit::Failed,
    }
}

/// What no target could do is bad usage; writing over what is there is refused.
fn of_plan(error: &PlanError) -> Exit {
    match error {
        PlanError::NotForTarget { operation, .. } if operation.writes() => Exit::Refused,
        PlanError::NotForTarget { .. }
        | PlanError::OutOfRange { .. }
        | PlanError::Conflict { .. }
        | PlanError::NotForBackend { .. }
        | PlanError::BlockTooLarge { .. }
        | PlanError::PastTheEnd { .. }
        | PlanError::TooFewBlocks { .. }
        | PlanError::NotAligned { .. } => Exit::Usage,
        _ => Exit::Failed,
    }
}

/// Prints what the parser of options says: help and version are no errors.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        let words: Vec<String> = std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        output::note(&format!("etalon: {}", one_line(error, &words)));
        return Exit::Usage.into();
    }
    // The help quotes what the environment says and how the program was called.
    let plain = error.to_string();
    // A reader that has gone away needs no help text.
    let _ = match visible_lines(&plain) {
        Cow::Borrowed(_) => error.print().map_err(Into::into),
        Cow::Owned(shown) => output::print(&shown),
    };
    Exit::Done.into()
}
