//! With what errors and refusals end.

use std::io::{self, Write as _};
use std::process::ExitCode;

use etalon_engine::PlanError;
use etalon_experiment::ExperimentError;
use etalon_factor::guard::Refusal;
use etalon_factor::{ScratchError, TargetLockError};
use etalon_lab::guest::GuestError;
use etalon_tools::Exit;
use etalon_units::visible_lines;
use etalon_work::WorkError;

use crate::output;
use crate::usage::one_line;

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

/// What a command of etalon failed on in a guest of the laboratory, and ended with there.
#[derive(Debug)]
pub(crate) struct InGuest {
    pub(crate) exit: Exit,
    pub(crate) said: String,
}

impl std::fmt::Display for InGuest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "in the guest: {}", self.said)
    }
}

impl std::error::Error for InGuest {}

/// The exit code of an error.
pub(crate) fn classify(error: &anyhow::Error) -> Exit {
    if let Some(guest) = error.downcast_ref::<InGuest>() {
        return guest.exit;
    }
    if error.chain().any(|cause| cause.is::<Dangerous>()) {
        return Exit::Refused;
    }
    if error.chain().any(|cause| cause.is::<Refusal>()) {
        return Exit::Refused;
    }
    if error.chain().any(|cause| cause.is::<BadUsage>()) {
        return Exit::Usage;
    }
    // The trial of KVM, or a guest that nobody had measured in yet.
    if let Some(GuestError::Stopped) = error.downcast_ref() {
        return Exit::Interrupted;
    }
    if let Some(WorkError::Parameter(_)) = error.downcast_ref() {
        return Exit::Usage;
    }
    match error.downcast_ref().map(ExperimentError::cause) {
        Some(ExperimentError::Plan(plan)) => of_plan(plan),
        Some(ExperimentError::Guard(error)) if error.is_refusal() => Exit::Refused,
        Some(
            ExperimentError::Lock(TargetLockError::Busy(_)) | ExperimentError::NotQuiet { .. },
        ) => Exit::InUse,
        Some(ExperimentError::Lock(TargetLockError::Interrupted)) => Exit::Interrupted,
        Some(
            ExperimentError::Goal(_)
            | ExperimentError::SameName { .. }
            | ExperimentError::FileSizeOfDevice { .. },
        ) => Exit::Usage,
        Some(ExperimentError::Scratch(ScratchError::NotADirectory { .. })) => Exit::Usage,
        _ => Exit::Failed,
    }
}

/// What no target could do is bad usage; writing over what is there is refused.
fn of_plan(error: &PlanError) -> Exit {
    match error {
        PlanError::NotForTarget { operation, .. } if operation.changes() => Exit::Refused,
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

/// Prints what the parser of options says of a command line of `program`: help and version are no errors.
pub(crate) fn usage(error: &clap::Error, program: &clap::Command) -> ExitCode {
    if error.use_stderr() {
        let words: Vec<String> = std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        output::note(&format!(
            "etalon: {}",
            one_line(error, &words, Some(program))
        ));
        return Exit::Usage.into();
    }
    // The help quotes what the environment says and how the program was called.
    let plain = error.to_string();
    let visible = visible_lines(&plain);
    let shown = output::in_locale(&visible);
    let printed = match shown == plain {
        true => print_styled(error).map_err(Into::into),
        false => output::print(&shown),
    };
    match printed {
        // A reader that has gone away needs no help text.
        Err(error) if !output::is_closed_pipe(&error) => {
            output::complain(&error);
            Exit::Failed.into()
        }
        _ => Exit::Done.into(),
    }
}

/// The parser's own text, down to the last byte: what lies in a buffer is written only when the program ends, where nobody
/// sees an error any more.
fn print_styled(error: &clap::Error) -> io::Result<()> {
    error.print()?;
    io::stdout().flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_that_was_asked_to_stop_is_an_interruption() {
        let stopped = || anyhow::Error::from(GuestError::Stopped);
        assert_eq!(classify(&stopped()), Exit::Interrupted);
        let within = stopped().context("block 1, kernel slow");
        assert_eq!(classify(&within), Exit::Interrupted);
        let console = String::new();
        let other = GuestError::NoResults { console };
        assert_eq!(classify(&other.into()), Exit::Failed);
    }
}
