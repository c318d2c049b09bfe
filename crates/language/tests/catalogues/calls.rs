//! Which messages the source asks for: the calls of `say!` with the names of their values.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Messages, crates};

/// Every message that is asked for, with the names of its values; two calls of one message give the same.
pub(crate) fn asked() -> Messages {
    let mut asked = Messages::new();
    for file in sources(&crates()) {
        let text = fs::read_to_string(&file).unwrap();
        for (at, begin) in text.match_indices("say!(") {
            let (name, values) = named(&text[at + begin.len()..]);
            let before = asked.insert(name.clone(), values.clone());
            assert!(
                before.is_none_or(|before| before == values),
                "{name}: {values:?}"
            );
        }
    }
    asked
}

/// The source of all crates but this one, without their tests.
pub(crate) fn sources(crates: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for one in fs::read_dir(crates).unwrap() {
        let directory = one.unwrap().path();
        if !directory.ends_with("language") && directory.is_dir() {
            walk(&directory.join("src"), &mut files);
        }
    }
    assert!(
        files.len() > 100,
        "the source is not where it was: {files:?}"
    );
    files
}

pub(crate) fn walk(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") && stem != "tests" {
            files.push(path);
        }
    }
}

/// The first words of a call: its message, and what stands before each `=` of its own level.
fn named(call: &str) -> (String, BTreeSet<String>) {
    let mut parts = call.splitn(3, '"');
    let name = parts.nth(1).unwrap().to_owned();
    let (mut depth, mut values, mut word) = (1, BTreeSet::new(), String::new());
    let mut is_text = false;
    for sign in parts.next().unwrap().chars() {
        match sign {
            '"' => is_text = !is_text,
            _ if is_text => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 1 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => word.clear(),
            '=' if depth == 1 => {
                values.insert(std::mem::take(&mut word).trim().to_owned());
            }
            _ if depth == 1 => word.push(sign),
            _ => {}
        }
    }
    (name, values)
}
