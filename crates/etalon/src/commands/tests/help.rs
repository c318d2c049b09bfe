//! Translators read beside their own words what the help says in English.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use etalon_language::{Language, translation};

use super::super::{options_text, program};
use crate::help::{ARGUMENT, COMMAND, FOOT, LONG, LONG_FOOT, OPTIONS, in_words};

const HEAD: &str = "### The help of commands and options, by their names. The English ones are those of the definitions.\n";

/// A text and its attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    text: String,
    attributes: Vec<(&'static str, String)>,
}

fn of_command(command: &Command) -> Option<Entry> {
    let attributes = [
        (LONG, command.get_long_about()),
        (FOOT, command.get_after_help()),
        (LONG_FOOT, command.get_after_long_help()),
    ];
    let told = attributes
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?.to_string())));
    let of_its_own = options_text(command.get_name()).map(|text| (OPTIONS, text));
    Some(Entry {
        text: command.get_about()?.to_string(),
        attributes: told.chain(of_its_own).collect(),
    })
}

fn of_argument(arg: &Arg) -> Option<Entry> {
    let long = arg.get_long_help().map(|text| (LONG, text.to_string()));
    Some(Entry {
        text: arg.get_help()?.to_string(),
        attributes: long.into_iter().collect(),
    })
}

/// Every command that is shown with the name of its text, those within others behind them.
fn commands<'a>(command: &'a Command, id: &str, found: &mut Vec<(String, &'a Command)>) {
    found.push((id.to_owned(), command));
    // What lies below `help` is what there is, and `help` is the same below every command.
    let is_new = |inner: &&Command| inner.get_name() != "help" || id == COMMAND;
    let inner = command.get_subcommands().filter(is_new);
    let inner = inner.filter(|_| command.get_name() != "help");
    for inner in inner.filter(|inner| !inner.is_hide_set()) {
        commands(inner, &format!("{id}-{}", inner.get_name()), found);
    }
}

/// The text that most commands have for each option.
fn common(all: &[(String, &Command)]) -> BTreeMap<String, Entry> {
    let mut counted: BTreeMap<String, Vec<(usize, Entry)>> = BTreeMap::new();
    for arg in all.iter().flat_map(|(_, command)| shown(command)) {
        let Some(entry) = of_argument(arg) else {
            continue;
        };
        let of_name = counted.entry(arg.get_id().to_string()).or_default();
        match of_name.iter_mut().find(|(_, known)| *known == entry) {
            Some((count, _)) => *count += 1,
            None => of_name.push((1, entry)),
        }
    }
    let most = counted.into_iter().filter_map(|(name, texts)| {
        let most = texts.into_iter().rev().max_by_key(|(count, _)| *count);
        Some((name, most?.1))
    });
    most.collect()
}

fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_hide_set())
}

fn catalogue(all: &[(String, &Command)]) -> String {
    let mut text = HEAD.to_owned();
    let common = common(all);
    for (id, command) in all {
        text.push('\n');
        if let Some(entry) = of_command(command) {
            write(&mut text, id, &entry);
        }
        for arg in shown(command).filter(|arg| arg.get_id() != "help") {
            let entry = of_argument(arg);
            if let Some(own) = entry.filter(|entry| common[arg.get_id().as_str()] != *entry) {
                write(&mut text, &format!("{id}--{}", arg.get_id()), &own);
            }
        }
    }
    text.push('\n');
    for (name, entry) in &common {
        write(&mut text, &format!("{ARGUMENT}-{name}"), entry);
    }
    text
}

fn write(catalogue: &mut String, id: &str, entry: &Entry) {
    writeln!(catalogue, "{id} ={}", pattern(&entry.text, 4)).unwrap();
    for (name, text) in &entry.attributes {
        writeln!(catalogue, "    .{name} ={}", pattern(text, 8)).unwrap();
    }
}

/// The text as a catalogue has it, lines of their own indented.
fn pattern(text: &str, indent: usize) -> String {
    let escaped = text
        .replace('{', "\u{1}")
        .replace('}', "{\"}\"}")
        .replace('\u{1}', "{\"{\"}");
    if !escaped.contains('\n') {
        return format!(" {escaped}");
    }
    let lines = escaped.trim_end().lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("\n{:indent$}{}", "", guarded(line)),
    });
    lines.collect()
}

/// What would begin something else than a line of text stands behind a literal, and so do the blanks before it.
fn guarded(line: &str) -> String {
    let text = line.trim_start();
    let blanks = &line[..line.len() - text.len()];
    match text.starts_with(['[', '*', '.']) {
        true => format!("{{\"{blanks}\"}}{text}"),
        false => line.to_owned(),
    }
}

fn path(language: Language) -> PathBuf {
    let catalogues = Path::new(env!("CARGO_MANIFEST_DIR")).join("../language/catalogues");
    catalogues.join(language.tag()).join("help.ftl")
}

#[test]
fn the_english_catalogue_has_the_words_of_the_definitions() {
    let mut program = program();
    program.build();
    let mut all = Vec::new();
    commands(&program, COMMAND, &mut all);
    let path = path(Language::English);
    if std::env::var_os("ETALON_BLESS").is_some() {
        fs::write(&path, catalogue(&all)).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), catalogue(&all));
}

#[test]
fn help_is_said_in_the_language_of_its_reader() {
    for language in [Language::French, Language::Dutch] {
        let mut said = language.speak(|| in_words(program()));
        let quick = said.find_subcommand_mut("quick").unwrap();
        let help = quick.render_long_help().to_string();
        let json = language
            .speak(|| translation("help-arg-json", None))
            .unwrap();
        for word in ["Usage:", "Print one JSON document"] {
            assert!(!help.contains(word), "{language:?} {word}: {help}");
        }
        assert!(help.contains(&json), "{help}");
    }
}

/// The options of a tool's help, and the operands of dd.
fn options(help: &str) -> Vec<&str> {
    let is_option = |word: &&str| word.starts_with('-') || word.ends_with('=');
    let mut options: Vec<&str> = help
        .split(|c: char| c.is_whitespace() || "[](),:;.".contains(c))
        .filter(is_option)
        .collect();
    options.sort_unstable();
    options.dedup();
    options
}

#[test]
fn tools_tell_the_same_options_in_every_language() {
    for tool in ["dd", "hdparm", "iozone", "fdtree"] {
        let english = options_text(tool).unwrap();
        assert!(options(&english).len() > 8, "{tool}");
        for language in [Language::French, Language::Dutch] {
            let id = format!("{COMMAND}-{tool}");
            let help = language.speak(|| translation(&id, Some(OPTIONS))).unwrap();
            assert_eq!(options(&help), options(&english), "{tool} {language:?}");
            let wide = help.lines().find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{tool} {language:?}");
        }
    }
}
