//! Numbers as people write them.

/// What stands before the decimals of a page's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimal {
    /// `50.2`
    Point,
    /// `50,2`
    Comma,
}

/// A number of a line, with what follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its value.
    pub value: f64,
    /// As it is written.
    pub text: String,
    /// Digits after the decimal sign.
    pub decimals: usize,
    /// Where it starts in the line, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The letters and signs directly after it, a space between left out: its unit, if it has one.
    pub unit: String,
}

/// What a text's numbers are written with: whichever sign more often stands before one or two last digits.
pub(crate) fn decimal_of(lines: &[String]) -> Decimal {
    let count = |sign: char| -> usize { lines.iter().map(|line| short_decimals(line, sign)).sum() };
    if count(',') > count('.') {
        Decimal::Comma
    } else {
        Decimal::Point
    }
}

/// How many numbers of a line end in `sign` and one or two digits.
fn short_decimals(line: &str, sign: char) -> usize {
    let bytes = line.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    line.match_indices(sign)
        .filter(|(at, _)| *at > 0 && digit(at - 1) && digit(at + 1))
        .filter(|(at, _)| {
            let digits = (at + 1..bytes.len())
                .take_while(|next| digit(*next))
                .count();
            let next = bytes.get(at + 1 + digits);
            digits < 3 && !next.is_some_and(|b| *b == b'.' || *b == b',' || *b == b'-')
        })
        .filter(|(at, _)| !version_before(bytes, *at))
        .count()
}

/// Whether the digits before a sign belong to a version such as `2.6.33`.
fn version_before(bytes: &[u8], at: usize) -> bool {
    let digits = bytes[..at]
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit())
        .count();
    at > digits && matches!(bytes[at - digits - 1], b'.' | b',' | b'-')
}

/// The numbers of a line. Parts of words, versions, dates, times and addresses are none.
pub(crate) fn numbers(line: &str, decimal: Decimal) -> Vec<Number> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = run_end(bytes, at);
        let bound = at > 0 && is_wordy(bytes[at - 1]);
        if let Some(number) = (!bound).then(|| one(line, at, end, decimal)).flatten() {
            at = number.end;
            found.push(number);
        } else {
            at = end;
        }
    }
    found
}

/// Whether digits after this byte are a part of a word, a path, a version or a time.
fn is_wordy(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b':' | b'.') || byte >= 0x80
}

fn run_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < bytes.len() {
        let joins =
            matches!(bytes[end], b'.' | b',') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if !(bytes[end].is_ascii_digit() || joins) {
            break;
        }
        end += 1;
    }
    end
}

fn one(line: &str, start: usize, end: usize, decimal: Decimal) -> Option<Number> {
    let (end, text) = with_spaced_thousands(line, start, end);
    let (value, decimals) = value(&text, decimal)?;
    let (power, length) = exponent(&line[end..]);
    let value = format!("{value}e{power}").parse().unwrap_or(value);
    let end = end + length;
    let rest = &line[end..];
    if rest.starts_with(':') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some(Number {
        value: if minus_before(line, start) {
            -value
        } else {
            value
        },
        text,
        decimals,
        start,
        end,
        unit: unit(rest),
    })
}

/// The power of ten that follows a number as C prints it, `e-05`, and how long it is.
fn exponent(rest: &str) -> (i32, usize) {
    let signed = rest.strip_prefix('e');
    let signed = signed.filter(|power| power.starts_with(['-', '+']));
    let digits = signed.map_or("", |power| &power[1..]);
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let power = (2..=3)
        .contains(&end)
        .then(|| rest.get(1..end + 2)?.parse().ok());
    power.flatten().map_or((0, 0), |power| (power, end + 2))
}

/// A minus that is a sign and no hyphen.
fn minus_before(line: &str, start: usize) -> bool {
    let before = &line[..start];
    before.ends_with('-')
        && (before.len() == 1 || before[..before.len() - 1].ends_with([' ', '|', '(']))
}

/// `160 041 885 696 octets` is one number, `16 512` of a table are two.
fn with_spaced_thousands(line: &str, start: usize, end: usize) -> (usize, String) {
    let first = &line[start..end];
    if first.len() > 3 || first.contains(['.', ',']) {
        return (end, first.to_owned());
    }
    let mut reach = end;
    while let Some(group) = line[reach..]
        .strip_prefix(' ')
        .and_then(|rest| rest.get(..3))
    {
        let next = line.as_bytes().get(reach + 4);
        if !group.bytes().all(|b| b.is_ascii_digit()) || next.is_some_and(u8::is_ascii_digit) {
            break;
        }
        reach += 4;
    }
    let counted = ["bytes", "octets", "byte", "octet", "fichiers", "files"];
    if reach > end && counted.contains(&unit(&line[reach..]).to_lowercase().as_str()) {
        return (reach, line[start..reach].replace(' ', ""));
    }
    (end, first.to_owned())
}

