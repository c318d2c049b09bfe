//! The values of an experiment that name something, wherever they stand.

use std::collections::{BTreeMap, BTreeSet};

use etalon_model::Experiment;

use super::{Hiding, gather, paths, patterns};

/// What is the same on every machine.
const OF_EVERYBODY: [&str; 5] = ["localhost", "127.0.0.1", "::1", "none", "root"];
/// A shorter word may be part of any sentence.
const SHORTEST: usize = 3;

/// Values that are hidden in every text, the longest first, with what stands for each.
pub(super) struct Words<'a> {
    by: &'a Hiding<'a>,
    all: Vec<(String, String)>,
}

impl<'a> Words<'a> {
    /// Those that the storage stacks of an experiment name.
    pub(super) fn of(experiment: &Experiment, by: &'a Hiding<'a>) -> serde_json::Result<Words<'a>> {
        let mut found = BTreeSet::new();
        for record in experiment.environments() {
            gather::gather(&serde_json::to_value(&record.stack)?, &mut found);
        }
        let is_known =
            |word: &String| word.len() >= SHORTEST && !OF_EVERYBODY.contains(&word.as_str());
        let mut all: Vec<String> = found.into_iter().filter(is_known).collect();
        all.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let all = all.into_iter().map(|word| {
            let hidden = by.pseudonym(&word);
            (word, hidden)
        });
        let all = all.collect();
        Ok(Words { by, all })
    }

    /// `text` with each of these words, and with the paths, UUIDs and addresses in it, hidden.
    pub(super) fn hide(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (word, hidden) in &self.all {
            text = replace_word(&text, word, hidden);
        }
        let text = patterns::hide(&text, |found| self.pseudonym(found));
        paths::hide(&text, |part| self.pseudonym(part))
    }

    /// What stands for a whole value.
    pub(super) fn pseudonym(&self, value: &str) -> String {
        match OF_EVERYBODY.contains(&value) {
            true => value.to_owned(),
            false => self.by.pseudonym(value),
        }
    }

    pub(super) fn hash(&self, facts: &BTreeMap<String, String>) -> String {
        (self.by.hash)(facts)
    }
}

/// `text` with `word` replaced where it stands by itself.
pub(super) fn replace_word(text: &str, word: &str, by: &str) -> String {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (first, last) = (word.chars().next(), word.chars().last());
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        out.push_str(&rest[..at]);
        rest = &rest[at + word.len()..];
        let goes_on = is_letter(last) && is_letter(rest.chars().next());
        let is_part = goes_on || is_letter(first) && is_letter(out.chars().last());
        out.push_str(if is_part { word } else { by });
    }
    out + rest
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_word_within_another_stays() {
        for (text, word, hidden) in [
            ("S1 (S1), xS1 S12", "S1", "X (X), xS1 S12"),
            ("sh (7), bash (8)", "sh (", "X7), bash (8)"),
            ("éS1 S1é S1", "S1", "éS1 S1é X"),
        ] {
            assert_eq!(super::replace_word(text, word, "X"), hidden);
        }
    }
}
