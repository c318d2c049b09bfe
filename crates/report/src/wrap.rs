//! Paragraphs broken at words.

use std::fmt;

use etalon_units::visible;

/// Where there is no terminal, pages are as wide as most of them are.
pub(crate) const USUAL_WIDTH: usize = 80;

/// Longer lines of text are hard to read.
pub(crate) const READABLE_WIDTH: usize = 100;

/// Breaks paragraphs at words to a width; further lines are indented.
pub(crate) struct Wrap(pub(crate) Option<usize>);

/// A paragraph broken at words, with a line end; as wide as a page.
pub fn paragraph(text: &str, width: Option<usize>) -> String {
    let width = width.unwrap_or(USUAL_WIDTH).min(READABLE_WIDTH);
    Wrap(Some(width)).broken(text, "  ")
}

impl Wrap {
    /// The same with so many columns less.
    pub(crate) fn narrower(&self, columns: usize) -> Wrap {
        Wrap(self.0.map(|width| width.saturating_sub(columns)))
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
        for word in text.split_whitespace() {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > width.max(20) {
                broken.push('\n');
                broken.push_str(indent);
                column = indent.len();
            } else if column > 0 {
                broken.push(' ');
                column += 1;
            }
            broken.push_str(word);
            column += length;
        }
        broken.push('\n');
        broken
    }
}
