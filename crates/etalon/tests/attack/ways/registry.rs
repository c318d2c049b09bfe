//! What the program offers, read from its own help, against the table of ways.

use std::collections::{BTreeMap, BTreeSet};

use super::WAYS;
use crate::common::Home;

/// What the help calls a value that is no name of a file, device or directory. A new word here is
/// a decision; a new word anywhere else fails.
const NO_NAMES: &[&str] = &[
    "#",
    "#,#",
    "0..100",
    "ADDRESS:PORT",
    "ARRIVAL",
    "BACKEND",
    "CODE",
    "FACTOR",
    "FS",
    "GIB",
    "HOW",
    "ID",
    "KIND",
    "LANG",
    "TAG",
    "TEXT",
    "LIST",
    "LAYOUT",
    "MODEL",
    "MODEL[:SIZE",
    "MODE",
    "N",
    "NAME",
    "NETWORK",
    "OPERATION",
    "P%",
    "PERCENT",
    "RATE",
    "SHELL",
    "SIZE",
    "STATE",
    "TEST",
    "TIME",
    "TIME[@PERCENTILE",
    "WHAT",
    "WHEN",
    "WORK",
    "COMMAND",
    "LEVELS",
    "DIRS",
    "FILES",
    "BLOCKS",
    "OPTIONS",
    "OPERAND",
];
/// Operands of dd that are no names.
const NO_NAME_OPERANDS: &[&str] = &[
    "bs=", "ibs=", "obs=", "cbs=", "count=", "skip=", "iseek=", "seek=", "oseek=", "conv=",
    "iflag=", "oflag=", "status=",
];
/// Takes a name that is compared, and never opened: a serial number or by-id name.
const COMPARED: &[(&str, &str)] = &[("dd", "--destroy"), ("measure", "--destroy")];
/// The arm of a comparison that is also an operand; it is never opened twice.
const SAME: &[(&str, &str)] = &[("compare", "--base")];

/// Commands below others that take names of their own.
const NESTED: [&str; 5] = [
    "lab run",
    "lab shell",
    "lab powercut",
    "lab serve",
    "lab simulate",
];

/// The commands that the help lists.
fn commands(home: &Home) -> Vec<String> {
    let help = home.run(["--help"]).out();
    let list = help.split("Commands:\n").nth(1).unwrap();
    list.lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' ') && !line.starts_with("help "))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect()
}

/// Every option or operand of a command with the word for its value.
fn named_values(help: &str) -> BTreeSet<(String, String)> {
    let options = help.lines().filter_map(option_of);
    let arguments = help.lines().filter_map(argument_of);
    options.chain(arguments).chain(operands_of(help)).collect()
}

/// `-s, --file-size <SIZE>`, `-b FILE          text`, `--runs N  text`.
fn option_of(line: &str) -> Option<(String, String)> {
    let line = line.trim_start();
    if !line.starts_with('-') || line.starts_with("- ") || line.starts_with("-- ") {
        return None;
    }
    // The text stands behind two spaces.
    let spec = line.split("  ").next()?;
    let mut words = spec.split([' ', ',']).filter(|word| !word.is_empty());
    let mut option = words.next()?;
    let mut value = words.next()?;
    if value.starts_with('-') {
        (option, value) = (value, words.next()?);
    }
    let is_word = |word: &str| word.chars().all(|c| !c.is_ascii_lowercase());
    (is_word(value) || value.starts_with('<')).then(|| (option.to_owned(), bare(value)))
}

/// `  <TARGET>` and `  [TARGET]  text` below `Arguments:`.
fn argument_of(line: &str) -> Option<(String, String)> {
    let line = line.strip_prefix("  ")?;
    let end = line.find(['>', ']'])?;
    let is_argument = line.starts_with('<') || line.starts_with('[');
    let name = bare(&line[..end]);
    let shouted = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase());
    (is_argument && shouted).then(|| (name.clone(), name))
}

/// dd's operands, and the devices that hdparm's usage ends with.
fn operands_of(help: &str) -> Vec<(String, String)> {
    let operands = help
        .lines()
        .filter_map(|line| line.strip_prefix("Operands: "));
    let operands = operands.flat_map(|line| line.split(' ').map(str::to_owned));
    let mut found: Vec<(String, String)> = operands.map(|word| (word.clone(), word)).collect();
    // It may go on in indented lines.
    let mut lines = help.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    let more = lines.take_while(|line| line.starts_with(' ') && !line.trim().is_empty());
    let usage = more.fold(first, |usage, line| usage + " " + line.trim());
    if let Some(last) = usage
        .strip_suffix("...")
        .and_then(|line| line.rsplit(' ').next())
    {
        found.push((bare(last), bare(last)));
    }
    found
}

fn bare(word: &str) -> String {
    word.trim_matches(|c| "<>[].".contains(c)).to_owned()
}

/// Whether somebody has decided what this is.
fn is_known(command: &str, option: &str, value: &str) -> bool {
    let listed = |list: &[(&str, &str)]| list.contains(&(command, option));
    let has_way = WAYS
        .iter()
        .any(|way| way.command == command && way.option == option);
    NO_NAMES.contains(&value)
        || NO_NAME_OPERANDS.contains(&option)
        || listed(COMPARED)
        || listed(SAME)
        || has_way
}

#[test]
fn every_option_that_takes_a_name_is_attacked() {
    let home = Home::new();
    let commands = commands(&home);
    assert!(commands.len() >= 20, "{commands:?}");
    let mut missing = Vec::new();
    let mut seen = 0;
    let nested = NESTED.map(str::to_owned);
    for command in commands.iter().chain(&nested) {
        let said = home.run(command.split(' ').chain(["--help"]));
        assert!(said.ended(&[0]), "{said:?}");
        for (option, value) in named_values(&said.out()) {
            seen += 1;
            if !is_known(command, &option, &value) {
                missing.push(format!("{command} {option} {value}"));
            }
        }
    }
    assert!(seen > 100, "the help is not understood: {seen} options");
    assert!(
        missing.is_empty(),
        "these take a name; give each a line in ways/table.rs, or say in ways/registry.rs that its \
         value is none: {missing:?}"
    );
}

#[test]
fn every_way_is_one_that_the_program_has() {
    let home = Home::new();
    let known = commands(&home);
    // What each command offers, by its help, which is asked for once.
    let mut offered = BTreeMap::new();
    for way in WAYS {
        assert!(
            known
                .iter()
                .any(|command| way.command.split(' ').next() == Some(command)),
            "{}",
            way.command
        );
        let offered = offered.entry(way.command).or_insert_with(|| {
            let words = way.command.split(' ').chain(["--help"]);
            named_values(&home.run(words).out())
        });
        let offered = offered.iter().any(|(option, _)| option == way.option);
        let is_there = offered || way.is_variable();
        assert!(is_there, "{} has no {} any more", way.command, way.option);
    }
}
