//! The command line as a whole: its definitions, and what is said of wrong words.

mod examples;
mod help;
mod repeated;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, FromArgMatches as _};
use etalon_units::Nanos;

use super::{SUBCOMMANDS, program, program_for};
use crate::cli::Cli;
use crate::usage::{one_line, with_options_behind};

fn parse(words: &[&str]) -> Result<ArgMatches, clap::Error> {
    program().try_get_matches_from(words)
}

#[test]
fn the_definitions_are_sound() {
    program().debug_assert();
}

#[test]
fn what_words_do_not_name_is_not_needed_for_them() {
    for words in [
        "etalon --store x show 4",
        "etalon --json --lang fr list",
        "etalon --help list",
        "etalon compare 1 2 --dots",
        "etalon /srv --budget 10m",
        "etalon /srv list",
        "etalon nosuch list",
        "etalon nosuch",
        "etalon compre 1 2",
        "etalon --op measure",
        "etalon measure /srv --opp read",
        "etalon list --nosuch",
        "etalon help list",
        "etalon list -h",
    ] {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let parsed = |program: clap::Command| {
            let moved = with_options_behind(&program, words.clone());
            let parsed = program.try_get_matches_from(moved);
            let name = |matches: ArgMatches| matches.subcommand_name().map(str::to_owned);
            parsed.map(name).map_err(|error| error.to_string())
        };
        assert_eq!(parsed(program_for(&words)), parsed(program()), "{words:?}");
    }
    let names = |program: clap::Command| {
        let all = program.get_subcommands().map(clap::Command::get_name);
        all.map(str::to_owned).collect::<Vec<_>>()
    };
    let arguments = |name: &str| {
        let program = program_for(&["etalon".into(), "list".into()]);
        program
            .find_subcommand(name)
            .unwrap()
            .get_arguments()
            .count()
    };
    assert_eq!(names(program_for(&[])), names(program()));
    assert!(arguments("list") > 0 && arguments("measure") == 0);
}

#[test]
fn no_subcommand_stands_twice() {
    let mut names: Vec<&str> = SUBCOMMANDS.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "{names:?}");
}

#[test]
fn every_subcommand_stands_in_the_list_of_the_readme() {
    let readme = include_str!("../../../../../README.md");
    let list = readme.split("## All commands").nth(1).unwrap();
    let list = list.split("```").nth(1).unwrap();
    let program = program();
    let shown = program.get_subcommands().filter(|one| !one.is_hide_set());
    let missing: Vec<&str> = shown
        .map(clap::Command::get_name)
        .filter(|name| {
            let line = format!("etalon {name}");
            !list
                .lines()
                .any(|one| one.split("  ").any(|part| part.starts_with(&line)))
        })
        .collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_bare_target_is_a_quick_check() {
    let matches = parse(&["etalon", "/srv", "--budget", "10m"]).unwrap();
    assert!(matches.subcommand().is_none());
    let cli = Cli::from_arg_matches(&matches).unwrap();
    assert_eq!(cli.quick.target, PathBuf::from("/srv"));
    assert_eq!(cli.quick.budget, Nanos::secs(600));
    assert!(parse(&["etalon"]).is_ok());
}

#[test]
fn every_subcommand_and_every_option_has_help() {
    for command in program().get_subcommands() {
        assert!(command.get_about().is_some(), "{}", command.get_name());
        for argument in command.get_arguments() {
            assert!(
                argument.get_help().is_some(),
                "{}: {}",
                command.get_name(),
                argument.get_id()
            );
        }
    }
}

#[test]
fn a_bad_size_is_quoted() {
    let words = [
        "etalon",
        "measure",
        ".",
        "--op",
        "read",
        "--block-size",
        "4q",
    ];
    let error = parse(&words).unwrap_err().to_string();
    assert!(error.contains("'4q'"), "{error}");
}

fn line(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let mut program = program();
    let error = program.try_get_matches_from_mut(&words).unwrap_err();
    one_line(&error, &words, Some(&program))
}

#[test]
fn every_wrong_word_gives_one_line_that_quotes_it() {
    for words in [
        &["etalon", "quick", "--nosuch"][..],
        &["etalon", "quick", "--budget", "60"],
        &["etalon", "quick", "--budget", "-5s"],
        &["etalon", "measure", ".", "--op", "reed"],
        &[
            "etalon",
            "measure",
            ".",
            "--op",
            "read",
            "--block-size",
            "-4k",
        ],
        &["etalon", "completions", "tcsh"],
        &["etalon", "show", "abc"],
        &["etalon", "nosuch", "word"],
    ] {
        let text = line(words);
        assert!(!text.contains('\n') && !text.contains("error:"), "{text}");
        let quoted = words.iter().any(|word| text.contains(&format!("'{word}'")));
        assert!(quoted, "{text}");
    }
}

#[test]
fn options_before_the_subcommand_belong_to_it() {
    let moved = |line: &str| {
        let words = line.split(' ').map(OsString::from).collect();
        let words: Vec<OsString> = with_options_behind(&program(), words);
        words.join(std::ffi::OsStr::new(" ")).into_string().unwrap()
    };
    for (typed, meant) in [
        ("etalon --store x list", "etalon list --store x"),
        ("etalon --store=x show 4", "etalon show --store=x 4"),
        ("etalon --store x dd if=a", "etalon dd --store x if=a"),
        ("etalon --json --ascii list", "etalon list --json --ascii"),
        ("etalon --lang fr dd --help", "etalon dd --lang fr --help"),
        ("etalon --help compare", "etalon compare --help"),
        ("etalon -s 16M quick /srv", "etalon quick -s 16M /srv"),
    ] {
        assert_eq!(moved(typed), meant);
    }
    for same in [
        "etalon --store x",
        "etalon --store x /srv",
        "etalon --store list",
        "etalon --version list",
        "etalon --nosuch list",
        "etalon -- list",
        "etalon - list",
    ] {
        assert_eq!(moved(same), same);
    }
}

#[test]
fn what_is_missing_is_named() {
    assert!(line(&["etalon", "measure", "."]).contains("--op <OPERATION>"));
    let form = line(&["etalon", "export", "1"]);
    assert!(form.contains("--json") && form.contains("--csv"), "{form}");
    assert!(line(&["etalon", "nosuch", "word"]).contains("unknown subcommand 'nosuch'"));
}
