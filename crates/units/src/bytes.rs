//! Sizes and offsets in bytes.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A size or an offset in bytes.
///
/// Parsing follows the habit of `fio`, `dd` and `iozone`: a bare letter is binary
/// (`4k` = `4K` = `4KiB` = 4096), a letter with `B` alone is decimal (`4kB` = 4000).
/// Printing always writes the unit out, so that MiB is never shown as MB.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

/// Why a text is not a size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{input}' is not a size: {reason}. Write a whole number with an optional suffix: \
     B, k/K/KiB, M/MiB, G/GiB, T/TiB, P/PiB (binary) or kB, MB, GB, TB, PB (decimal), for example 4k, 1M or 2GiB"
)]
pub struct ParseBytesError {
    input: String,
    reason: &'static str,
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const TIB: u64 = 1 << 40;
const PIB: u64 = 1 << 50;

impl Bytes {
    /// No bytes at all.
    pub const ZERO: Bytes = Bytes(0);

    /// `n` kibibytes (1024 bytes each).
    pub const fn kib(n: u64) -> Bytes {
        Bytes(n * KIB)
    }

    /// `n` mebibytes.
    pub const fn mib(n: u64) -> Bytes {
        Bytes(n * MIB)
    }

    /// `n` gibibytes.
    pub const fn gib(n: u64) -> Bytes {
        Bytes(n * GIB)
    }

    /// The plain number of bytes.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number as a float, for arithmetic with rates.
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// The largest multiple of `unit` that is not above this size; `unit` of zero changes nothing.
    pub fn round_down(self, unit: Bytes) -> Bytes {
        match self.0.checked_rem(unit.0) {
            Some(rest) => Bytes(self.0 - rest),
            None => self,
        }
    }
}

impl FromStr for Bytes {
    type Err = ParseBytesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |reason| ParseBytesError {
            input: text.to_owned(),
            reason,
        };
        let trimmed = text.trim();
        if trimmed.starts_with('-') {
            return Err(fail("it is negative"));
        }
        let digits_end = trimmed
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(trimmed.len());
        let (number, suffix) = trimmed.split_at(digits_end);
        if number.is_empty() {
            return Err(fail("it does not begin with a number"));
        }
        let unit = unit_of(suffix.trim()).ok_or_else(|| fail("its suffix is not known"))?;
        counted(number, unit).map_err(fail)
    }
}

/// A number of `unit`, which may have a decimal point; it is counted in whole numbers, since in binary floating point 8.3 GB
/// is a fraction of a byte more than that.
fn counted(number: &str, unit: u64) -> Result<Bytes, &'static str> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if decimals.contains('.') || !number.contains(|c: char| c.is_ascii_digit()) {
        return Err("its number cannot be read");
    }
    let decimals = decimals.trim_end_matches('0');
    let places = u32::try_from(decimals.len()).unwrap_or(u32::MAX);
    let scaled = of_unit(decimals, unit).zip(10_u128.checked_pow(places));
    let (part, scale) = scaled.ok_or("it has too many decimals")?;
    if part % scale != 0 {
        return Err("it is not a whole number of bytes");
    }
    let bytes = of_unit(whole, unit).and_then(|whole| whole.checked_add(part / scale));
    let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
    bytes.map(Bytes).ok_or("it is larger than 2^64 bytes")
}

/// What these digits count of `unit`, in bytes; no digits are zero.
fn of_unit(digits: &str, unit: u64) -> Option<u128> {
    let count = match digits {
        "" => 0,
        digits => digits.parse::<u128>().ok()?,
    };
    count.checked_mul(unit.into())
}

fn unit_of(suffix: &str) -> Option<u64> {
    Some(match suffix {
        "" | "B" | "b" => 1,
        "k" | "K" | "KiB" | "kiB" | "Ki" => KIB,
        "m" | "M" | "MiB" | "Mi" => MIB,
        "g" | "G" | "GiB" | "Gi" => GIB,
        "t" | "T" | "TiB" | "Ti" => TIB,
        "p" | "P" | "PiB" | "Pi" => PIB,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000,
        "PB" => 1_000_000_000_000_000,
        _ => return None,
    })
}

