//! Translators read beside their own words what the checks say in English.

use std::fs;
use std::path::Path;

use etalon_judge::CHECKS;

const HEAD: &str = "### The texts of checks, by their codes: the short one where there is one. The English ones are those of the checks themselves.\n\n";

/// A message with its attribute for each check.
fn catalogue() -> String {
    let entry = |check: &&etalon_judge::Check| {
        let about = check.short_about.unwrap_or(check.about);
        let advice = check.short_advice.unwrap_or(check.advice);
        let code = check.code;
        format!("check-{code} = {about}\n    .advice = {advice}\n")
    };
    HEAD.to_owned() + &CHECKS.iter().map(entry).collect::<String>()
}

#[test]
fn the_english_catalogue_has_the_words_of_the_checks() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../language/catalogues/en/checks.ftl");
    if std::env::var_os("ETALON_BLESS").is_some() {
        fs::write(&path, catalogue()).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), catalogue());
}

#[test]
fn a_check_with_a_short_text_has_both_parts_of_it() {
    for check in CHECKS {
        let (about, advice) = (check.short_about, check.short_advice);
        assert_eq!(about.is_some(), advice.is_some(), "{}", check.code);
    }
}
