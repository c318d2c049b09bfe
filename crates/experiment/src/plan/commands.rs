//! The user's own commands, before and after all else of a plan.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_factor::condition::{Applied, FactorError, due_at_the_end};
use etalon_factor::{Journal, run_shell};

use crate::ExperimentError;

/// The commands that are due at the end, in their order, each in the journal from now on: a kill leaves them to `etalon
/// restore`, which begins with the last entry.
pub(super) fn due(commands: &[String]) -> Result<Vec<Box<dyn Applied>>, ExperimentError> {
    if commands.is_empty() {
        return Ok(Vec::new());
    }
    let journal = Journal::open()?;
    let entered = commands.iter().rev();
    let entered = entered.map(|command| due_at_the_end(&journal, command));
    let mut entered = entered.collect::<Result<Vec<_>, _>>()?;
    entered.reverse();
    Ok(entered)
}

/// Runs all of them; the first that fails is told.
pub(super) fn done(due: Vec<Box<dyn Applied>>) -> Result<(), ExperimentError> {
    let ends: Vec<_> = due.into_iter().map(Applied::restore).collect();
    Ok(ends.into_iter().collect::<Result<(), _>>()?)
}

/// Runs the commands that come before all else, one after the other.
pub(super) fn set_up(commands: &[String], stop: &AtomicBool) -> Result<(), ExperimentError> {
    for command in commands {
        run_shell(command, Stdio::null(), stop).map_err(|error| match error {
            FactorError::Program { command, why } => ExperimentError::Command { command, why },
            other => other.into(),
        })?;
        if stop.load(Ordering::Relaxed) {
            return Err(FactorError::Stopped.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn set_up(command: &str, stop: &AtomicBool) -> Result<(), ExperimentError> {
        super::set_up(&[command.to_owned()], stop)
    }

    #[test]
    fn what_a_command_leaves_in_the_background_keeps_no_plan_waiting() {
        let place = tempfile::tempdir().unwrap();
        // It ends with the directory, or after half a minute.
        let there = format!("test -e '{}' && sleep 0.05", place.path().display());
        let command = format!("for n in $(seq 600); do {there} || exit; done &");
        let begun = Instant::now();
        set_up(&command, &AtomicBool::new(false)).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_command_that_fails_is_told_and_a_stop_is_no_failure_of_it() {
        let failed = set_up("echo wrong >&2; false", &AtomicBool::new(false)).unwrap_err();
        assert_eq!(
            failed.to_string(),
            "the plan's command 'echo wrong >&2; false' failed: exit status: 1: wrong"
        );
        for command in ["sleep 600", "true"] {
            let stopped = set_up(command, &AtomicBool::new(true));
            let is_stop = matches!(stopped, Err(ExperimentError::Factor(FactorError::Stopped)));
            assert!(is_stop, "{stopped:?}");
        }
    }
}
