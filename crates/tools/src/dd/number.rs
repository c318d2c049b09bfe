//! Numbers as `dd` takes them: digits, a multiplier and products joined by `x`.

use super::operand_error::NumberError;

/// A number given to `skip=`, `seek=`, `count=` or a block size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) value: u64,
    /// The text holds a `B`: bytes are meant, not blocks.
    pub(crate) in_bytes: bool,
    /// A factor reads `0x`, which looks like a hexadecimal prefix but multiplies by zero.
    pub(crate) zero_prefix: bool,
}

/// Reads `text`: `[blanks][+]DIGITS[SUFFIX][B]`, and several of these joined by `x` are multiplied.
///
/// Suffixes are those of dd(1): `c`=1, `w`=2, `b`=512, and `k K M G T P E Z Y` as powers of 1024,
/// or of 1000 when followed by `B` (not `iB`).
pub(crate) fn parse(text: &str) -> Result<Number, NumberError> {
    let mut product: Option<u64> = Some(1);
    let mut zero_prefix = false;
    let mut zero = false;
    let factors = text.split('x').count();
    for (place, factor) in text.split('x').enumerate() {
        let value = factor_of(factor)?;
        zero |= value == Some(0);
        zero_prefix |= factor == "0" && place + 1 < factors;
        product = match (product, value) {
            (Some(a), Some(b)) => a.checked_mul(b),
            _ => None,
        };
    }
    let value = if zero { Some(0) } else { product };
    Ok(Number {
        value: value.ok_or(NumberError::TooLarge)?,
        in_bytes: text.contains('B'),
        zero_prefix,
    })
}

/// One factor; `None` where it exceeds 64 bits.
fn factor_of(text: &str) -> Result<Option<u64>, NumberError> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let text = text.strip_prefix('+').unwrap_or(text);
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    // A suffix alone stands for one of it: `xM` in dd(1).
    let number = match digits {
        "" if suffix.is_empty() || suffix == "B" => return Err(NumberError::Malformed),
        "" => Some(1),
        _ => digits.parse::<u64>().ok(),
    };
    let unit = unit_of(suffix).ok_or(NumberError::Malformed)?;
    Ok(match (number, unit) {
        (Some(0), _) => Some(0),
        (Some(n), Some(unit)) => n.checked_mul(unit),
        _ => None,
    })
}

/// What a suffix multiplies by; the inner `None` is a unit beyond 64 bits.
fn unit_of(suffix: &str) -> Option<Option<u64>> {
    let mut letters = suffix.chars();
    let Some(first) = letters.next() else {
        return Some(Some(1));
    };
    let rest = letters.as_str();
    let power: u32 = match first {
        'B' => return rest.is_empty().then_some(Some(1)),
        'c' | 'w' | 'b' => {
            let unit = match first {
                'c' => 1,
                'w' => 2,
                _ => 512,
            };
            return matches!(rest, "" | "B").then_some(Some(unit));
        }
        'k' | 'K' => 1,
        'M' => 2,
        'G' => 3,
        'T' => 4,
        'P' => 5,
        'E' => 6,
        'Z' => 7,
        'Y' => 8,
        _ => return None,
    };
    let base: u64 = match rest {
        "" | "iB" => 1024,
        "B" => 1000,
        _ => return None,
    };
    Some(base.checked_pow(power))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str) -> Result<u64, NumberError> {
        parse(text).map(|number| number.value)
    }

    #[test]
    fn reads_what_dd_reads() {
        for (text, bytes) in [
            ("0", 0),
            ("512", 512),
            ("010", 10),
            (" 3", 3),
            ("+3", 3),
            ("2c", 2),
            ("2w", 4),
            ("2b", 1024),
            ("4k", 4096),
            ("4K", 4096),
            ("4KiB", 4096),
            ("4kB", 4000),
            ("5KB", 5000),
            ("32K", 32768),
            ("1E", 1 << 60),
            ("1x2k", 2048),
            ("1xM", 1 << 20),
            ("2x80x18b", 2 * 80 * 18 * 512),
            ("0x3", 0),
            ("3cB", 3),
        ] {
            assert_eq!(value(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn tells_a_malformed_number_from_one_too_large() {
        for text in [
            "", "x", "1x", "x1", "-1", "1.5k", "1Ki", "3KiBB", "3BB", "3m", "2kZ", "B",
        ] {
            assert_eq!(value(text), Err(NumberError::Malformed), "{text}");
        }
        for text in ["99999999999999999999999", "16E", "3Z", "3Y"] {
            assert_eq!(value(text), Err(NumberError::TooLarge), "{text}");
        }
    }

    #[test]
    fn a_b_anywhere_counts_bytes_and_0x_is_suspicious() {
        assert!(parse("1kB").unwrap().in_bytes);
        assert!(parse("1KiB").unwrap().in_bytes);
        assert!(!parse("1k").unwrap().in_bytes);
        assert!(parse("0x10").unwrap().zero_prefix);
        assert!(!parse("00x10").unwrap().zero_prefix);
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = parse(&text);
        }

        #[test]
        fn plain_numbers_are_themselves(n: u64) {
            prop_assert_eq!(value(&n.to_string()), Ok(n));
        }
    }
}
