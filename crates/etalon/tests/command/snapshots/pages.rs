//! The main pages of a kept store: the modelled device, with its seed and its clock.

use super::{is_as_kept, told};
use crate::common::Home;
use crate::golden::unpacked;

/// Each page and the file that it is held against.
const PAGES: [(&str, &str); 16] = [
    ("list", "list.txt"),
    ("show 1", "measure.txt"),
    ("show 1 --findings", "findings.txt"),
    ("show 1 --details --width 80", "details.txt"),
    ("show 1 --dots", "dots.txt"),
    ("show 1 --percentiles 50,99,99.9 --si", "percentiles.txt"),
    ("show 3", "together.txt"),
    ("show 4", "plan.txt"),
    ("show 5", "latency.txt"),
    ("compare 1 2", "compare.txt"),
    ("compare 1 2 --by fake", "compared-by.txt"),
    ("export 1 --markdown", "markdown.txt"),
    ("show 3 --lang fr", "together-fr.txt"),
    ("show 3 --lang nl", "together-nl.txt"),
    ("compare 1 2 --lang fr", "compare-fr.txt"),
    ("compare 1 2 --lang nl", "compare-nl.txt"),
];

#[test]
fn the_main_pages_are_as_kept() {
    let home = Home::new();
    let store = unpacked(&home, "modelled.sqlite");
    std::fs::copy(store, home.store()).unwrap();
    for (line, name) in PAGES {
        let (code, text) = told(&home, &line.split(' ').collect::<Vec<_>>());
        assert!(matches!(code, Some(0 | 3)), "{line}: {text}");
        is_as_kept(&format!("pages/{name}"), &text);
    }
}
