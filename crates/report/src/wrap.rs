//! Paragraphs broken at words.

use std::fmt;

use etalon_units::visible;

use crate::grid::Side;
use crate::width::{columns, padded};

/// Where there is no terminal, pages are as wide as most of them are.
pub(crate) const USUAL_WIDTH: usize = 80;

/// Longer lines of text are hard to read.
pub(crate) const READABLE_WIDTH: usize = 100;

/// Breaks paragraphs at words to a width; further lines are indented.
pub(crate) struct Wrap(pub(crate) Option<usize>);

/// Columns of a page on a terminal of this width, or where there is none.
pub fn page_width(width: Option<usize>) -> usize {
    width.unwrap_or(USUAL_WIDTH).min(READABLE_WIDTH)
}

/// A paragraph broken at words, with a line end; as wide as a page.
pub fn paragraph(text: &str, width: Option<usize>) -> String {
    Wrap(Some(page_width(width))).broken(text, "  ")
}

/// Lines broken at words to the terminal's width, or to that of a page where there is none; what a
/// line goes on with stands below its text, and the lines of a tree go on.
pub fn fitted(text: &str, width: Option<usize>) -> String {
    let wrap = Wrap(Some(width.unwrap_or(USUAL_WIDTH)));
    text.lines().map(|line| wrap.hanging(line)).collect()
}

/// Behind `indent` a column of names, and beside it what is said of each, broken at words.
pub fn described(indent: &str, rows: &[(&str, String)], width: Option<usize>) -> String {
    let names = rows.iter().map(|(name, _)| columns(name));
    let column = names.max().unwrap_or(0) + 2;
    let wrap = Wrap(Some(page_width(width))).narrower(indent.len() + column);
    let mut text = String::new();
    for (name, said) in rows {
        let lines = wrap.broken(said, "");
        for (at, line) in lines.lines().enumerate() {
            let name = padded(if at == 0 { name } else { "" }, column, Side::Left);
            text.push_str(format!("{indent}{name}{line}").trim_end());
            text.push('\n');
        }
    }
    text
}

/// The same characters below, where a branch of a tree goes on and all else is empty.
fn below(branch: char) -> char {
    match branch {
        '│' | '├' => '│',
        _ => ' ',
    }
}

impl Wrap {
    /// One line, with its branches before each part of it; one that fits stays as it is, columns too.
    fn hanging(&self, line: &str) -> String {
        let shown = visible(line);
        if self.0.is_none_or(|width| columns(&shown) <= width) {
            return format!("{shown}\n");
        }
        let is_text = |c: char| !" │├└─".contains(c);
        let (before, text) = line.split_at(line.find(is_text).unwrap_or(0));
        let below: String = before.chars().map(below).chain("  ".chars()).collect();
        let broken = self.narrower(columns(before)).broken(text, "  ");
        let lines = broken.lines().enumerate();
        lines
            .map(|(at, part)| match at {
                0 => format!("{before}{part}\n"),
                _ => format!("{below}{}\n", part.trim_start()),
            })
            .collect()
    }

    /// The same with so many columns less.
    pub(crate) fn narrower(&self, taken: usize) -> Wrap {
        Wrap(self.0.map(|width| width.saturating_sub(taken)))
    }

    /// Writes one paragraph and a line end.
    pub(crate) fn paragraph(&self, f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
        f.write_str(&self.broken(text, "  "))
    }

    /// The paragraph with a line end; further lines begin with `indent`.
    pub(crate) fn broken(&self, text: &str, indent: &str) -> String {
        let text = visible(text);
        let Some(width) = self.0 else {
            return format!("{text}\n");
        };
        let (mut broken, mut column) = (String::new(), 0);
        let is_break = |c: char| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{202f}');
        for word in whole(text.split(is_break)) {
            let length = columns(&word);
            if column > 0 && column + 1 + length > width.max(20) {
                broken.push('\n');
                broken.push_str(indent);
                column = indent.len();
            } else if column > 0 {
                broken.push(' ');
                column += 1;
            }
            broken.push_str(&word);
            column += length;
        }
        broken.push('\n');
        broken
    }
}

/// Words, with the sign of a percentage beside its number, as the language has it.
fn whole<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        match whole.last_mut().filter(|_| word.starts_with('%')) {
            Some(number) => *number += &format!(" {word}"),
            None => whole.push(word.to_owned()),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_not_torn_from_its_number() {
        let said = "xfs est plus rapide ici (95 %\u{a0}: 1,40)";
        assert_eq!(
            Wrap(Some(28)).broken(said, "  "),
            "xfs est plus rapide ici\n  (95 %\u{a0}: 1,40)\n"
        );
    }

    #[test]
    fn the_branches_of_a_tree_go_on_beside_what_was_broken() {
        let text = "├─ aaaaaaaa bbbbbbbb cccccccc\n│  └─ dddd\nshort\n";
        assert_eq!(
            fitted(text, Some(23)),
            "├─ aaaaaaaa bbbbbbbb\n│    cccccccc\n│  └─ dddd\nshort\n"
        );
    }

    #[test]
    fn what_is_said_stands_beside_its_name() {
        let rows = [("a", "one two".to_owned()), ("long", "three".to_owned())];
        assert_eq!(
            described(" ", &rows, Some(80)),
            " a     one two\n long  three\n"
        );
        let narrow = described(
            "",
            &[("code", "one two three four five six seven".into())],
            Some(30),
        );
        assert_eq!(narrow, "code  one two three four five\n      six seven\n");
    }
}
