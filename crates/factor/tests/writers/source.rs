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
    without_tests(&code)
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

/// The code without the modules of unit tests.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let (mut kept, mut rest) = (String::new(), code);
    while let Some(at) = rest.find(MARK) {
        let (before, after) = rest.split_at(at);
        kept.push_str(before);
        rest = &after[MARK.len()..];
        let item = rest.trim_start();
        let item = item.strip_prefix("pub(crate) ").unwrap_or(item);
        if item.starts_with("mod ") {
            rest = &rest[module(rest)..];
        }
    }
    kept + rest
}

/// How long the module at the beginning of `code` is, with its braces or to its semicolon.
fn module(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    code.len()
}

#[test]
fn what_is_no_code_is_taken_out() {
    let text = r###"
let a = "fs::write(b)"; // fs::write(c)
/* fs::write(d) */ let e: &'static str = r#"fs::write("f")"#;
let g = ('"', '\'', b'"'); fs::write(h);
#[cfg(test)]
mod tests {
    fn inner() { fs::write(i); }
}
#[cfg(test)]
mod elsewhere;
#[cfg(test)]
pub(crate) mod shared { fn inner() { fs::write(j); } }
fn after() { fs::write(h) }
"###;
    let code = code_of(text);
    assert_eq!(code.matches("fs::write(h)").count(), 2, "{code}");
    assert_eq!(code.matches("fs::write").count(), 2, "{code}");
    assert!(code.contains("fs::write(h)") && code.contains("&'static str"));
}
