//! One file per subcommand, and the one list of them.

mod changed;
mod checks;
mod compare;
mod completions;
mod directories;
mod export;
mod go_on;
mod import;
mod iozone_worker;
mod lab;
mod latency_target;
mod list;
mod man;
mod measure;
pub(crate) mod measure_names;
mod merge;
mod metadata;
mod note;
mod passport;
mod quick;
mod report;
mod restore;
mod review;
mod rm;
mod run;
mod schema;
mod serve;
mod show;
mod stack;
mod subcommand;
mod tag;
mod together;
mod tool;
mod verify;
mod watch;
mod work;

use std::ffi::OsString;

use clap::{ArgMatches, Command, CommandFactory as _, FromArgMatches as _};
use etalon_tools::Exit;

#[cfg(test)]
pub(crate) use measure::swept;
pub(crate) use measure::workloads;
pub(crate) use measure_names::{Chosen, chosen};
use subcommand::{Activity, Subcommand};

use crate::cli::{self, Cli};
use crate::exit::BadUsage;
use crate::output;
use crate::put_back;

/// Every subcommand, in the order of the help.
const SUBCOMMANDS: &[Entry] = &[
    entry::<cli::QuickArgs>(),
    entry::<cli::MeasureArgs>(),
    entry::<cli::TogetherArgs>(),
    entry::<go_on::ContinueArgs>(),
    entry::<cli::PassportArgs>(),
    entry::<run::RunArgs>(),
    entry::<run::ResumeArgs>(),
    entry::<run::RerunArgs>(),
    entry::<run::PlanArgs>(),
    entry::<run::PresetsArgs>(),
    entry::<cli::ListArgs>(),
    entry::<cli::ShowArgs>(),
    entry::<cli::CompareArgs>(),
    entry::<report::ReportArgs>(),
    entry::<serve::ServeArgs>(),
    entry::<cli::ExportArgs>(),
    entry::<review::ReviewArgs>(),
    entry::<import::ImportArgs>(),
    entry::<verify::VerifyArgs>(),
    entry::<note::NoteArgs>(),
    entry::<tag::TagArgs>(),
    entry::<rm::RmArgs>(),
    entry::<merge::MergeArgs>(),
    entry::<cli::StackArgs>(),
    entry::<cli::WatchArgs>(),
    entry::<tool::DdArgs>(),
    entry::<tool::HdparmArgs>(),
    entry::<tool::IozoneArgs>(),
    entry::<iozone_worker::WorkerArgs>(),
    entry::<cli::MetadataArgs>(),
    entry::<cli::WorkArgs>(),
    entry::<tool::FdtreeArgs>(),
    entry::<lab::LabArgs>(),
    entry::<restore::RestoreArgs>(),
    entry::<checks::ChecksArgs>(),
    entry::<schema::SchemaArgs>(),
    entry::<completions::CompletionsArgs>(),
    entry::<man::ManArgs>(),
];

/// One line of the list.
struct Entry {
    name: &'static str,
    activity: Activity,
    define: fn() -> Command,
    options_text: fn() -> Option<String>,
    run: fn(&ArgMatches) -> anyhow::Result<Exit>,
}

const fn entry<T: Subcommand>() -> Entry {
    Entry {
        name: T::NAME,
        activity: T::ACTIVITY,
        define: || T::augment_args(Command::new(T::NAME)),
        options_text: T::options_text,
        run: |matches| {
            let args = T::from_arg_matches(matches).map_err(|e| BadUsage(e.to_string()))?;
            if !args.speaks() {
                output::at_work(T::NAME);
            }
            args.run()
        },
    }
}

/// Columns of a help text where nothing says how many there are, as of every page.
const HELP_WIDTH: usize = 80;

/// The whole command line; completions and manual pages come from it too.
pub(crate) fn program() -> Command {
    with_subcommands(|entry| (entry.define)())
}

/// The command line as far as these words need it: of the subcommands that they name everything, of the others the names.
/// To define all of them takes longer than what most commands do.
pub(crate) fn program_for(words: &[OsString]) -> Command {
    let has = |word: &str| words.iter().any(|typed| typed == word);
    match ["help", "--help", "-h"].into_iter().any(has) {
        true => program(),
        false => with_subcommands(|entry| match has(entry.name) {
            true => (entry.define)(),
            false => Command::new(entry.name),
        }),
    }
}

fn with_subcommands(define: impl Fn(&Entry) -> Command) -> Command {
    let program = Cli::command().subcommands(SUBCOMMANDS.iter().map(define));
    match output::has_width() {
        true => program,
        // The parser of options would take 100 columns.
        false => program.term_width(HELP_WIDTH),
    }
}

/// What the subcommands are called.
fn names() -> impl Iterator<Item = &'static str> {
    SUBCOMMANDS.iter().map(|entry| entry.name)
}

/// What the manual page of the subcommand `name` says of options that it reads by itself.
fn options_text(name: &str) -> Option<String> {
    let entry = SUBCOMMANDS.iter().find(|entry| entry.name == name)?;
    (entry.options_text)()
}

/// Carries out what was asked, and tells what it could not put back.
pub(crate) fn dispatch(matches: &ArgMatches) -> anyhow::Result<Exit> {
    let Some((name, matches)) = matches.subcommand() else {
        return check_target(matches);
    };
    match SUBCOMMANDS.iter().find(|entry| entry.name == name) {
        Some(entry) => {
            output::choose(cli::LookArgs::of(matches));
            carry_out(entry.activity, || (entry.run)(matches))
        }
        None => Err(BadUsage(format!("unknown subcommand '{name}'")).into()),
    }
}

/// `etalon [TARGET]`, which is the quick check.
fn check_target(matches: &ArgMatches) -> anyhow::Result<Exit> {
    let Cli { quick } = Cli::from_arg_matches(matches).map_err(|e| BadUsage(e.to_string()))?;
    output::choose(quick.session.look);
    quick::refuse_unknown_command(&quick.target, names())?;
    output::at_work(cli::QuickArgs::NAME);
    carry_out(cli::QuickArgs::ACTIVITY, || quick.run())
}

fn carry_out(
    activity: Activity,
    run: impl FnOnce() -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    if activity == Activity::Tool {
        put_back::before_a_tool();
    }
    let done = run();
    if activity != Activity::Reads {
        put_back::after_a_run();
    }
    output::rest(true);
    done
}

#[cfg(test)]
mod tests;
