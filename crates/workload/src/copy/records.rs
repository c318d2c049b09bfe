//! `conv=block` and `conv=unblock`: lines of text and records of one length, into each other.

use super::settings::Records;

/// Turns a stream of lines into records or back.
#[derive(Debug)]
pub(crate) struct RecordMaker {
    kind: Records,
    newline: u8,
    space: u8,
    /// Bytes of the line or record so far; beyond its length in a line that is too long.
    column: usize,
    /// Spaces that are trailing ones if nothing else follows in the record.
    spaces: usize,
    /// Lines that were too long for a record.
    truncated: u64,
}

impl RecordMaker {
    /// `newline` and `space` as they are in the stream.
    pub(crate) fn new(kind: Records, newline: u8, space: u8) -> RecordMaker {
        RecordMaker {
            kind,
            newline,
            space,
            column: 0,
            spaces: 0,
            truncated: 0,
        }
    }

    pub(crate) fn truncated(&self) -> u64 {
        self.truncated
    }

    /// Adds to `out` what `data` comes to.
    pub(crate) fn add(&mut self, data: &[u8], out: &mut Vec<u8>) {
        for &byte in data {
            match self.kind {
                Records::Block { length } => self.of_line(byte, length, out),
                Records::Unblock { length } => self.of_record(byte, length, out),
            }
        }
    }

    /// Ends the last line or record.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        if self.column == 0 {
            return;
        }
        match self.kind {
            Records::Block { length } => self.pad(length, out),
            Records::Unblock { .. } => self.end_line(out),
        }
    }

    fn of_line(&mut self, byte: u8, length: usize, out: &mut Vec<u8>) {
        if byte == self.newline {
            self.pad(length, out);
            return;
        }
        if self.column < length {
            out.push(byte);
        } else if self.column == length {
            self.truncated += 1;
        }
        self.column += 1;
    }

    fn pad(&mut self, length: usize, out: &mut Vec<u8>) {
        let missing = length.saturating_sub(self.column);
        out.resize(out.len() + missing, self.space);
        self.column = 0;
    }

    fn of_record(&mut self, byte: u8, length: usize, out: &mut Vec<u8>) {
        if self.column == length {
            self.end_line(out);
        }
        self.column += 1;
        if byte == self.space {
            self.spaces += 1;
        } else {
            out.resize(out.len() + self.spaces, self.space);
            self.spaces = 0;
            out.push(byte);
        }
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        out.push(self.newline);
        (self.column, self.spaces) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn made(kind: Records, pieces: &[&[u8]]) -> (Vec<u8>, u64) {
        let mut maker = RecordMaker::new(kind, b'\n', b' ');
        let mut out = Vec::new();
        for piece in pieces {
            maker.add(piece, &mut out);
        }
        maker.finish(&mut out);
        (out, maker.truncated())
    }

    /// Lines one after the other, as the manual tells it.
    fn blocked_slowly(text: &[u8], length: usize) -> (Vec<u8>, u64) {
        let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        // What follows the last newline is a line only when it is something.
        lines.pop_if(|line| line.is_empty());
        let mut out = Vec::new();
        let mut truncated = 0;
        for line in lines {
            truncated += u64::from(line.len() > length);
            let mut record = line.to_vec();
            record.resize(length, b' ');
            out.extend(record);
        }
        (out, truncated)
    }

    fn unblocked_slowly(data: &[u8], length: usize) -> Vec<u8> {
        let mut out = Vec::new();
        for record in data.chunks(length) {
            let kept = record.iter().rposition(|&byte| byte != b' ');
            out.extend_from_slice(&record[..kept.map_or(0, |at| at + 1)]);
            out.push(b'\n');
        }
        out
    }

    proptest! {
        #[test]
        fn as_the_slow_way(
            text in proptest::collection::vec(proptest::sample::select(&b"ab \n"[..]), 0..60),
            length in 1usize..9,
            cut in 0usize..60,
        ) {
            let (one, two) = text.split_at(cut.min(text.len()));
            let blocked = made(Records::Block { length }, &[one, two]);
            prop_assert_eq!(blocked, blocked_slowly(&text, length));
            let (unblocked, _) = made(Records::Unblock { length }, &[one, two]);
            prop_assert_eq!(unblocked, unblocked_slowly(&text, length));
        }
    }
}
