//! Paragraphs broken at words.

use std::fmt;

use etalon_units::visible;

/// Breaks paragraphs at words to a width; further lines are indented.
pub(crate) struct Wrap(pub(crate) Option<usize>);

impl Wrap {
    /// Writes one paragraph and a line end.
    pub(crate) fn paragraph(&self, f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
        let text = visible(text);
        let Some(width) = self.0 else {
            return writeln!(f, "{text}");
        };
        let mut column = 0;
        for word in text.split_whitespace() {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > width.max(20) {
                write!(f, "\n  {word}")?;
                column = 2 + length;
            } else if column > 0 {
                write!(f, " {word}")?;
                column += 1 + length;
            } else {
                write!(f, "{word}")?;
                column = length;
            }
        }
        writeln!(f)
    }
}
