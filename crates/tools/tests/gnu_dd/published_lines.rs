//! Command lines that people have published with their measurements, word for word: each is read,
//! and each dd line does what GNU dd does, on small files in a directory of its own.
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::side_by_side::{Input, Outcome, gnu_dd_is_here, noise, outcome, run, tool};
use etalon_tools::{dd, hdparm};

/// One per line.
const LINES: &str = include_str!("published_lines.txt");

fn lines_of(tool: &str) -> Vec<Vec<String>> {
    let lines = LINES.lines().filter(|line| !line.starts_with('#'));
    let words = lines.map(|line| line.split_whitespace().map(str::to_owned));
    words
        .map(Iterator::collect::<Vec<String>>)
        .filter(|words| words.first().is_some_and(|first| first == tool))
        .map(|words| words[1..].to_vec())
        .collect()
}

#[test]
fn every_line_is_read() {
    let (dd, hdparm) = (lines_of("dd"), lines_of("hdparm"));
    assert!(dd.len() >= 15 && hdparm.len() >= 4);
    for words in &dd {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let mut warnings = Vec::new();
        dd::parse(&words, &mut warnings).unwrap();
        assert!(warnings.is_empty(), "{words:?}: {warnings:?}");
    }
    for words in &hdparm {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        hdparm::HdparmOptions::parse(&words).unwrap();
    }
    println!("{} lines of dd, {} of hdparm", dd.len(), hdparm.len());
}

/// The line with every path but the three devices of memory in the current directory, and at most 40
/// blocks.
fn mapped(words: &[String]) -> Vec<String> {
    let file = |path: &str| match path {
        "/dev/zero" | "/dev/null" => path.to_owned(),
        path => path.trim_start_matches(['.', '/']).replace('/', "_"),
    };
    let word = |word: &String| match word.split_once('=') {
        Some((name @ ("if" | "of"), path)) => format!("{name}={}", file(path)),
        Some(("count", count)) => format!("count={}", count.parse::<u64>().unwrap().min(40)),
        _ => word.clone(),
    };
    words.iter().map(word).collect()
}

fn carried_out(program: &Path, first: &[&str], words: &[String]) -> Outcome {
    let dir = tempfile::tempdir().unwrap();
    let input = words.iter().find_map(|word| word.strip_prefix("if="));
    if let Some(input) = input.filter(|input| !input.starts_with("/dev/")) {
        fs::write(dir.path().join(input), noise(300_001)).unwrap();
    }
    outcome(
        run(program, first, words, dir.path(), Input::None),
        dir.path(),
    )
}

#[test]
fn every_line_of_dd_ends_as_with_gnu_dd() {
    if !gnu_dd_is_here() {
        return;
    }
    for words in lines_of("dd") {
        let words = mapped(&words);
        let theirs = carried_out(Path::new("dd"), &[], &words);
        let ours = carried_out(tool(), &["dd"], &words);
        assert_eq!(theirs, ours, "dd {}", words.join(" "));
        let synced_null =
            words.contains(&"of=/dev/null".to_owned()) && words.contains(&"conv=fsync".to_owned());
        assert_eq!(ours.code, Some(i32::from(synced_null)), "{words:?}");
        if synced_null {
            assert_eq!(
                ours.lines[0],
                "dd: fsync failed for '/dev/null': Invalid argument"
            );
        }
    }
}
