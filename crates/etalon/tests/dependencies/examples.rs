//! An example in the docs of a crate is compiled and run, also where its crate had none before.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::circles::sources;

/// Whether a source file has an example in its docs (the rustdoc book, on documentation tests): a block of code that is not
/// said to be text.
fn has_example(source: &str) -> bool {
    let mut is_open = false;
    let docs = source.lines().map(str::trim_start);
    let docs = docs.filter(|line| line.starts_with("///") || line.starts_with("//!"));
    let mut fences = docs.filter_map(|line| line[3..].trim().strip_prefix("```"));
    fences.any(|language| {
        is_open = !is_open;
        is_open && language != "text"
    })
}

#[test]
fn a_crate_whose_examples_are_not_looked_for_has_none() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut silenced = 0;
    for place in fs::read_dir(crates).unwrap().map(|entry| entry.unwrap()) {
        let manifest = fs::read_to_string(place.path().join("Cargo.toml")).unwrap();
        if !manifest.lines().any(|line| line == "doctest = false") {
            continue;
        }
        silenced += 1;
        let mut files = BTreeMap::new();
        sources(&place.path().join("src"), &Vec::new(), &mut files);
        for (file, source) in &files {
            let place = place.file_name();
            assert!(!has_example(source), "{place:?}, {file:?}: an example");
        }
    }
    assert!(silenced > 0);
}

#[test]
fn an_example_is_told_from_a_text() {
    assert!(has_example(
        "/// ```\n/// assert!(true);\n/// ```\nfn one() {}"
    ));
    assert!(has_example(
        "    //! ```text\n    //! a\n    //! ```\n    //! ```no_run\n"
    ));
    assert!(!has_example("/// ```text\n/// a page\n/// ```\n"));
    assert!(!has_example("let fence = \"```\"; // ```"));
}
