//! Conversions of the bytes themselves, in the order in which dd makes them: characters, then the
//! swap of pairs, then lines and records.

use super::charset::{self, Table};
use super::records::RecordMaker;
use super::settings::Conversions;

/// Converts a stream block by block.
#[derive(Debug)]
pub(crate) struct Converter {
    table: Option<Box<Table>>,
    swab: bool,
    /// The first byte of a pair whose second has not come yet.
    odd: Option<u8>,
    swapped: Vec<u8>,
    records: Option<RecordMaker>,
    made: Vec<u8>,
}

impl Converter {
    pub(crate) fn new(conversions: Conversions) -> Converter {
        let table = charset::table(conversions.charset, conversions.case);
        let now = |byte: u8| {
            // A record in EBCDIC is filled with the spaces of EBCDIC; lines that come out of
            // records are in ASCII already.
            let converted = table
                .as_ref()
                .map_or(byte, |table| table[usize::from(byte)]);
            match conversions.charset {
                Some(super::Charset::Ascii) => byte,
                _ => converted,
            }
        };
        let (newline, space) = (now(b'\n'), now(b' '));
        Converter {
            swab: conversions.swab,
            odd: None,
            swapped: Vec::new(),
            records: conversions
                .records
                .map(|kind| RecordMaker::new(kind, newline, space)),
            made: Vec::new(),
            table,
        }
    }

    /// What the output gets for one input block.
    pub(crate) fn convert<'a>(&'a mut self, data: &'a mut [u8]) -> &'a [u8] {
        if let Some(table) = &self.table {
            for byte in data.iter_mut() {
                *byte = table[usize::from(*byte)];
            }
        }
        let mut data: &[u8] = data;
        if self.swab {
            self.swapped.clear();
            for &byte in data {
                match self.odd.take() {
                    Some(first) => self.swapped.extend([byte, first]),
                    None => self.odd = Some(byte),
                }
            }
            data = &self.swapped;
        }
        let Some(records) = &mut self.records else {
            return data;
        };
        self.made.clear();
        records.add(data, &mut self.made);
        &self.made
    }

    /// What is left at the end of the input: a byte without a partner, the end of the last line.
    pub(crate) fn rest(&mut self) -> &[u8] {
        self.swapped.clear();
        self.swapped.extend(self.odd.take());
        let Some(records) = &mut self.records else {
            return &self.swapped;
        };
        self.made.clear();
        records.add(&self.swapped, &mut self.made);
        records.finish(&mut self.made);
        &self.made
    }

    /// Lines that were cut at the length of a record so far.
    pub(crate) fn truncated(&self) -> u64 {
        self.records.as_ref().map_or(0, RecordMaker::truncated)
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::{Case, Charset, Records};
    use super::*;

    fn converted(conversions: Conversions, blocks: &[&str]) -> Vec<u8> {
        let mut converter = Converter::new(conversions);
        let mut out = Vec::new();
        for block in blocks {
            out.extend_from_slice(converter.convert(&mut block.as_bytes().to_vec()));
        }
        out.extend_from_slice(converter.rest());
        out
    }

    #[test]
    fn swaps_across_blocks_and_keeps_the_odd_end() {
        let conversions = Conversions {
            swab: true,
            case: Some(Case::Upper),
            ..Conversions::default()
        };
        assert_eq!(converted(conversions, &["abc", "d", "e"]), b"BADCE");
    }

    #[test]
    fn records_are_filled_in_their_own_character_set() {
        let conversions = Conversions {
            charset: Some(Charset::Ebcdic),
            records: Some(Records::Block { length: 3 }),
            ..Conversions::default()
        };
        let made = converted(conversions, &["a\n", "b"]);
        assert_eq!(made, [0x81, 0x40, 0x40, 0x82, 0x40, 0x40]);
    }
}