impl Bytes {
    /// As a whole number of the largest binary unit up to TiB that leaves no rest, so that two sizes that differ never read
    /// alike: 65536 is 64 KiB, 65537 is 65537 B, and zero is 0 B.
    pub fn in_whole_units(self) -> (u64, &'static str) {
        let units = [(TIB, "TiB"), (GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")];
        let fits = |(unit, _): &(u64, &str)| self.0 >= *unit && self.0.is_multiple_of(*unit);
        let (unit, name) = units.into_iter().find(fits).unwrap_or((1, "B"));
        (self.0 / unit, name)
    }
}

impl Bytes {
    /// As it prints where that says all of it (`1.5 MiB`), else in whole units: a name made of it is of no other size.
    pub fn exact(self) -> String {
        let printed = self.to_string();
        if printed.parse() == Ok(self) {
            return printed;
        }
        let (number, unit) = self.in_whole_units();
        format!("{number} {unit}")
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            n if n >= PIB => (PIB, "PiB"),
            n if n >= TIB => (TIB, "TiB"),
            n if n >= GIB => (GIB, "GiB"),
            n if n >= MIB => (MIB, "MiB"),
            n if n >= KIB => (KIB, "KiB"),
            n => return write!(f, "{n} B"),
        };
        if self.0.is_multiple_of(unit) {
            write!(f, "{} {name}", self.0 / unit)
        } else {
            write!(f, "{:.1} {name}", self.0 as f64 / unit as f64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_units_leave_no_rest() {
        for (bytes, whole) in [
            (0, (0, "B")),
            (65_536, (64, "KiB")),
            (65_537, (65_537, "B")),
            (3 * MIB, (3, "MiB")),
            (1536 * MIB, (1536, "MiB")),
            (2048 * TIB, (2048, "TiB")),
        ] {
            assert_eq!(Bytes(bytes).in_whole_units(), whole);
        }
    }

    #[test]
    fn what_is_exact_reads_as_it_prints_where_that_says_all() {
        for (kib, text) in [(1028, "1028 KiB"), (1536, "1.5 MiB"), (1024, "1 MiB")] {
            assert_eq!(Bytes::kib(kib).exact(), text);
        }
        assert_eq!(Bytes(4100).exact(), "4100 B");
    }

    proptest! {
        #[test]
        fn no_two_sizes_are_exactly_alike(bytes: u64) {
            prop_assert_eq!(Bytes(bytes).exact().parse(), Ok(Bytes(bytes)));
        }
    }

    #[test]
    fn reads_binary_and_decimal_suffixes() {
        for (text, bytes) in [
            ("0", 0),
            ("512", 512),
            ("512B", 512),
            ("4k", 4096),
            ("4K", 4096),
            ("4KiB", 4096),
            ("4kB", 4000),
            ("1.5M", 1_572_864),
            ("1MB", 1_000_000),
            ("8.3GB", 8_300_000_000),
            ("2.01MB", 2_010_000),
            ("16.1kB", 16_100),
            ("4.35TB", 4_350_000_000_000),
            ("8191.9999999999999990PB", 8_191_999_999_999_999_999),
            (".5k", 512),
            ("1.", 1),
            (" 2 GiB ", 2 << 30),
            ("1T", 1 << 40),
        ] {
            assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
        }
    }

    #[test]
    fn refuses_and_quotes_what_is_not_a_size() {
        for text in [
            "",
            "-1",
            "k",
            "4x",
            "1.0000001k",
            "99999999999P",
            "1e9",
            "..1k",
            ".",
            "1.5.0k",
            // Above 2^53 a float holds no half byte.
            "9007199254740993.5",
            "18446744073709551616.0",
            "1.0000000000000000000000000000000000000000000000001k",
        ] {
            let error = text.parse::<Bytes>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("'{text}' is not a size")),
                "{error}"
            );
        }
    }

    #[test]
    fn prints_the_unit_in_full() {
        assert_eq!(Bytes(0).to_string(), "0 B");
        assert_eq!(Bytes(4096).to_string(), "4 KiB");
        assert_eq!(Bytes(1_572_864).to_string(), "1.5 MiB");
        assert_eq!(Bytes::gib(16).to_string(), "16 GiB");
    }

    proptest! {
        #[test]
        fn never_panics(text in ".*") {
            let _ = text.parse::<Bytes>();
        }

        #[test]
        fn decimals_of_a_decimal_unit_are_exact(whole in 0_u64..1000, tail in 0_u64..1_000_000, unit in 2_u32..6) {
            let suffix = ["kB", "MB", "GB", "TB", "PB"][unit as usize - 1];
            let text = format!("{whole}.{tail:06}{suffix}");
            let scale = 10_u64.pow(3 * unit);
            prop_assert_eq!(text.parse(), Ok(Bytes(whole * scale + tail * (scale / 1_000_000))));
        }

        #[test]
        fn plain_numbers_round_trip(n: u64) {
            prop_assert_eq!(n.to_string().parse(), Ok(Bytes(n)));
        }
    }
}
