//! What the parser of options finds wrong, in one line like every other error.

use std::borrow::Cow;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use etalon_units::visible;

/// How alike two words are whose one may stand for the other, from 0 to 1.
const LEAST_ALIKE: f64 = 0.8;

/// The error as one line that quotes what was typed; `words` are the command line of `program`, where it is one.
pub(crate) fn one_line(
    error: &clap::Error,
    words: &[String],
    program: Option<&clap::Command>,
) -> String {
    if let Some(word) = word_beside_a_subcommand(error, words) {
        return format!(
            "unknown subcommand '{word}'; 'etalon --help' lists them (a target stands alone)"
        );
    }
    if let Some(missing) = program.and_then(|program| missing_word(error, words, program)) {
        return format!("{missing}; --help shows what there is");
    }
    let text = with_words_on_one_line(error.to_string(), words);
    let ours = program.and_then(|program| own_spelling(error, words, program));
    let mut line = String::new();
    for part in text.lines().map(str::trim) {
        // What follows is the usage; the tips on '--' lead astray, because no value here is odd.
        if part.starts_with("Usage:") || part.starts_with("For more information") {
            break;
        }
        if part.is_empty() || part.starts_with("tip: to pass") {
            continue;
        }
        if let Some(tip) = part.strip_prefix("tip: ") {
            // Where the option is one of fio's, what looks like it is another.
            if ours.is_some() {
                continue;
            }
            line.push_str("; ");
            line.push_str(tip);
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(part.strip_prefix("error: ").unwrap_or(part));
        }
    }
    line.push_str(&ours.unwrap_or_default());
    format!("{line}; --help shows what there is")
}

/// What `etalon plan` alone lacks: one of its own subcommands.
fn missing_word(error: &clap::Error, words: &[String], program: &clap::Command) -> Option<String> {
    let is_missing = [
        ErrorKind::MissingSubcommand,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
    ]
    .contains(&error.kind());
    let command = program.find_subcommand(words.get(1).filter(|_| is_missing)?)?;
    let own = command.get_subcommands().map(clap::Command::get_name);
    let names: Vec<&str> = own.filter(|name| *name != "help").collect();
    let (name, names) = (command.get_name(), names.join(", "));
    (!names.is_empty())
        .then(|| format!("'etalon {name}' needs one of these words behind it: {names}"))
}

/// Options of fio and ours that stand for the same (fio's HOWTO).
const OF_FIO: [(&str, &str); 12] = [
    ("rw", "op"),
    ("readwrite", "op"),
    ("bs", "block-size"),
    ("blocksize", "block-size"),
    ("iodepth", "queue-depth"),
    ("numjobs", "jobs"),
    ("size", "file-size"),
    ("runtime", "time"),
    ("ramp_time", "warm-up"),
    ("ioengine", "backend"),
    ("rwmixread", "read-percent"),
    ("io_size", "bytes"),
];

/// Options of fio that need none here.
const OF_FIO_ALONE: [(&str, &str); 5] = [
    ("filename", "the target here, a word without an option"),
    ("time_based", "what --time does here"),
    ("group_reporting", "not needed here"),
    ("name", "not needed here"),
    ("direct", "--direct here, without a value"),
];

/// `; fio's --bs is --block-size here`, where the subcommand has that.
fn own_spelling(error: &clap::Error, words: &[String], program: &clap::Command) -> Option<String> {
    let ContextValue::String(typed) = error.get(ContextKind::InvalidArg)? else {
        return None;
    };
    let is_known = [ErrorKind::UnknownArgument, ErrorKind::TooManyValues].contains(&error.kind());
    let theirs = typed.strip_prefix("--").filter(|_| is_known)?;
    let alone = OF_FIO_ALONE.iter().find(|(fio, _)| *fio == theirs);
    if let Some((_, ours)) = alone.filter(|_| words.get(1).is_some_and(|word| word == "measure")) {
        return Some(format!("; fio's {typed} is {ours}"));
    }
    let (_, ours) = OF_FIO.iter().find(|(fio, _)| *fio == theirs)?;
    let has_it = has_option(program, words.get(1)?, ours);
    has_it.then(|| format!("; fio's {typed} is --{ours} here"))
}

/// The name that a mistyped word may stand for: by how alike they are, at least as much as the parser of
/// options asks for in its own tips.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alike = names.map(|name| (strsim::jaro_winkler(word, name), name));
    let nearest = alike.max_by(|a, b| a.0.total_cmp(&b.0));
    nearest
        .filter(|(alike, _)| *alike > LEAST_ALIKE)
        .map(|(_, name)| name)
}

/// `etalon --store X --json list` as `etalon list --store X --json`: what a subcommand takes may stand before it.
pub(crate) fn with_options_behind(
    program: &clap::Command,
    mut words: Vec<OsString>,
) -> Vec<OsString> {
    let length = leading_options(program, words.get(1..).unwrap_or_default());
    let command = words.get(1 + length).and_then(|word| word.to_str());
    if command.is_some_and(|name| program.find_subcommand(name).is_some()) {
        words[1..length + 2].rotate_left(length);
    }
    words
}

/// How many words the options take that stand before any other word; none where one of them is not known without a
/// subcommand.
fn leading_options(program: &clap::Command, words: &[OsString]) -> usize {
    let mut length = 0;
    while let Some(word) = words.get(length).and_then(|word| word.to_str()) {
        if word == "-" || !word.starts_with('-') {
            break;
        }
        match words_of(program, word) {
            Some(count) => length += count,
            None => return 0,
        }
    }
    length
}

/// How many words this option takes, with its value; `None` of one that is not known, and of `--version`, which is of no
/// subcommand.
fn words_of(program: &clap::Command, word: &str) -> Option<usize> {
    if ["-h", "--help"].contains(&word) {
        return Some(1);
    }
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    let is_it = |arg: &&clap::Arg| match name.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => name[1..].chars().eq(arg.get_short()),
    };
    let argument = program.get_arguments().find(is_it)?;
    let has_next = argument.get_action().takes_values() && value.is_none();
    Some(1 + usize::from(has_next))
}

fn has_option(program: &clap::Command, name: &str, option: &str) -> bool {
    let command = program.find_subcommand(name);
    command.is_some_and(|command| {
        command
            .get_arguments()
            .any(|a| a.get_long() == Some(option))
    })
}

/// The text with what was typed as it may be shown, so that every line of it is the parser's own.
fn with_words_on_one_line(text: String, words: &[String]) -> String {
    let values = words
        .iter()
        .filter_map(|word| Some(word.split_once('=')?.1));
    let typed = words.iter().map(String::as_str).chain(values);
    typed.fold(text, |text, word| match visible(word) {
        Cow::Owned(shown) => text.replace(word, &shown),
        Cow::Borrowed(_) => text,
    })
}

/// A word that stands where a subcommand should, before a second one.
fn word_beside_a_subcommand<'a>(error: &clap::Error, words: &'a [String]) -> Option<&'a str> {
    let target = ContextValue::String("[TARGET]".to_owned());
    let beside = error.kind() == ErrorKind::ArgumentConflict
        && error.get(ContextKind::PriorArg) == Some(&target);
    let first = words.get(1).filter(|_| beside)?;
    (!first.starts_with('-')).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_word_stands_for_the_nearest_name() {
        let names = || ["quick", "compare", "completions", "list", "show"].into_iter();
        for (word, name) in [
            ("compre", Some("compare")),
            ("lsit", Some("list")),
            ("quik", Some("quick")),
            ("plan", None),
            ("xyzzy", None),
        ] {
            assert_eq!(nearest(word, names()), name, "{word}");
        }
    }
}
