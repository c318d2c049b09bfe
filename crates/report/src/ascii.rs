//! Pages for terminals whose locale has nothing but ASCII.

/// The text with each sign of etalon's own in ASCII; names of files and disks stay as they are.
pub fn to_ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for sign in text.chars() {
        match in_ascii(sign) {
            Some(replaced) => plain.push_str(replaced),
            None => plain.push(sign),
        }
    }
    plain
}

/// What stands for a sign of etalon's own in ASCII; `None` of one that stays.
pub(crate) fn in_ascii(sign: char) -> Option<&'static str> {
    Some(match sign {
        '±' => "+-",
        '…' => "...",
        '–' | '─' | '−' => "-",
        '│' => "|",
        '├' => "|",
        '└' => "`",
        '┼' | '┬' | '┴' | '┌' | '┐' | '┘' | '┤' => "+",
        'µ' | 'μ' => "u",
        '✗' => "x",
        '×' => "x",
        '·' => ".",
        '→' => "->",
        '▁' => "_",
        '▂' => ".",
        '▃' => "-",
        '▄' => "=",
        '▅' => "+",
        '▆' => "*",
        '▇' => "#",
        '█' => "@",
        '°' => " deg ",
        '≥' => ">=",
        '≤' => "<=",
        '\u{a0}' | '\u{202f}' => " ",
        '’' | '‘' => "'",
        '«' | '»' => "\"",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_become_ascii_and_names_stay() {
        assert_eq!(to_ascii("├── 3 µs ±2 %"), "|-- 3 us +-2 %");
        assert_eq!(to_ascii("/srv/Größe"), "/srv/Größe");
    }
}
