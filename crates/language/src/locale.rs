//! Which language somebody chose.

use std::str::FromStr;

use crate::Language;

/// Why a text is no language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language '{input}'; available: {}", Language::ALL.map(Language::tag).join(", "))]
pub struct ParseLanguageError {
    input: String,
}

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Language::ALL.into_iter();
        let input = || text.to_owned();
        all.find(|language| language.tag() == text)
            .ok_or_else(|| ParseLanguageError { input: input() })
    }
}

/// The locale of a category such as `LC_MESSAGES`, by the first variable that says anything (locale(7)); empty where
/// none does.
pub fn locale(category: &str, variable: impl Fn(&str) -> Option<String>) -> String {
    let mut said = ["LC_ALL", category, "LANG"]
        .into_iter()
        .filter_map(variable);
    said.find(|locale| !locale.is_empty()).unwrap_or_default()
}

/// The language of messages by their locale; English for what etalon does not speak.
pub fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Language {
    let locale = locale("LC_MESSAGES", variable);
    let language = locale.split(['_', '.', '@']).next().unwrap_or_default();
    language.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_says_anything_is_the_language() {
        let of = |said: &[(&str, &str)]| {
            let value = |name: &str| said.iter().find(|(key, _)| *key == name).map(|(_, v)| *v);
            of_locale(|name| value(name).map(str::to_owned))
        };
        assert_eq!(of(&[("LANG", "fr_BE.UTF-8")]), Language::French);
        assert_eq!(of(&[("LC_ALL", "nl"), ("LANG", "fr_FR")]), Language::Dutch);
        assert_eq!(
            of(&[("LC_ALL", ""), ("LC_MESSAGES", "nl_NL@euro")]),
            Language::Dutch
        );
        assert_eq!(of(&[("LC_ALL", "C"), ("LANG", "fr_FR")]), Language::English);
        assert_eq!(
            of(&[("LANG", "frr_DE"), ("LC_CTYPE", "fr_FR")]),
            Language::English
        );
        assert_eq!(of(&[]), Language::English);
    }

    #[test]
    fn an_unknown_language_is_quoted_beside_those_that_there_are() {
        assert_eq!("nl".parse(), Ok(Language::Dutch));
        let error = "de".parse::<Language>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown language 'de'; available: en, fr, nl"
        );
    }
}
