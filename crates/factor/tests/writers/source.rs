//! Source without what is no code: comments, the text of strings, unit tests.

/// The code of a file; strings are emptied, so that no text is taken for a call.
pub(crate) fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match skipped(rest, code.chars().next_back()) {
            0 => {
                code.push(first);
                first.len_utf8()
            }
            length => {
                code.push_str("\"\"");
                length
            }
        };
        rest = &rest[length..];
    }
    without_tests(&code).to_owned()
}

/// How long a comment or a literal at the beginning of `text` is; 0 where there is none.
fn skipped(text: &str, before: Option<char>) -> usize {
    let inside_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    if text.starts_with('r') && !inside_word {
        return raw(text);
    }
    if text.starts_with('\'') && is_character(text) {
        return quoted(text, '\'');
    }
    0
}

/// A character and not a lifetime.
fn is_character(text: &str) -> bool {
    let mut characters = text.chars().skip(1);
    let (first, second) = (characters.next(), characters.next());
    first == Some('\\') || second == Some('\'')
}

fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A raw string, `r#"..."#` with any number of hashes.
fn raw(text: &str) -> usize {
    let hashes = text[1..].chars().take_while(|c| *c == '#').count();
    if !text[1 + hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let begin = 2 + hashes;
    let found = text[begin..].find(&end);
    found.map_or(text.len(), |at| begin + at + end.len())
}

/// Unit tests stand at the end of a file.
fn without_tests(code: &str) -> &str {
    let tests = code.match_indices("#[cfg(test)]").find(|(at, mark)| {
        let after = code[at + mark.len()..].trim_start();
        after.starts_with("mod ") && after.find('{') < after.find(';')
    });
    tests.map_or(code, |(at, _)| &code[..at])
}

#[test]
fn what_is_no_code_is_taken_out() {
    let text = r###"
let a = "fs::write(b)"; // fs::write(c)
/* fs::write(d) */ let e: &'static str = r#"fs::write("f")"#;
let g = ('"', '\'', b'"'); fs::write(h);
#[cfg(test)]
mod tests {
    fs::write(i);
}
"###;
    let code = code_of(text);
    assert_eq!(code.matches("fs::write").count(), 1, "{code}");
    assert!(code.contains("fs::write(h)") && code.contains("&'static str"));
}
