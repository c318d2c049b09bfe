//! Whatever writes goes through the guard: the source of every other crate is searched for calls that
//! open for writing, make, cut, rename, link or remove, and each must stand in the list of those
//! that may, with a reason.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod allowed;
mod calls;
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use allowed::ALLOWED;

/// A file, by its path below `crates`, and the name of a call in it.
type Call = (String, &'static str);

/// The source of all crates but this one, and what only tests use: no tests, benches or examples.
fn sources() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = own.parent().unwrap();
    let without = [own.to_owned(), crates.join("testbed")];
    let mut files = Vec::new();
    for one in fs::read_dir(crates).unwrap() {
        let directory = one.unwrap().path();
        if !without.contains(&directory) && directory.is_dir() {
            walk(&directory.join("src"), &mut files);
            files.extend(Some(directory.join("build.rs")).filter(|file| file.exists()));
        }
    }
    assert!(
        files.len() > 100,
        "the source is not where it was: {files:?}"
    );
    files
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && stem != "tests" {
            walk(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") && stem != "tests" {
            files.push(path);
        }
    }
}

fn calls() -> BTreeSet<Call> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut calls = BTreeSet::new();
    for file in sources() {
        let code = source::code_of(&fs::read_to_string(&file).unwrap());
        let name = file.strip_prefix(crates).unwrap().display().to_string();
        let found = calls::calls_in(&code).into_iter();
        calls.extend(found.map(|call| (name.clone(), call)));
    }
    calls
}

fn allowed() -> BTreeSet<Call> {
    let all = ALLOWED
        .iter()
        .flat_map(|(file, calls, _)| calls.iter().map(|call| ((*file).to_owned(), *call)));
    all.collect()
}

fn lines(calls: Vec<&Call>) -> String {
    calls
        .iter()
        .map(|(file, call)| format!("\n  {file}: {call}"))
        .collect()
}

#[test]
fn nobody_writes_outside_of_the_guard() {
    let (calls, allowed) = (calls(), allowed());
    let outside: Vec<&Call> = calls.difference(&allowed).collect();
    assert!(
        outside.is_empty(),
        "these write without the guard; call etalon_factor::guard, or give a reason in allowed.rs:{}",
        lines(outside)
    );
}

#[test]
fn the_list_has_no_line_that_is_not_needed() {
    let (calls, allowed) = (calls(), allowed());
    let idle: Vec<&Call> = allowed.difference(&calls).collect();
    assert!(
        idle.is_empty(),
        "remove or move in allowed.rs:{}",
        lines(idle)
    );
    assert!(ALLOWED.iter().all(|(_, _, reason)| reason.len() > 20));
}
