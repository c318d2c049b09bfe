//! What a unit is worth.

use etalon_language::figure;

use crate::number::Number;

/// Sizes by their letters; French writes octets.
const SIZES: [(&str, f64); 22] = [
    ("bytes", 1.0),
    ("byte", 1.0),
    ("octets", 1.0),
    ("kb", 1e3),
    ("ko", 1e3),
    ("k", 1024.0),
    ("kib", 1024.0),
    ("kio", 1024.0),
    ("m", 1_048_576.0),
    ("mb", 1e6),
    ("mo", 1e6),
    ("mib", 1_048_576.0),
    ("mio", 1_048_576.0),
    ("g", 1_073_741_824.0),
    ("gb", 1e9),
    ("go", 1e9),
    ("gib", 1_073_741_824.0),
    ("gio", 1_073_741_824.0),
    ("tb", 1e12),
    ("to", 1e12),
    ("tib", 1_099_511_627_776.0),
    ("b", 1.0),
];

/// Bytes that a unit of size stands for.
pub(crate) fn size_unit(unit: &str) -> Option<f64> {
    let unit = unit.to_lowercase();
    SIZES
        .iter()
        .find(|(name, _)| *name == unit)
        .map(|(_, bytes)| *bytes)
}

/// Bytes a second that a unit of rate stands for: `MB/s`, `Mo/seconde`, `KB/sec`.
pub(crate) fn rate_unit(unit: &str) -> Option<f64> {
    let unit = unit.to_lowercase();
    let (size, time) = unit.split_once('/')?;
    let second = matches!(time, "s" | "sec" | "seconde" | "secondes" | "second");
    second.then(|| size_unit(size))?
}

/// The rate that a number with its unit is, in bytes a second.
pub(crate) fn rate(number: &Number) -> Option<f64> {
    rate_unit(&number.unit).map(|unit| number.value * unit)
}

/// The size that a number with its unit is, in bytes.
pub(crate) fn size(number: &Number) -> Option<f64> {
    size_unit(&number.unit).map(|unit| number.value * unit)
}

/// A size as a tool's option takes it: `32K`, `4096`, `1M`; `unit` is what a bare number counts.
pub(crate) fn option_size(text: &str, unit: f64) -> Option<f64> {
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let value: f64 = digits.parse().ok()?;
    match text[digits.len()..].to_lowercase().as_str() {
        "" => Some(value * unit),
        letters => size_unit(letters).map(|unit| value * unit),
    }
}

/// A size in words.
pub(crate) fn bytes_in_words(bytes: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let found = units.iter().find(|(unit, _)| bytes >= *unit);
    found.map_or(figure(format!("{bytes:.0} B")), |(unit, name)| {
        format!("{} {name}", short(bytes / unit))
    })
}

/// Three digits, as the language that is spoken writes them.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    figure(match size {
        _ if size >= 100.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    })
}

/// Arithmetic mean; zero of nothing.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Largest minus smallest over the mean.
pub(crate) fn span_share(values: &[f64]) -> f64 {
    let (low, high) = ends(values);
    (high - low) / mean(values).abs().max(f64::MIN_POSITIVE)
}

/// The smallest and the largest.
pub(crate) fn ends(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(*v), high.max(*v))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_both_languages_are_known() {
        assert_eq!(rate_unit("Mo/seconde"), Some(1e6));
        assert_eq!(rate_unit("KB/sec"), Some(1e3));
        assert_eq!((rate_unit("m/h"), rate_unit("MB")), (None, None));
        assert_eq!(option_size("32K", 1.0), Some(32768.0));
        assert_eq!(option_size("1048576", 1024.0), Some(1073741824.0));
        assert_eq!(option_size("x", 1.0), None);
    }
}
