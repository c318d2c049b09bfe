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
        if let Ok(whole) = number.parse::<u64>() {
            return whole
                .checked_mul(unit)
                .map(Bytes)
                .ok_or_else(|| fail("it is larger than 2^64 bytes"));
        }
        let value: f64 = number
            .parse()
            .map_err(|_| fail("its number cannot be read"))?;
        let bytes = value * unit as f64;
        if bytes >= u64::MAX as f64 {
            return Err(fail("it is larger than 2^64 bytes"));
        }
        if bytes.fract() != 0.0 {
            return Err(fail("it is not a whole number of bytes"));
        }
        Ok(Bytes(bytes as u64))
    }
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
        fn plain_numbers_round_trip(n: u64) {
            prop_assert_eq!(n.to_string().parse(), Ok(Bytes(n)));
        }
    }
}
