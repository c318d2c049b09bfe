//! What people read fits 80 columns, also where there is no terminal.

use std::path::Path;

use crate::common::{Ground, Home, Said, run};
use crate::manners::subcommands;

/// Lines that are wider than a page; a word that is longer than the rest of its line is not broken.
fn too_wide(text: &str) -> Vec<&str> {
    let is_wide = |line: &&str| line.chars().count() > 80 && line.split_whitespace().count() > 2;
    text.lines().filter(is_wide).collect()
}

fn fits(home: &Home, words: &[&str]) -> Said {
    let said = home.run(words);
    assert_eq!(too_wide(&said.out), [""; 0], "{words:?}");
    assert!(!said.out.is_empty(), "{said:?}");
    said
}

/// One experiment that is shown in every way.
fn measured(home: &Home, target: &Path) {
    let target = target.to_str().unwrap();
    let words = "--op randread --direct -s 1M --time 20ms --runs 2";
    let words: Vec<&str> = ["measure", target]
        .into_iter()
        .chain(words.split(' '))
        .collect();
    fits(home, &words);
}

#[test]
fn pages_that_look_at_the_machine_and_into_the_store_fit() {
    let (home, ground) = (Home::new(), Ground::new());
    measured(&home, ground.path());
    for words in [
        "show 1",
        "show 1 --findings",
        "show 1 --details --width 80",
        "show 1 --dots",
        "show 1 --environment",
        "show 1 --stack",
        "show 1 --percentiles 50,90,95,99,99.9,99.99,99.999",
        "checks",
        "work list",
        "presets",
        "lab list",
        "lab check",
        "lab powercut --cuts 20",
        "lab powercut --cuts 20 --disk ssd-sata:ignores-flush",
        "restore",
        "stack /",
        "stack /var/tmp",
        "watch / --plain --count 1 --interval 100ms",
        "watch /var/tmp --plain --count 1 --interval 100ms",
    ] {
        fits(&home, &words.split(' ').collect::<Vec<_>>());
    }
    let target = ground.path().to_str().unwrap();
    fits(&home, &["stack", target]);
}

/// What others published, with faults whose sentences are longer than a line.
const PUBLISHED: &str = "A machine with 8 GB of RAM and a mirror of hard disks of 7200 rpm
dd if=/mnt/f of=/dev/null bs=1M
4294967296 bytes (4.3 GB) copied, 2.1 s, 2.0 GB/s
dd if=/dev/zero of=/mnt/f bs=1M count=1024
1073741824 bytes (1.1 GB) copied, 9.4 s, 214 MB/s
Average: dev8-0 309.50 213753.60 0.00
Average: dev8-16 0.00 0.00 0.00
";

#[test]
fn the_page_of_a_review_fits_in_every_language() {
    let home = Home::new();
    let path = home.path().join("published.txt");
    std::fs::write(&path, PUBLISHED).unwrap();
    for language in ["en", "fr", "nl"] {
        let path = path.to_str().unwrap();
        let said = fits(&home, &["review", path, "--all", "--lang", language]);
        for code in ["smaller-than-memory", "no-fsync", "wrong-rate", "idle-half"] {
            assert!(said.out.contains(code), "{said:?}");
        }
    }
}

/// The examples of a help text, each with the line that follows it.
fn broken_examples(help: &str) -> Vec<&str> {
    let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
    let examples: Vec<&str> = examples.lines().take_while(|l| !l.is_empty()).collect();
    let is_rest = |line: &&str| !line.contains("etalon");
    examples.into_iter().filter(is_rest).collect()
}

#[test]
fn every_help_fits_where_there_is_no_terminal_and_no_example_is_broken() {
    let home = Home::new();
    fits(&home, &["--help"]);
    fits(&home, &["-h"]);
    for command in subcommands(&home) {
        // To the tools -h is an option of their own.
        if !["dd", "hdparm", "iozone", "fdtree"].contains(&command.as_str()) {
            fits(&home, &[&command, "-h"]);
        }
        let help = fits(&home, &[&command, "--help"]);
        assert_eq!(broken_examples(&help.out), [""; 0], "{command}");
    }
}

/// Lines of prose that were broken by hand behind the 80th column: a narrower terminal breaks them once more.
fn broken_twice(help: &str) -> Vec<&str> {
    let lines: Vec<&str> = help.lines().collect();
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let pairs = lines.windows(2);
    let broken = pairs.filter(|pair| pair.iter().all(|line| is_prose(line)));
    let broken = broken.filter(|pair| pair[0].chars().count() > 80 && !pair[0].ends_with('.'));
    broken.map(|pair| pair[0]).collect()
}

#[test]
fn the_prose_of_a_help_is_broken_by_the_terminal_alone() {
    let home = Home::new();
    for command in subcommands(&home) {
        let mut help = home.etalon([command.as_str(), "--help"]);
        help.env("COLUMNS", "1000");
        assert_eq!(broken_twice(&run(help).out), [""; 0], "{command}");
    }
}

/// Etalon's own lines of a tool, each with its label.
fn own_lines(said: &Said) -> Vec<&str> {
    let lines = said.out.lines().chain(said.err.lines());
    lines.filter(|line| line.starts_with("etalon")).collect()
}

#[test]
fn the_own_lines_of_tools_fit_and_each_begins_with_the_name() {
    let (home, ground) = (Home::new(), Ground::new());
    let at = |name: &str| ground.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("in"), vec![7; 1 << 20]).unwrap();
    let (input, output, file) = (
        format!("if={}", at("in")),
        format!("of={}", at("out")),
        at("file"),
    );
    let directory = at("");
    for words in [
        vec!["dd", &input, &output, "bs=64k", "--runs", "2"],
        vec!["iozone", "-s", "1m", "-i", "0", "--runs", "2", "-f", &file],
        vec![
            "fdtree", "-l", "1", "-d", "2", "-f", "2", "--runs", "2", "-o", &directory,
        ],
    ] {
        let said = home.run(&words);
        let own = own_lines(&said);
        assert!(own.len() > 3, "{said:?}");
        assert_eq!(too_wide(&own.join("\n")), [""; 0], "{words:?}");
        for text in [
            "valid",
            "undecided",
            "note [",
            "warning [",
            "median",
            "later, at",
        ] {
            let mut lines = said.out.lines().chain(said.err.lines());
            let bare = lines.find(|line| line.contains(text) && !line.starts_with("etalon"));
            assert_eq!(bare, None, "{words:?}: {said:?}");
        }
    }
}
