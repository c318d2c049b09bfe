//! The packed counts of a stored histogram, one after another.

/// Bytes before the counts: cookie, length, offset, digits, lowest, highest, ratio.
pub(super) const HEADER: usize = 40;

/// Where a walk over the counts can begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// Observations in the places before.
    pub(super) passed: u64,
    /// The byte of the next number, from the encoding's begin.
    byte: u32,
    /// The place that number speaks of.
    index: u32,
}

/// The counts above zero with their places, from packed numbers: a count, or a number of zeros below zero.
pub(super) struct Counts<'a> {
    rest: &'a [u8],
    index: usize,
}

/// The bytes are no counts.
pub(super) struct Broken;

impl Counts<'_> {
    pub(super) fn of(bytes: &[u8]) -> Counts<'_> {
        Counts {
            rest: bytes.get(HEADER..).unwrap_or_default(),
            index: 0,
        }
    }

    /// The counts from a mark on.
    pub(super) fn from(bytes: &[u8], mark: Mark) -> Counts<'_> {
        Counts {
            rest: bytes.get(mark.byte as usize..).unwrap_or_default(),
            index: mark.index as usize,
        }
    }

    /// Where the walk over `bytes` stands, `passed` observations on.
    pub(super) fn mark(&self, bytes: &[u8], passed: u64) -> Option<Mark> {
        Some(Mark {
            passed,
            byte: u32::try_from(bytes.len() - self.rest.len()).ok()?,
            index: u32::try_from(self.index).ok()?,
        })
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next number and the place it speaks of; `None` where it is broken.
    #[inline]
    pub(super) fn advance(&mut self) -> Option<(usize, i64)> {
        let number = self.number()?;
        let place = self.index;
        // No branch hangs on the sign, which a processor cannot foretell.
        let step = if number < 0 { number.wrapping_neg() } else { 1 };
        let (next, is_over) = place.overflowing_add(step as usize);
        self.index = next;
        (!is_over).then_some((place, number))
    }

    /// The next number: seven bits a byte, the lowest first, of the ninth byte all eight; the sign in the lowest bit.
    #[inline]
    fn number(&mut self) -> Option<i64> {
        // Nearly all are one byte.
        match self.rest {
            [byte @ ..0x80, rest @ ..] => {
                self.rest = rest;
                Some(signed(u64::from(*byte)))
            }
            _ => self.long_number(),
        }
    }

    #[cold]
    fn long_number(&mut self) -> Option<i64> {
        let mut packed = 0u64;
        for at in 0..9 {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            let bits = if at == 8 { *byte } else { byte & 0x7f };
            packed |= u64::from(bits) << (7 * at);
            if at == 8 || byte & 0x80 == 0 {
                break;
            }
        }
        Some(signed(packed))
    }
}

/// The sign stands in the lowest bit.
#[inline(always)]
fn signed(packed: u64) -> i64 {
    (packed >> 1) as i64 ^ -((packed & 1) as i64)
}

impl Iterator for Counts<'_> {
    type Item = Result<(usize, u64), Broken>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_at_end() {
            match self.advance() {
                None => return Some(Err(Broken)),
                Some((place, number @ 1..)) => return Some(Ok((place, number.unsigned_abs()))),
                Some(_) => {}
            }
        }
        None
    }
}
