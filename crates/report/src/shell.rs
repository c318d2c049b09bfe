//! Command lines as a shell takes them.

/// Words as one line that a POSIX shell splits into them again.
pub fn shell_line<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell_word(word.as_ref())).collect();
    words.join(" ")
}

/// One word, quoted where a shell would change it. Control characters and what a reader cannot see are written as
/// `$'\x1b'` (POSIX.1-2024, section 2.2.4; bash and zsh have always known it), so that the line can be shown as it is.
pub fn shell_word(word: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "/._-+:@%=,".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if etalon_units::visible(word) == word {
        return format!("'{}'", word.replace('\'', "'\\''"));
    }
    format!("$'{}'", word.chars().map(escaped).collect::<String>())
}

fn escaped(sign: char) -> String {
    match sign {
        '\'' | '\\' => format!("\\{sign}"),
        ' '..='~' => sign.to_string(),
        _ if sign.is_alphanumeric() => sign.to_string(),
        _ => {
            let mut bytes = [0; 4];
            let bytes = sign.encode_utf8(&mut bytes).bytes();
            // Octal has a fixed length: a hexadecimal digit that follows is not taken along.
            bytes.map(|byte| format!("\\{byte:03o}")).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_stay_and_others_are_quoted() {
        let line = shell_line(&["dd", "of=/srv/a-b_1", "", "it's $(x)", "a b", "*", "~"]);
        assert_eq!(line, "dd of=/srv/a-b_1 '' 'it'\\''s $(x)' 'a b' '*' '~'");
    }

    #[test]
    fn what_cannot_be_seen_is_written_in_digits() {
        let line = shell_line(&["a\nb'c", "\u{1b}[2J", "é\u{202e}x"]);
        assert_eq!(line, "$'a\\012b\\'c' $'\\033[2J' $'é\\342\\200\\256x'");
        assert_eq!(etalon_units::visible(&line), line);
    }
}
