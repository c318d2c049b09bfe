//! Conversions of the bytes themselves: `conv=swab`, `lcase`, `ucase`.

use super::settings::{Case, Conversions};

/// Converts a stream block by block.
#[derive(Debug)]
pub(crate) struct Converter {
    swab: bool,
    case: Option<Case>,
    /// The first byte of a pair whose second has not come yet.
    odd: Option<u8>,
    swapped: Vec<u8>,
}

impl Converter {
    pub(crate) fn new(conversions: Conversions) -> Converter {
        Converter {
            swab: conversions.swab,
            case: conversions.case,
            odd: None,
            swapped: Vec::new(),
        }
    }

    /// What the output gets for one input block.
    pub(crate) fn convert<'a>(&'a mut self, data: &'a mut [u8]) -> &'a [u8] {
        match self.case {
            Some(Case::Lower) => data.make_ascii_lowercase(),
            Some(Case::Upper) => data.make_ascii_uppercase(),
            None => {}
        }
        if !self.swab {
            return data;
        }
        self.swapped.clear();
        for &byte in data.iter() {
            match self.odd.take() {
                Some(first) => self.swapped.extend([byte, first]),
                None => self.odd = Some(byte),
            }
        }
        &self.swapped
    }

    /// The byte without a partner at the end of the input.
    pub(crate) fn rest(&mut self) -> Option<u8> {
        self.odd.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_across_blocks_and_keeps_the_odd_end() {
        let mut converter = Converter::new(Conversions {
            swab: true,
            case: Some(Case::Upper),
            ..Conversions::default()
        });
        let mut out = Vec::new();
        for block in ["abc", "d", "e"] {
            out.extend_from_slice(converter.convert(&mut block.as_bytes().to_vec()));
        }
        out.extend(converter.rest());
        assert_eq!(out, b"BADCE");
    }
}
