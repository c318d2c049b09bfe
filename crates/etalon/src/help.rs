//! The help in the language of its reader.
//!
//! The definitions say it in English; the catalogues of the other languages have it by the names that are made here.

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use etalon_language::{Language, in_ascii, say, translation};

use crate::output;

/// What the name of a command's text begins with; the words of a subcommand follow, each behind a hyphen.
pub(crate) const COMMAND: &str = "help";
/// What the name of an option's text begins with, where it is the same for every command; the option's name follows.
pub(crate) const ARGUMENT: &str = "help-arg";
/// The attributes of a text: all of it, where `--help` says more than `-h`, and what stands at the foot of either.
pub(crate) const LONG: &str = "long";
pub(crate) const FOOT: &str = "foot";
pub(crate) const LONG_FOOT: &str = "longfoot";
/// The attribute of a command that reads its options by itself: what it says of them.
pub(crate) const OPTIONS: &str = "options";

/// The help that `error` is, as these words asked for it, in the language of their reader; any other error as it was.
/// `program` makes the definitions.
pub(crate) fn translated(error: Error, words: &[OsString], program: fn() -> Command) -> Error {
    let language = asked(words).unwrap_or_else(output::language);
    if error.kind() != ErrorKind::DisplayHelp || language == Language::English {
        return error;
    }
    let say = || language.speak(|| in_words(program()));
    let said = in_ascii(output::is_ascii(), say).try_get_matches_from(words);
    said.err().unwrap_or(error)
}

/// The language that `--lang` names, which the parser does not tell of a command line that asks for help.
fn asked(words: &[OsString]) -> Option<Language> {
    let mut words = words.iter().filter_map(|word| word.to_str());
    let word = words.find(|word| word.starts_with("--lang"))?;
    match word.strip_prefix("--lang=") {
        Some(tag) => tag.parse().ok(),
        None => words.next()?.parse().ok(),
    }
}

/// The program with its texts in the language that is spoken.
pub(crate) fn in_words(mut program: Command) -> Command {
    // What the parser of options adds by itself is translated with the rest.
    program.build();
    spoken(program, COMMAND, Headings::spoken())
}

/// What stands above the parts of a help text. The parser keeps them until the program ends.
#[derive(Clone, Copy)]
struct Headings {
    commands: &'static str,
    arguments: &'static str,
    options: &'static str,
    workload: &'static str,
}

impl Headings {
    fn spoken() -> Headings {
        Headings {
            commands: say!("usage-commands").leak(),
            arguments: say!("usage-arguments").leak(),
            options: say!("usage-options").leak(),
            workload: say!("usage-workload").leak(),
        }
    }

    fn of(self, arg: &Arg) -> &'static str {
        match arg.get_help_heading() {
            Some(_) => self.workload,
            None if arg.is_positional() => self.arguments,
            None => self.options,
        }
    }
}

fn spoken(command: Command, id: &str, headings: Headings) -> Command {
    let command = with_usage(with_texts(command, id));
    let command = command.subcommand_help_heading(headings.commands);
    let command = command.mut_args(|arg| {
        let heading = headings.of(&arg);
        argument(arg, id).help_heading(heading)
    });
    command.mut_subcommands(|inner| {
        let id = match inner.get_name() {
            // The same below every command.
            "help" => format!("{COMMAND}-help"),
            name => format!("{id}-{name}"),
        };
        spoken(inner, &id, headings)
    })
}

/// The order of the parser's own template, with another word before the usage.
fn with_usage(command: Command) -> Command {
    let style = *command.get_styles().get_usage();
    let usage = say!("usage-heading");
    command.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{style}{usage}{style:#} {{usage}}\n\n{{all-args}}{{after-help}}"
    ))
}

/// Puts a text into its place of a command.
type SetText = fn(Command, String) -> Command;

fn with_texts(mut command: Command, id: &str) -> Command {
    let set: [(Option<&str>, SetText); 4] = [
        (None, |command, text| command.about(text)),
        (Some(LONG), |command, text| command.long_about(text)),
        (Some(FOOT), |command, text| command.after_help(text)),
        (Some(LONG_FOOT), |command, text| {
            command.after_long_help(text)
        }),
    ];
    for (attribute, set) in set {
        if let Some(text) = translation(id, attribute) {
            command = set(command, text);
        }
    }
    command
}

/// The argument of a command: with the text that this command has for it, else that of all.
fn argument(arg: Arg, command: &str) -> Arg {
    let own = format!("{command}--{}", arg.get_id());
    let common = format!("{ARGUMENT}-{}", arg.get_id());
    let both = |id: String| Some((translation(&id, None)?, translation(&id, Some(LONG))));
    match [own, common].into_iter().find_map(both) {
        Some((short, Some(long))) => arg.help(short).long_help(long),
        // Where the parser of options has written a longer one, as for `--help` itself, the short one stands for it.
        Some((short, None)) => arg.help(short).long_help(Resettable::Reset),
        None => arg,
    }
}
