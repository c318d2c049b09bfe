//! What is built in has a licence that `deny.toml` allows, and stands there once unless it says why
//! not. Asked of cargo alone, without the network; `cargo deny` knows advisories as well.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says what was skipped"
)]

mod circles;
mod examples;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// A crate that is built in, with its versions and its licence.
#[derive(Default)]
struct BuiltIn {
    versions: BTreeSet<String>,
    licence: String,
}

/// The texts in quotes of a list of `deny.toml`.
fn listed(list: &str) -> BTreeSet<String> {
    let rules = include_str!("../../../../deny.toml");
    let (_, rest) = rules.split_once(&format!("\n{list} = [\n")).unwrap();
    let (body, _) = rest.split_once("\n]").unwrap();
    let lines = body.lines().filter(|line| !line.trim().starts_with('#'));
    let quoted = lines.filter_map(|line| line.split('"').nth(1));
    quoted.map(str::to_owned).collect()
}

/// `None`, with a word about it, where cargo does not have the sources of all crates.
fn built_in(test: &str) -> Option<BTreeMap<String, BuiltIn>> {
    let tree =
        "tree --workspace --offline --locked --prefix none --edges normal,build --format {p}|{l}";
    let output = Command::new(env!("CARGO"))
        .args(tree.split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        eprintln!("SKIPPED {test}: cargo has not all sources: {why}");
        return None;
    }
    let mut crates = BTreeMap::<String, BuiltIn>::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let Some((package, licence)) = line.trim_end_matches(" (*)").split_once('|') else {
            continue;
        };
        let mut words = package.split(' ');
        let (name, version) = (words.next().unwrap(), words.next().unwrap());
        let found = crates.entry(name.to_owned()).or_default();
        found.versions.insert(version.to_owned());
        found.licence = licence.to_owned();
    }
    Some(crates)
}

/// Whether an expression of licences (SPDX, and `/` for OR) can be met by those that are allowed.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let spaced = spaced.replace(" WITH ", "~");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    any_of(&mut words, allowed) && words.is_empty()
}

fn any_of(words: &mut Vec<&str>, allowed: &BTreeSet<String>) -> bool {
    let mut met = all_of(words, allowed);
    while words.last() == Some(&"OR") {
        words.pop();
        met |= all_of(words, allowed);
    }
    met
}

fn all_of(words: &mut Vec<&str>, allowed: &BTreeSet<String>) -> bool {
    let mut met = one(words, allowed);
    while words.last() == Some(&"AND") {
        words.pop();
        met &= one(words, allowed);
    }
    met
}

fn one(words: &mut Vec<&str>, allowed: &BTreeSet<String>) -> bool {
    match words.pop() {
        Some("(") => {
            let met = any_of(words, allowed);
            words.pop() == Some(")") && met
        }
        Some(licence) => allowed.contains(&licence.replace('~', " WITH ")),
        None => false,
    }
}

#[test]
fn every_licence_is_allowed() {
    let Some(crates) = built_in("every_licence_is_allowed") else {
        return;
    };
    assert!(crates.len() > 100, "only {} crates", crates.len());
    let allowed = listed("allow");
    for (name, found) in &crates {
        assert!(
            is_met(&found.licence, &allowed),
            "{name}: '{}'",
            found.licence
        );
    }
}

#[test]
fn no_crate_is_built_in_twice_without_a_reason() {
    let Some(crates) = built_in("no_crate_is_built_in_twice_without_a_reason") else {
        return;
    };
    let twice: BTreeMap<_, _> = crates
        .iter()
        .filter(|(_, found)| found.versions.len() > 1)
        .map(|(name, found)| (name.clone(), &found.versions))
        .collect();
    let excused = listed("skip");
    for (name, versions) in &twice {
        assert!(excused.contains(name), "{name}: {versions:?}");
    }
    for name in &excused {
        assert!(twice.contains_key(name), "{name} needs no excuse any more");
    }
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    let allowed: BTreeSet<String> = ["MIT", "Zlib"].map(str::to_owned).into();
    for (expression, met) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("(GPL-3.0 OR MIT) AND Zlib", true),
        ("(MIT OR Zlib) AND GPL-3.0", false),
        ("MIT AND GPL-3.0 OR Zlib", true),
        ("Apache-2.0 WITH LLVM-exception", false),
        ("", false),
        ("(MIT", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}
