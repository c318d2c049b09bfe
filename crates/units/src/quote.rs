//! Names in messages, quoted so that a shell reads them back.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;

use crate::visible;

/// `text` in quotes always: `'name'`, `"it's"`, or `'a'$'\n''b'` around what cannot be printed.
pub fn quoted(text: impl AsRef<OsStr>) -> String {
    let bytes = text.as_ref().as_bytes();
    let plain = std::str::from_utf8(bytes)
        .ok()
        .filter(|text| matches!(visible(text), Cow::Borrowed(_)));
    match plain {
        Some(text) if !text.contains('\'') => format!("'{text}'"),
        Some(text) if !text.contains(['"', '$', '`', '\\', '!']) => format!("\"{text}\""),
        _ => in_pieces(bytes),
    }
}

/// `text` bare where a shell would read it as one word, quoted otherwise.
pub fn quoted_name(text: impl AsRef<OsStr>) -> String {
    quoted_unless_bare(text, b"/._-+,:@%")
}

/// One word of a command line, as a shell reads it: as [`quoted_name`], with `name=value` bare.
pub fn shell_word(word: impl AsRef<OsStr>) -> String {
    quoted_unless_bare(word, b"/._-+,:@%=")
}

/// Words as one line that a shell splits into them again.
pub fn shell_line<S: AsRef<OsStr>>(words: &[S]) -> String {
    words.iter().map(shell_word).collect::<Vec<_>>().join(" ")
}

fn quoted_unless_bare(text: impl AsRef<OsStr>, signs: &[u8]) -> String {
    let bytes = text.as_ref().as_bytes();
    let bare = |b: &u8| b.is_ascii_alphanumeric() || signs.contains(b);
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && bytes.iter().all(bare) => text.to_owned(),
        _ => quoted(text),
    }
}

fn in_pieces(bytes: &[u8]) -> String {
    let mut text = String::from("'");
    let mut rest = bytes;
    while !rest.is_empty() {
        let valid = match std::str::from_utf8(rest) {
            Ok(valid) => valid,
            Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default(),
        };
        for c in valid.chars() {
            match c {
                '\'' => text.push_str("'\\''"),
                '\n' => text.push_str("'$'\\n''"),
                '\t' => text.push_str("'$'\\t''"),
                c if matches!(visible(c.encode_utf8(&mut [0; 4])), Cow::Owned(_)) => {
                    c.to_string().bytes().for_each(|b| escape(&mut text, b))
                }
                c => text.push(c),
            }
        }
        rest = &rest[valid.len()..];
        if let Some((&bad, tail)) = rest.split_first() {
            escape(&mut text, bad);
            rest = tail;
        }
    }
    if text.ends_with("''") {
        // Nothing follows the last escape: the piece that it opened stays away.
        text.pop();
    } else {
        text.push('\'');
    }
    text
}

fn escape(text: &mut String, byte: u8) {
    // Writing into a String cannot fail.
    let _ = write!(text, "'$'\\{byte:03o}''");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn quotes_as_a_shell_reads() {
        assert_eq!(quoted("in"), "'in'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("no'x"), "\"no'x\"");
        assert_eq!(quoted("no x"), "'no x'");
        assert_eq!(quoted("no\nx"), "'no'$'\\n''x'");
        assert_eq!(quoted(OsString::from_vec(vec![b'a', 0xff])), "'a'$'\\377'");
        assert_eq!(quoted_name("/dev/null"), "/dev/null");
        assert_eq!(quoted_name("standard input"), "'standard input'");
        assert_eq!(quoted_name("of=x"), "'of=x'");
        let line = shell_line(&["dd", "of=/srv/a-b_1", "", "it's $(x)", "a b", "*", "~"]);
        assert_eq!(line, "dd of=/srv/a-b_1 '' 'it'\\''s $(x)' 'a b' '*' '~'");
    }

    proptest! {
        #[test]
        fn a_shell_reads_the_name_back(bytes in proptest::collection::vec(1u8.., 0..12)) {
            let name = OsString::from_vec(bytes.clone());
            let output = std::process::Command::new("bash")
                .args(["-c", &format!("printf %s {}", quoted(&name))])
                .output()
                .unwrap();
            prop_assert_eq!(output.stdout, bytes);
        }
    }
}
