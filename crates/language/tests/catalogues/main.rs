//! The catalogues of all languages hold the same messages with the same placeholders, and the source asks for
//! each of them and for no other.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod calls;
mod english;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use etalon_language::Language;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};

/// Messages by their name, attributes as `name.attribute`, with their placeholders.
pub(crate) type Messages = BTreeMap<String, BTreeSet<String>>;

/// What names of messages begin with that stand for English words of the source, their blanks being hyphens.
pub(crate) const TERM: &str = "term-";

/// The directory that holds all crates.
pub(crate) fn crates() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap().to_owned()
}

pub(crate) fn messages(language: Language) -> Messages {
    let folder = crates().join("language/catalogues").join(language.tag());
    let mut messages = Messages::new();
    for file in fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let read = fluent_syntax::parser::parse(text.as_str());
        let read = read.unwrap_or_else(|(_, errors)| panic!("{}: {errors:?}", path.display()));
        for entry in &read.body {
            let Entry::Message(message) = entry else {
                continue;
            };
            let name = message.id.name;
            let own = message.value.iter().map(|value| (name.to_owned(), value));
            let attributes = message.attributes.iter();
            let all = own.chain(attributes.map(|a| (format!("{name}.{}", a.id.name), &a.value)));
            for (name, pattern) in all {
                let mut placeholders = BTreeSet::new();
                gather(pattern, &mut placeholders);
                let twice = messages.insert(name.clone(), placeholders);
                assert!(twice.is_none(), "{name} stands twice in {}", language.tag());
            }
        }
    }
    messages
}

fn gather(pattern: &Pattern<&str>, placeholders: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else {
            continue;
        };
        match expression {
            Expression::Inline(InlineExpression::VariableReference { id }) => {
                placeholders.insert(id.name.to_owned());
            }
            Expression::Select { selector, variants } => {
                if let InlineExpression::VariableReference { id } = selector {
                    placeholders.insert(id.name.to_owned());
                }
                let values = variants.iter().map(|variant| &variant.value);
                values.for_each(|value| gather(value, placeholders));
            }
            // A sign that would mean something to the catalogue.
            Expression::Inline(InlineExpression::StringLiteral { .. }) => {}
            Expression::Inline(other) => panic!("not used so far: {other:?}"),
        }
    }
}

#[test]
fn every_language_has_the_same_messages_with_the_same_placeholders() {
    let english = messages(Language::English);
    assert!(english.len() > 100, "{}", english.len());
    for language in [Language::French, Language::Dutch] {
        let own = messages(language);
        let names = |all: &Messages| -> BTreeSet<String> { all.keys().cloned().collect() };
        assert_eq!(names(&own), names(&english), "{}", language.tag());
        for (name, placeholders) in own {
            assert_eq!(placeholders, english[&name], "{name} in {}", language.tag());
        }
    }
}

#[test]
fn the_source_asks_for_every_message_with_its_placeholders_and_for_no_other() {
    let mut catalogue = messages(Language::English);
    // Those are asked for by the code of a check or the key of a finding's text (`crates/report/src/check_words.rs`) or of a fault (`crates/review/src/fault.rs`),
    // by the name of a command or an option (`crates/etalon/src/help.rs`) or of a preset, and by the English word (`english.rs`).
    let elsewhere = [
        "advice-", "check-", "said-", "help-", "help.", "preset-", TERM,
    ];
    let is_elsewhere =
        |name: &str| name == "help" || elsewhere.iter().any(|begin| name.starts_with(begin));
    catalogue.retain(|name, _| !is_elsewhere(name));
    let asked = calls::asked();
    for (name, values) in &asked {
        let placeholders = catalogue.get(name);
        let placeholders = placeholders.unwrap_or_else(|| panic!("no catalogue has {name}"));
        assert_eq!(values, placeholders, "values of {name}");
    }
    let asked: BTreeSet<&String> = asked.keys().collect();
    catalogue.retain(|name, _| !asked.contains(name));
    assert_eq!(catalogue, Messages::new(), "asked for nowhere");
}
