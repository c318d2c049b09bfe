//! On which line the rows of a table begin.

/// A walk over the text, which counts its lines; rows come in their order.
///
/// The reader of tables counts them too, but a row begins for it where the one before ended: at the second half of a line
/// end `\r\n`, or before empty lines, which it skips.
pub(super) struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl Lines<'_> {
    pub(super) fn of(text: &str) -> Lines<'_> {
        Lines {
            text: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    /// The number, from 1, of the line of the first letter that is no line end, at this place or behind it.
    pub(super) fn begun_at(&mut self, place: Option<&csv::Position>) -> usize {
        let place = place.map_or(0, csv::Position::byte) as usize;
        let rest = self.text.get(place..).unwrap_or_default();
        let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let begin = place + ends.count();
        let passed = self.text.get(self.at..begin).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = self.at.max(begin);
        self.line
    }
}
