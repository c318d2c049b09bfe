//! Numbers and sizes as iozone takes them.

use etalon_units::Bytes;

/// A size: a number of kilobytes (1024 bytes), or with a suffix `k`, `m` or `g` of either case.
pub(crate) fn size(text: &str) -> Option<Bytes> {
    let (digits, unit) = match text.char_indices().next_back()? {
        (at, 'k' | 'K') => (&text[..at], 1 << 10),
        (at, 'm' | 'M') => (&text[..at], 1 << 20),
        (at, 'g' | 'G') => (&text[..at], 1 << 30),
        _ => (text, 1 << 10),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let bytes = digits.parse::<u64>().ok()?.checked_mul(unit)?;
    // Offsets of a file are signed (off_t).
    (bytes > 0 && i64::try_from(bytes).is_ok()).then_some(Bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kilobytes_unless_a_suffix_says_otherwise() {
        for (text, bytes) in [
            ("1048576", 1 << 30),
            ("32", 32_768),
            ("1024M", 1 << 30),
            ("16G", 16 << 30),
            ("1M", 1 << 20),
            ("64k", 65_536),
            ("2g", 2 << 30),
        ] {
            assert_eq!(size(text), Some(Bytes(bytes)), "{text}");
        }
        for text in [
            "",
            "k",
            "0",
            "abc",
            "-1",
            "1.5m",
            "1kk",
            "+4",
            "99999999999999999999",
            "9999999999g",
        ] {
            assert_eq!(size(text), None, "{text}");
        }
    }
}
