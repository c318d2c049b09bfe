//! Every command line that help, README and docs show is one that etalon takes, down to the parameters of
//! a work and the options of the tools. `tests/command/examples_run.rs` carries them out.

use std::ffi::OsString;
use std::path::Path;

use clap::{ArgMatches, FromArgMatches, error::ErrorKind};
use etalon_tools::{
    dd::{self, DdOptions},
    fdtree,
    hdparm::HdparmOptions,
    iozone,
};

use super::super::{SUBCOMMANDS, metadata, names, program, quick, together, work};
use crate::cli::{Cli, MetadataArgs, TogetherArgs, WorkArgs};
use crate::usage::with_options_behind;

/// The lines of `text` that begin with the program's name.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text
        .lines()
        .map(|line| line.trim_start_matches(['$', '#', ' ']));
    lines.filter(|line| *line == "etalon" || line.starts_with("etalon "))
}

/// The examples of the help texts, the tools' own included.
fn of_help() -> Vec<String> {
    let program = program();
    let texts = program
        .get_subcommands()
        .chain([&program])
        .flat_map(|command| {
            let shown = [command.get_after_help(), command.get_after_long_help()];
            shown.into_iter().flatten().map(ToString::to_string)
        });
    let of_tools = SUBCOMMANDS
        .iter()
        .filter_map(|entry| (entry.options_text)());
    let texts: Vec<String> = texts.chain(of_tools).collect();
    texts
        .iter()
        .flat_map(|text| lines(text))
        .map(str::to_owned)
        .collect()
}

/// The code blocks of a document.
fn of_document(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```").skip(1).step_by(2);
    blocks.flat_map(lines).map(str::to_owned).collect()
}

/// The words of a command line, up to a pipe, a redirection or a comment behind two spaces.
fn words(line: &str) -> Vec<String> {
    let line = line.split("  ").next().unwrap();
    let words = shlex::split(line).unwrap().into_iter();
    words
        .take_while(|word| !["|", ">", "&&", "<", "#"].contains(&word.as_str()))
        .collect()
}

/// What a typed command line is not taken for.
pub(super) fn fault(words: &[String]) -> Option<String> {
    let typed = words.iter().map(OsString::from).collect();
    let matches = program().try_get_matches_from(with_options_behind(&program(), typed));
    let matches = match matches {
        Ok(matches) => matches,
        Err(error) if error.kind() == ErrorKind::DisplayHelp => return None,
        Err(error) => return Some(error.to_string()),
    };
    let checked = match matches.subcommand() {
        None => quick::refuse_unknown_command(&of::<Cli>(&matches).quick.target, names()),
        Some((name, matches)) => subcommand(name, matches),
    };
    checked.err().map(|error| error.to_string())
}

fn of<T: FromArgMatches>(matches: &ArgMatches) -> T {
    T::from_arg_matches(matches).unwrap()
}

fn subcommand(name: &str, matches: &ArgMatches) -> anyhow::Result<()> {
    match name {
        "dd" | "hdparm" | "iozone" | "fdtree" => {
            let words = matches.get_many::<OsString>("words").unwrap_or_default();
            tool(name, &words.cloned().collect::<Vec<_>>())?;
        }
        "work" if of::<WorkArgs>(matches).name != "list" => {
            let request = work::request(&of(matches));
            // The files of an example are its reader's.
            request.map(drop).or_else(|error| {
                match error.to_string().starts_with("cannot read the list") {
                    true => Ok(()),
                    false => Err(error),
                }
            })?;
        }
        "metadata" => {
            metadata::workload(&of::<MetadataArgs>(matches))?;
        }
        "together" => {
            together::streams(&of::<TogetherArgs>(matches), 0)?;
        }
        _ => {}
    }
    Ok(())
}

fn tool(name: &str, words: &[OsString]) -> anyhow::Result<()> {
    match name {
        "dd" => {
            for operands in DdOptions::parse(words)?.groups {
                dd::parse(&operands, &mut Vec::new())?;
            }
        }
        "hdparm" => drop(HdparmOptions::parse(words)?),
        "iozone" => drop(iozone::Options::parse(words)?),
        _ => drop(fdtree::FdtreeLine::parse(words)?),
    }
    Ok(())
}

/// Asserts that there are at least `fewest` lines, and that all are taken.
fn all_are_taken(lines: &[String], fewest: usize) {
    // The usage lines of the tools stand for many.
    let lines: Vec<&String> = lines.iter().filter(|line| !line.contains('[')).collect();
    assert!(lines.len() >= fewest, "{lines:?}");
    let wrong = lines.iter().filter_map(|line| {
        let fault = fault(&words(line))?;
        Some(format!("{line}\n    {fault}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_examples_of_the_help_are_taken() {
    all_are_taken(&of_help(), 50);
}

#[test]
fn the_examples_of_the_documents_are_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_dir(root.join("docs")).unwrap();
    let mut paths: Vec<_> = docs.map(|entry| entry.unwrap().path()).collect();
    paths.push(root.join("README.md"));
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    let lines: Vec<String> = paths.iter().flat_map(|path| of_document(path)).collect();
    all_are_taken(&lines, 40);
}

#[test]
fn what_is_not_there_is_found() {
    for line in [
        "etalon plan",
        "etalon work copy-tree . --set nosuch=photos",
        "etalon work copy-tree . --set files=nosuch",
        "etalon measure /mnt --op reed",
        "etalon together -- /mnt --op read",
        "etalon dd if=a of=b bs=0",
        "etalon iozone -s nosuch",
        "etalon list --nosuch | head",
    ] {
        assert!(fault(&words(line)).is_some(), "{line}");
    }
}
