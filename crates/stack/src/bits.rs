//! Numbers and names inside structures read from a disk; out of range gives nothing.

use etalon_units::Bytes;

/// A structure read from a disk, with its byte order.
pub(crate) struct Block<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) big_endian: bool,
}

impl Block<'_> {
    /// An unsigned number of `width` bytes (at most 8) at `offset`.
    pub(crate) fn number(&self, offset: usize, width: usize) -> Option<u64> {
        let bytes = self.bytes.get(offset..offset.checked_add(width)?)?;
        let fold = |value: u64, byte: &u8| (value << 8) | u64::from(*byte);
        Some(match self.big_endian {
            true => bytes.iter().fold(0, fold),
            false => bytes.iter().rev().fold(0, fold),
        })
    }

    pub(crate) fn u16(&self, offset: usize) -> Option<u64> {
        self.number(offset, 2)
    }

    pub(crate) fn u32(&self, offset: usize) -> Option<u32> {
        self.number(offset, 4).and_then(|n| u32::try_from(n).ok())
    }

    pub(crate) fn u64(&self, offset: usize) -> Option<u64> {
        self.number(offset, 8)
    }

    /// Text that ends at its first zero byte; none when empty.
    pub(crate) fn text(&self, offset: usize, width: usize) -> Option<String> {
        let bytes = self.bytes.get(offset..offset.checked_add(width)?)?;
        let bytes = bytes.split(|b| *b == 0).next().unwrap_or_default();
        let text = crate::text::clean(&String::from_utf8_lossy(bytes));
        (!text.is_empty()).then_some(text)
    }

    /// A UUID in its usual form.
    pub(crate) fn uuid(&self, offset: usize) -> Option<String> {
        let bytes = self.bytes.get(offset..offset.checked_add(16)?)?;
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let parts = [
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..],
        ];
        Some(parts.join("-"))
    }
}

/// The names of the bits that are set in `flags`; unknown ones are given by their number.
pub(crate) fn names(flags: u32, table: &[(u32, &str)], unknown: &str) -> Vec<String> {
    let known: u32 = table.iter().fold(0, |all, (bit, _)| all | bit);
    let named = table.iter().filter(|(bit, _)| flags & bit != 0);
    let mut found: Vec<String> = named.map(|(_, name)| (*name).to_owned()).collect();
    if flags & !known != 0 {
        found.push(format!("{unknown}:{:#x}", flags & !known));
    }
    found
}

/// `count` times `unit`, unless that does not fit.
pub(crate) fn product(count: u64, unit: Option<Bytes>) -> Option<Bytes> {
    count.checked_mul(unit?.get()).map(Bytes)
}
