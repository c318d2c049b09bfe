//! Waiting for whoever would disturb a measurement.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use etalon_experiment::QUIET_SECONDS;
use etalon_units::Nanos;

/// How long a quiet machine is waited for where nothing else is said.
const USUAL_LIMIT: Nanos = Nanos::secs(3600);

/// What is waited for.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct WaitArgs {
    /// Wait for another etalon that measures on the same devices, instead of refusing; =quiet: also until nothing else keeps their disks or the processors busy, for an hour at most, or =quiet:4h
    #[arg(
        long,
        value_name = "FOR",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ETALON,
        hide_default_value = true
    )]
    pub(crate) wait: Option<WaitFor>,
}

/// The value of an option without one.
const ETALON: &str = "etalon";

/// Another etalon, and where it is wanted everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WaitFor {
    /// The longest wait for a quiet machine.
    pub(crate) quiet: Option<Nanos>,
}

impl fmt::Display for WaitFor {
    /// As it is typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.quiet {
            None => f.write_str(ETALON),
            Some(limit) => write!(f, "quiet:{}s", limit.get() / 1_000_000_000),
        }
    }
}

/// A text that names nothing to wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadWait(String);

impl fmt::Display for BadWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is nothing to wait for; write --wait for another etalon, --wait=quiet for a quiet machine too, or --wait=quiet:4h with the longest wait, {QUIET_SECONDS} s or more",
            self.0
        )
    }
}

impl std::error::Error for BadWait {}

impl FromStr for WaitFor {
    type Err = BadWait;

    fn from_str(text: &str) -> Result<WaitFor, BadWait> {
        let bad = || BadWait(text.to_owned());
        let quiet = match text.split_once(':') {
            None if text == ETALON => None,
            None if text == "quiet" => Some(USUAL_LIMIT),
            Some(("quiet", limit)) => Some(limit.parse().map_err(|_| bad())?),
            _ => return Err(bad()),
        };
        match quiet.is_some_and(|limit| limit < Nanos::secs(QUIET_SECONDS)) {
            true => Err(bad()),
            false => Ok(WaitFor { quiet }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_with_or_without_a_limit() {
        let read = |text: &str| text.parse::<WaitFor>().map(|wait| wait.quiet);
        assert_eq!(read("etalon"), Ok(None));
        assert_eq!(read("quiet"), Ok(Some(USUAL_LIMIT)));
        assert_eq!(read("quiet:90m"), Ok(Some(Nanos::secs(5400))));
        let typed = "quiet:90m".parse::<WaitFor>().unwrap().to_string();
        assert_eq!(read(&typed), Ok(Some(Nanos::secs(5400))));
        for wrong in [
            "",
            "quiet:",
            "quiet:4",
            "quiet:1s",
            "loud",
            "etalon:1h",
            "1h",
        ] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains(&format!("'{wrong}'")), "{error}");
        }
    }
}
