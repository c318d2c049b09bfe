//! The published command lines: read verbatim, and carried out with sizes scaled down.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;

use etalon_units::Bytes;

use super::super::Options;
use super::super::size::size;
use super::{run_with, words};

/// The largest file that the test writes, and the largest record.
const LARGEST: Bytes = Bytes::mib(4);
const LARGEST_RECORD: Bytes = Bytes::mib(1);

fn published() -> impl Iterator<Item = Vec<OsString>> {
    include_str!("published_lines.txt")
        .lines()
        .filter_map(|line| {
            let mut line = words(line);
            (line.first()? == "iozone").then(|| line.split_off(1))
        })
}

#[test]
fn every_line_is_understood_as_it_stands() {
    let lines: Vec<_> = published().collect();
    assert_eq!(lines.len(), 15);
    for line in lines {
        Options::parse(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    }
}

/// The line with smaller sizes, and with files in `directory`.
fn scaled(line: &[OsString], directory: &str) -> Vec<OsString> {
    let mut scaled = Vec::new();
    let mut before = "";
    for word in line {
        let word = word.to_str().unwrap();
        let is_option = word.starts_with('-');
        let most = if before == "-r" {
            LARGEST_RECORD
        } else {
            LARGEST
        };
        scaled.push(match before {
            "-s" | "-g" | "-r" if size(word).unwrap() > most => {
                format!("{}m", most.get() >> 20).into()
            }
            "-f" | "-F" | "-b" | "-Rb" | "-Rab" if !is_option => {
                format!("{directory}/{}", word.rsplit('/').next().unwrap()).into()
            }
            _ => OsString::from(word),
        });
        // -F takes names until the next option.
        if is_option || before != "-F" {
            before = word;
        }
    }
    if scaled.iter().any(|word| {
        word.to_str().unwrap().contains('a') && word.to_str().unwrap().starts_with("-R")
    }) || scaled[0] == "-a"
    {
        scaled.extend(words("-n 64 -g 128"));
    }
    if !scaled.iter().any(|word| word == "-f" || word == "-F") {
        scaled.extend([
            OsString::from("-f"),
            format!("{directory}/iozone.tmp").into(),
        ]);
    }
    scaled.extend(words("--runs 1"));
    scaled
}

#[test]
fn every_line_runs() {
    for line in published() {
        let directory = tempfile::tempdir().unwrap();
        let scaled = scaled(&line, directory.path().to_str().unwrap());
        let ran = run_with(&scaled, &AtomicBool::new(false));
        // One run has no interval, so that no figure is valid.
        assert_eq!(ran.status, 3, "{scaled:?}: {}{}", ran.out, ran.err);
        assert!(
            ran.out.contains("\niozone test complete."),
            "{scaled:?}: {}",
            ran.out
        );
        let mut left: Vec<String> = std::fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let book = line
            .iter()
            .position(|w| ["-b", "-Rb", "-Rab"].iter().any(|b| w == b));
        let mut expected: Vec<String> = book
            .map(|at| line[at + 1].to_str().unwrap().to_owned())
            .into_iter()
            .collect();
        if line.iter().any(|word| word == "-w") {
            expected.extend(["iodump1".to_owned(), "iodump2".to_owned()]);
            expected.sort();
        }
        assert_eq!(left, expected, "{scaled:?}");
    }
}
