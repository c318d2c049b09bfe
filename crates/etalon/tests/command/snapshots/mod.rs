//! Texts that people and scripts rely on, held against files: the help of every subcommand, every
//! error of the parser of options, and the main pages of a kept store.
//!
//! `ETALON_BLESS=1` writes the files anew: read what changed before it is kept.

mod errors;
mod help;
mod pages;
mod reports;

use std::path::Path;

use crate::common::{Home, run};

/// Holds a text against a file of this directory.
fn is_as_kept(name: &str, told: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/snapshots");
    let path = directory.join(name);
    if std::env::var_os("ETALON_BLESS").is_some() {
        std::fs::write(&path, told).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = |(told, kept): &(&str, &str)| told != kept;
    let first = told.lines().zip(kept.lines()).find(differs);
    assert!(
        told == kept,
        "snapshots/{name} is another text, first {first:?}; read it, and keep it with ETALON_BLESS=1"
    );
}

/// The exit code and what is printed on 80 columns, with times of UTC and no path of this machine.
fn told(home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let mut command = home.etalon(words);
    command.env("COLUMNS", "80").env("TZ", "UTC");
    // A long path would break lines of help elsewhere than a short one.
    command.env("ETALON_STORE", "store.sqlite");
    command.current_dir(home.path());
    let said = run(command);
    (said.code, said.out + &said.err)
}
