//! Which of the options of a workload were typed, beside their values.

use std::ops::Deref;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::IoWorkloadArgs;

/// The options of a workload; those that were left out have their defaults.
#[derive(Debug, Clone)]
pub(crate) struct GivenWork {
    args: IoWorkloadArgs,
    /// The long names of those that were typed, without dashes.
    typed: Vec<String>,
}

impl GivenWork {
    /// Whether the option with this long name was typed.
    pub(crate) fn has(&self, long: &str) -> bool {
        self.typed.iter().any(|typed| typed == long)
    }

    /// The long names of the options that were typed.
    pub(crate) fn typed(&self) -> &[String] {
        &self.typed
    }
}

impl Deref for GivenWork {
    type Target = IoWorkloadArgs;

    fn deref(&self) -> &IoWorkloadArgs {
        &self.args
    }
}

/// The options of a workload that stand on the command line.
fn typed(matches: &ArgMatches) -> Vec<String> {
    let all = IoWorkloadArgs::augment_args(Command::new("workload"));
    let options = all.get_arguments().filter_map(|option| {
        let source = matches.value_source(option.get_id().as_str());
        (source == Some(ValueSource::CommandLine)).then(|| option.get_long())?
    });
    options.map(str::to_owned).collect()
}

impl FromArgMatches for GivenWork {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        GivenWork::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        // Reading a value takes it out of the matches.
        let typed = typed(matches);
        let args = IoWorkloadArgs::from_arg_matches_mut(matches)?;
        Ok(GivenWork { args, typed })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.typed.extend(typed(matches));
        self.args.update_from_arg_matches(matches)
    }
}

impl Args for GivenWork {
    fn augment_args(command: Command) -> Command {
        IoWorkloadArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        IoWorkloadArgs::augment_args_for_update(command)
    }
}
