//! Figures as a language writes them.

use std::fmt::Display;

use etalon_units::Figure;

use crate::Language;

/// Between groups of three digits, in French and in Dutch technical texts.
const GROUP: char = '\u{202f}';
/// Numbers of four digits are not grouped (SI brochure, 9th edition, 5.4.4).
const GROUPED: usize = 5;

/// A figure that was printed in English, as the language that is spoken writes it: `13,2 k IOPS`.
pub fn figure(shown: impl Display) -> String {
    let english = shown.to_string();
    match Language::spoken() {
        Language::English => english,
        Language::French | Language::Dutch => with_comma(&english),
    }
}

/// The same of a figure whose unit is kept by itself.
pub fn localized(english: Figure) -> Figure {
    Figure {
        number: figure(&english.number),
        ..english
    }
}

fn with_comma(english: &str) -> String {
    let mut text = String::with_capacity(english.len() + 2);
    let (mut rest, mut is_fraction) = (english, false);
    while let Some(next) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            let is_mark = next == '.' && text.ends_with(|c: char| c.is_ascii_digit());
            rest = &rest[next.len_utf8()..];
            is_fraction = is_mark && rest.starts_with(|c: char| c.is_ascii_digit());
            text.push(if is_fraction { ',' } else { next });
            continue;
        }
        let number;
        (number, rest) = rest.split_at(digits);
        push_grouped(&mut text, number, is_fraction);
        is_fraction = false;
    }
    text
}

fn push_grouped(text: &mut String, digits: &str, is_fraction: bool) {
    for (at, digit) in digits.chars().enumerate() {
        let left = digits.len() - at;
        let is_edge = at > 0 && left.is_multiple_of(3);
        if is_edge && digits.len() >= GROUPED && !is_fraction {
            text.push(GROUP);
        }
        text.push(digit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_a_comma_and_long_numbers_are_grouped() {
        let said = |english: &str| Language::French.speak(|| figure(english));
        assert_eq!(said("13.2 k IOPS"), "13,2 k IOPS");
        assert_eq!(said("12.9 … 13.5 k IOPS"), "12,9 … 13,5 k IOPS");
        assert_eq!(said("1086 MiB/s"), "1086 MiB/s");
        assert_eq!(said("1234567 runs."), "1\u{202f}234\u{202f}567 runs.");
        assert_eq!(said("0.123456"), "0,123456");
        assert_eq!(said("± 2.5 %"), "± 2,5 %");
        assert_eq!(figure("1234567.5"), "1234567.5");
    }
}
