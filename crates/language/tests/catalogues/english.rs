//! What is said in English only: sentences of pages that are in no catalogue.

use std::fs;

use etalon_language::Language;

use crate::calls::walk;
use crate::{TERM, crates, messages};

/// Texts of two and more words in the source of what people look at. The number can only fall, but for names of operations, which are
/// names in every language.
const SENTENCES: usize = 55;

#[test]
fn what_is_said_in_english_only_becomes_less() {
    let mut files = Vec::new();
    for looked_at in ["report/src", "serve/src"] {
        walk(&crates().join(looked_at), &mut files);
    }
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let terms = messages(Language::English);
    let is_left = |literal: &String| is_sentence(literal) && !terms.contains_key(&term(literal));
    let sentences: usize = texts
        .map(|text| literals(&text).filter(is_left).count())
        .sum();
    assert_eq!(
        sentences, SENTENCES,
        "a number that has fallen is written down here"
    );
}

/// The message that stands for an English word before a value.
fn term(literal: &str) -> String {
    format!("{TERM}{}", literal.replace(' ', "-"))
}

#[test]
fn every_term_is_a_word_of_the_drawing_of_a_stack() {
    let mut files = Vec::new();
    walk(&crates().join("report/src/stack"), &mut files);
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let said: Vec<String> = texts
        .flat_map(|text| literals(&text).map(|l| term(&l)).collect::<Vec<_>>())
        .collect();
    let mut terms = messages(Language::English);
    terms.retain(|name, _| name.starts_with(TERM) && !said.contains(name));
    assert!(terms.is_empty(), "said nowhere: {terms:?}");
}

/// The texts in quotes of a source file above its tests, without comments.
fn literals(source: &str) -> impl Iterator<Item = String> {
    let code = source
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code: Vec<String> = lines.map(|line| line.replace("\\\"", "'")).collect();
    let parts: Vec<String> = code.join("\n").split('"').map(str::to_owned).collect();
    parts.into_iter().skip(1).step_by(2)
}

/// Whether two words stand beside each other, outside of markup and placeholders.
fn is_sentence(literal: &str) -> bool {
    let (mut plain, mut hidden) = (String::new(), 0);
    for sign in literal.chars() {
        match sign {
            '<' | '{' => hidden += 1,
            '>' | '}' => hidden -= 1,
            _ if hidden == 0 => plain.push(sign),
            _ => {}
        }
    }
    let words: Vec<&str> = plain.split(' ').collect();
    let is_word = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    words
        .windows(2)
        .any(|pair| is_word(pair[0]) && is_word(pair[1]))
}
