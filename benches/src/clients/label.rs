//! Figures behind labels, as the programs print them.

/// The first word behind the first `label` of a text, as a number without its unit.
pub fn after(text: &str, label: &str) -> Option<f64> {
    number(word(text, label)?)
}

/// The same of a time, in microseconds by the unit at its end: `635.91us`, `1.05ms` or `2s`.
pub fn micros_of(text: &str, label: &str) -> Option<f64> {
    let word = word(text, label)?;
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let factor = match unit {
        "us" => 1.0,
        "ms" => 1e3,
        "s" => 1e6,
        _ => return None,
    };
    Some(number(word)? * factor)
}

fn word<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(label)?;
    rest.split_whitespace().next()
}

fn number(word: &str) -> Option<f64> {
    let end = word.find(|c: char| !c.is_ascii_digit() && c != '.');
    word[..end.unwrap_or(word.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_read_behind_their_labels() {
        let text =
            "  Latency   635.91us    0.89ms\nRequests/sec: 748868.53\ntps = 86.43 (without)\n";
        assert_eq!(micros_of(text, "Latency"), Some(635.91));
        assert_eq!(after(text, "Requests/sec:"), Some(748_868.53));
        assert_eq!(after(text, "tps = "), Some(86.43));
        assert_eq!(micros_of("avg 1.05ms", "avg"), Some(1050.0));
        assert_eq!(micros_of("avg 3", "avg"), None);
        assert_eq!(after("", "tps"), None);
    }
}
