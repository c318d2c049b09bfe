//! Colour for terminals: the only place where a style is written.
//!
//! A style is put around texts in which nothing is left that a terminal obeys, so that no name from
//! outside can set one.

use etalon_language::say;
use std::fmt;
use std::ops::Add;

use anstyle::{AnsiColor, Style};
use etalon_units::visible_lines;

use crate::ascii::to_ascii;
use crate::figures::invalid_word;

const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const GREEN: Style = AnsiColor::Green.on_default();
const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// Words of etalon's own that say how it came out, at the beginning of a line.
const VERDICTS: [(fn() -> String, Style); 4] = [
    (|| say!("gate-word-failed"), RED),
    (|| say!("gate-word-not-judged"), YELLOW),
    (|| say!("gate-word-too-few"), YELLOW),
    (|| say!("gate-word-passed"), GREEN),
];

/// A page as it goes to a terminal: besides lines of text it holds styles of etalon's own.
///
/// Only this crate's pages and [`Painted::plain`] make one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Painted(String);

impl Painted {
    /// Text without a style; what a terminal would obey stands as an escape.
    pub fn plain(text: &str) -> Painted {
        Painted(visible_lines(text).into_owned())
    }

    /// A page whose texts were made visible before styles were put around them.
    pub(crate) fn page(page: &impl fmt::Display) -> Painted {
        Painted(page.to_string())
    }

    /// The text with its styles.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same in ASCII.
    #[must_use]
    pub fn in_ascii(&self) -> Painted {
        Painted(to_ascii(&self.0))
    }
}

impl Add for Painted {
    type Output = Painted;

    fn add(self, rest: Painted) -> Painted {
        Painted(self.0 + &rest.0)
    }
}

/// The words that call figures invalid, the longer one first, as one may begin with the other.
fn invalid_words() -> [String; 2] {
    [2, 1].map(invalid_word)
}

/// Puts styles around texts, or leaves them as they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    fn around(self, style: Style, text: &str) -> String {
        match self.0 && !text.is_empty() {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }

    /// A cell of the table's column of marks, with the spaces beside it.
    pub(crate) fn mark(self, text: &str) -> String {
        match text.trim() {
            "✗" | "x" => self.around(RED, text),
            "!" => self.around(YELLOW, text),
            "~" | "m" => self.around(DIM, text),
            _ => text.to_owned(),
        }
    }

    /// A remark: its mark, and the word that calls a figure invalid.
    pub(crate) fn remark(self, text: &str) -> String {
        let Some((mark, rest)) = text.split_once(' ') else {
            return text.to_owned();
        };
        let is_grave = mark == "✗" || mark == "x";
        let split = |invalid: String| {
            let (before, after) = rest.split_once(&invalid)?;
            Some(format!("{before}{}{after}", self.around(RED, &invalid)))
        };
        let painted = invalid_words().into_iter().filter(|_| is_grave);
        let rest = painted.filter_map(split).next();
        let rest = rest.unwrap_or_else(|| text[mark.len() + 1..].to_owned());
        format!("{} {rest}", self.mark(mark))
    }

    /// A sentence of the answer, which may call figures invalid.
    pub(crate) fn spoiled(self, text: &str) -> String {
        let split = |invalid: String| {
            let before = text.trim_end().strip_suffix(&format!("{invalid}."))?;
            Some(format!("{before}{}.\n", self.around(RED, &invalid)))
        };
        let painted = invalid_words().into_iter().filter_map(split).next();
        painted.unwrap_or_else(|| text.to_owned())
    }

    /// What a gate says.
    pub(crate) fn verdict(self, text: &str) -> String {
        let words = VERDICTS.iter().map(|(word, style)| (word(), *style));
        let found = words.into_iter().find(|(word, _)| text.starts_with(word));
        found.map_or_else(
            || text.to_owned(),
            |(word, style)| self.around(style, &word) + &text[word.len()..],
        )
    }

    /// Words that stand in a row, wherever the text has them, in bold; lines may break within.
    pub(crate) fn bold(self, text: &str, wanted: &[String]) -> String {
        let mut painted = text.to_owned();
        for figure in wanted.iter().filter(|_| self.0) {
            painted = self.bold_one(&painted, figure);
        }
        painted
    }

    fn bold_one(self, text: &str, figure: &str) -> String {
        let (mut painted, mut rest) = (String::new(), text);
        while let Some((from, to)) = position(rest, figure) {
            painted.push_str(&rest[..from]);
            painted.push_str(&self.around(BOLD, &rest[from..to]));
            rest = &rest[to..];
        }
        painted + rest
    }
}

/// Where the words of `figure` stand one after the other, with any white space between them.
fn position(text: &str, figure: &str) -> Option<(usize, usize)> {
    let words: Vec<&str> = figure.split_whitespace().collect();
    let first = words.first()?;
    text.match_indices(first).find_map(|(from, _)| {
        let begins = text[..from]
            .chars()
            .next_back()
            .is_none_or(|c| c.is_whitespace() || c == '(');
        let to = end(text, from, &words)?;
        let ends = text[to..]
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric());
        (begins && ends).then_some((from, to))
    })
}

fn end(text: &str, from: usize, words: &[&str]) -> Option<usize> {
    let mut at = from;
    for (count, word) in words.iter().enumerate() {
        let rest = &text[at..];
        let gap = rest.len() - rest.trim_start().len();
        if (gap > 0) != (count > 0) || !rest[gap..].starts_with(word) {
            return None;
        }
        at += gap + word.len();
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_verdicts_and_figures_have_styles_and_all_else_has_none() {
        let paint = Paint(true);
        assert_eq!(paint.mark("!"), "\x1b[33m!\x1b[0m");
        assert_eq!(paint.mark("~"), "\x1b[2m~\x1b[0m");
        assert_eq!(
            paint.remark("✗ read: INVALID: x"),
            "\x1b[1m\x1b[31m✗\x1b[0m read: \x1b[1m\x1b[31mINVALID\x1b[0m: x"
        );
        assert_eq!(paint.remark("? INVALID"), "? INVALID");
        let many = || paint.remark("✗ 2 lignes : INVALIDES : x");
        assert!(
            etalon_language::Language::French
                .speak(many)
                .contains("\x1b[31mINVALIDES\x1b[0m")
        );
        assert_eq!(paint.verdict("Passed: all."), "\x1b[32mPassed:\x1b[0m all.");
        let figures = ["3 k".to_owned(), "3 k IOPS".to_owned()];
        assert_eq!(
            paint.bold("read 3\n  k, 13 k, (3 km)", &figures[..1]),
            "read \x1b[1m3\n  k\x1b[0m, 13 k, (3 km)"
        );
        assert_eq!(Paint(false).remark("✗ INVALID"), "✗ INVALID");
    }

    #[test]
    fn plain_text_brings_no_style_of_its_own() {
        assert_eq!(Painted::plain("a\x1b[31mb\n").as_str(), "a\\x1b[31mb\n");
    }
}
