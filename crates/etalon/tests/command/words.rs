//! The field's standard terms: what people read has none of the words that stood for them once.

use crate::common::{Ground, Home};
use crate::manners::subcommands;

/// Words that nobody would search for, as they stood in pages, help and errors.
const QUAINT: [&str; 11] = [
    " op/s",
    "operations on names",
    "operation on names",
    "what lies beneath",
    "figures open",
    "lies in pieces",
    "be steered gently",
    "is no company",
    "is no work;",
    "dear at first",
    "say so beside",
];

fn assert_plain(what: &str, text: &str) {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let found: Vec<&&str> = QUAINT
        .iter()
        .filter(|word| joined.contains(**word))
        .collect();
    assert!(found.is_empty(), "{what}: {found:?}");
}

#[test]
fn help_pages_errors_and_the_readme_speak_in_the_field_s_terms() {
    let (home, ground) = (Home::new(), Ground::new());
    let target = ground.path().to_str().unwrap();
    for command in subcommands(&home) {
        assert_plain(&command, &home.run([&command, "--help"]).out);
    }
    let line = format!("measure {target} --op randread -q 2 -s 1M --time 20ms --runs 2");
    let lines = [
        "--help",
        "checks",
        "work list",
        "presets",
        &line,
        "show 1 --details",
        "show 1 --findings",
        "show 1 --percentiles 50",
        "show 1 --dots",
        "list",
        "work nosuch",
        "work copy-tree --set nosuch=1",
        "compare 1@1 1@2 --by nosuch",
        "measure --op nosuch",
    ];
    for words in lines {
        let said = home.run(words.split(' '));
        assert_plain(words, &(said.out + &said.err));
    }
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    assert_plain("README", &std::fs::read_to_string(readme).unwrap());
}

#[test]
fn an_unknown_word_is_quoted_with_what_is_available() {
    let home = Home::new();
    for (words, parts) in [
        (
            "work nosuch",
            ["unknown workload 'nosuch'; available: ", "copy-tree"],
        ),
        (
            "work copy-tree --set nosuch=1",
            ["unknown parameter 'nosuch'; available: ", "preserve"],
        ),
        (
            "measure --op nosuch",
            ["unknown operation 'nosuch'", "randread"],
        ),
        ("checks nosuch", ["unknown check 'nosuch'", "etalon checks"]),
        (
            "presets nosuch",
            ["unknown preset 'nosuch'", "etalon presets"],
        ),
    ] {
        home.run(words.split(' ')).refused(2, &parts);
    }
}