/// The value, and how many decimals it has; none for versions such as `2.6.33`.
fn value(text: &str, decimal: Decimal) -> Option<(f64, usize)> {
    let signs: Vec<char> = text.chars().filter(|c| matches!(c, '.' | ',')).collect();
    let (thousands, point) = match (signs.as_slice(), decimal) {
        ([], _) => (None, None),
        ([sign], style) if is_decimal(text, *sign, style) => (None, Some(*sign)),
        ([sign], _) => (Some(*sign), None),
        ([first, .., last], _) if first != last => (Some(*first), Some(*last)),
        ([sign, ..], _) if groups_of_three(text, *sign) => (Some(*sign), None),
        _ => return None,
    };
    let digits: String = text.chars().filter(|c| Some(*c) != thousands).collect();
    let decimals = point
        .and_then(|p| digits.rfind(p))
        .map_or(0, |at| digits.len() - at - 1);
    let plain = point.map_or(digits.clone(), |p| digits.replace(p, "."));
    Some((plain.parse().ok()?, decimals))
}

fn is_decimal(text: &str, sign: char, style: Decimal) -> bool {
    let after = text.len() - text.find(sign).unwrap_or(0) - 1;
    let own = matches!((sign, style), (',', Decimal::Comma) | ('.', Decimal::Point));
    own || after != 3 || text.starts_with('0')
}

fn groups_of_three(text: &str, sign: char) -> bool {
    let mut parts = text.split(sign);
    parts.next().is_some_and(|first| first.len() <= 3) && parts.all(|part| part.len() == 3)
}

/// The letters after a number: `MB/s` of ` MB/s, 3`.
fn unit(rest: &str) -> String {
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    rest.chars()
        .take_while(|c| c.is_alphabetic() || matches!(c, '/' | '%' | 'µ'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(line: &str, decimal: Decimal) -> Vec<f64> {
        numbers(line, decimal).iter().map(|n| n.value).collect()
    }

    #[test]
    fn commas_and_points_are_read_as_the_page_writes_them() {
        assert_eq!(
            values(
                "50331648000 bytes (50 GB) copied, 1001,96 s, 50,2 MB/s",
                Decimal::Comma
            ),
            [50331648000.0, 50.0, 1001.96, 50.2]
        );
        assert_eq!(values("in 5,202 s", Decimal::Comma), [5.202]);
        assert_eq!(
            values("1,234,567 bytes 1,234.5 and 2,495", Decimal::Point),
            [1234567.0, 1234.5, 2495.0]
        );
        assert_eq!(
            values("160 041 885 696 bytes", Decimal::Point),
            [160041885696.0]
        );
        assert_eq!(
            values("16384 16 512 3", Decimal::Point),
            [16384.0, 16.0, 512.0, 3.0]
        );
        assert_eq!(values("-16,50% | +25,72%", Decimal::Comma), [-16.5, 25.72]);
    }

    #[test]
    fn powers_of_ten_belong_to_their_number() {
        let seconds = numbers("copied, 8.2875e-05 s, 6.2 MB/s", Decimal::Point);
        assert_eq!((seconds[0].value, &*seconds[0].unit), (8.2875e-05, "s"));
        assert_eq!(seconds.len(), 2);
        assert_eq!(values("9,1e-05 s", Decimal::Comma), [9.1e-05]);
        assert_eq!(values("1.5e+06 bytes", Decimal::Point), [1.5e6]);
        // What only looks like one.
        assert_eq!(
            values("12e-5 3e+ 4e", Decimal::Point),
            [12.0, 5.0, 3.0, 4.0]
        );
    }

    #[test]
    fn versions_times_names_and_addresses_are_no_numbers() {
        assert_eq!(
            values(
                "kernel 2.6.33-rc5 at 12:30:11 on sda1, 192.168.3.101 ext4",
                Decimal::Point
            ),
            Vec::<f64>::new()
        );
    }

    #[test]
    fn units_follow() {
        let units: Vec<String> = numbers("4 MB/s, 66Mo/seconde and 3 %", Decimal::Point)
            .into_iter()
            .map(|n| n.unit)
            .collect();
        assert_eq!(units, ["MB/s", "Mo/seconde", "%"]);
    }

    #[test]
    fn the_sign_is_told_by_the_page() {
        let lines = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            decimal_of(&lines(&["50,2 MB/s 2.6.33 and 2.6.31"])),
            Decimal::Comma
        );
        assert_eq!(decimal_of(&lines(&["1,234 of 5.5"])), Decimal::Point);
    }
}
