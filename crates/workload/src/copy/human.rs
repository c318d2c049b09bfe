//! Sizes, rates and seconds as GNU dd writes them in the C locale.

const DECIMAL: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const BINARY: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// `bytes` with a decimal unit: `1.3 GB`; plain below 1000.
pub fn decimal(bytes: u64) -> String {
    scaled(u128::from(bytes), 1000, &DECIMAL)
}

/// `bytes` with a binary unit: `1.2 GiB`; plain below 1024.
pub fn binary(bytes: u64) -> String {
    scaled(u128::from(bytes), 1024, &BINARY)
}

/// Bytes per second: `265 MB/s`; GNU dd starts at kB and says `Infinity B/s` for no time.
pub fn rate(bytes: u64, nanos: u64) -> String {
    if nanos == 0 {
        return "Infinity B/s".to_owned();
    }
    // Rates are floating point in dd, which shows them differently from sizes: one decimal below
    // 100, and 1000 MB/s instead of 1.0 GB/s where rounding gets there.
    let mut value = bytes as f64 / (nanos as f64 / 1e9) / 1000.0;
    let mut place = 1;
    while place + 1 < DECIMAL.len() && value >= 1000.0 {
        value /= 1000.0;
        place += 1;
    }
    let decimals = if value < 99.95 { 1 } else { 0 };
    format!("{value:.decimals$} {}/s", DECIMAL[place])
}

/// `bytes` with one decimal below 10 and none above, halves to even, in the largest unit of which
/// there is at least one.
fn scaled(bytes: u128, base: u128, units: &[&str; 7]) -> String {
    let mut unit = 1;
    let mut place = 0;
    while place + 1 < units.len() && bytes >= unit * base {
        unit *= base;
        place += 1;
    }
    let tenths = rounded(bytes * 10, unit);
    if place > 0 && tenths < 100 {
        return format!("{}.{} {}", tenths / 10, tenths % 10, units[place]);
    }
    let whole = rounded(bytes, unit);
    if whole >= base && place + 1 < units.len() {
        return format!("1.0 {}", units[place + 1]);
    }
    format!("{whole} {}", units[place])
}

/// numerator/denominator to the nearest integer, halves to even.
fn rounded(numerator: u128, denominator: u128) -> u128 {
    let (whole, rest) = (numerator / denominator, numerator % denominator);
    let up = match (rest * 2).cmp(&denominator) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => whole % 2 == 1,
    };
    whole + u128::from(up)
}

/// Seconds as C's `%g`: six significant digits, no trailing zeros, `3.66e-05` below 0.0001.
pub fn seconds(nanos: u64) -> String {
    if nanos == 0 {
        return "0".to_owned();
    }
    let value = nanos as f64 / 1e9;
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let decimals = usize::try_from(5 - exponent).unwrap_or(0);
        return trimmed(&format!("{value:.decimals$}"));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

fn trimmed(number: &str) -> String {
    match number.contains('.') {
        true => number
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_that_gnu_dd_prints() {
        for (bytes, si, iec) in [
            (999, "999 B", "999 B"),
            (1000, "1.0 kB", "1000 B"),
            (1024, "1.0 kB", "1.0 KiB"),
            (9949, "9.9 kB", "9.7 KiB"),
            (9950, "10 kB", "9.7 KiB"),
            (99_499, "99 kB", "97 KiB"),
            (99_500, "100 kB", "97 KiB"),
            (999_499, "999 kB", "976 KiB"),
            (999_500, "1.0 MB", "976 KiB"),
            (1_048_575, "1.0 MB", "1.0 MiB"),
            (1_342_177_280, "1.3 GB", "1.2 GiB"),
            (13_421_772_800, "13 GB", "12 GiB"),
            (50_331_648_000, "50 GB", "47 GiB"),
            (u64::MAX, "18 EB", "16 EiB"),
        ] {
            assert_eq!(decimal(bytes), si, "{bytes}");
            assert_eq!(binary(bytes), iec, "{bytes}");
        }
    }

    #[test]
    fn rates_are_those_that_gnu_dd_prints() {
        for (bytes, nanos, text) in [
            (1_342_177_280, 5_071_590_000, "265 MB/s"),
            (0, 36_618, "0.0 kB/s"),
            (6, 403_896_000, "0.0 kB/s"),
            (999, 27_291, "36.6 MB/s"),
            (23_893, 39_512, "605 MB/s"),
            (9_999_999_999, 835_546_000, "12.0 GB/s"),
            (50_331_648_000, 508_961_000_000, "98.9 MB/s"),
            (50_331_648_000, 939_719_000_000, "53.6 MB/s"),
            (5, 0, "Infinity B/s"),
        ] {
            assert_eq!(rate(bytes, nanos), text);
        }
    }

    #[test]
    fn seconds_have_six_significant_digits() {
        for (nanos, text) in [
            (0, "0"),
            (36_618, "3.6618e-05"),
            (6_482, "6.482e-06"),
            (100_000, "0.0001"),
            (2_854_000_000, "2.854"),
            (5_071_590_000, "5.07159"),
            (1_000_000_000, "1"),
            (939_719_000_000, "939.719"),
            (99_999_960_000, "100"),
            (123_456_789_000_000, "123457"),
            (1_234_567_890_000_000, "1.23457e+06"),
            (1, "1e-09"),
        ] {
            assert_eq!(seconds(nanos), text);
        }
    }
}
