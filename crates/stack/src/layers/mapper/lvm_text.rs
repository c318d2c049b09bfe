//! LVM2's metadata text: nested sections of `key = value` (lvm2, lib/config/config.c).

use std::collections::BTreeMap;

/// Sections nest a handful deep; deeper is not LVM's.
const DEEPEST: usize = 16;

/// A value of the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A whole number.
    Number(i64),
    /// A quoted text.
    Text(String),
    /// A list of values.
    List(Vec<Value>),
    /// A section.
    Section(Section),
}

/// The entries of a section.
pub(super) type Section = BTreeMap<String, Value>;

impl Value {
    pub(super) fn number(&self) -> Option<u64> {
        match self {
            Value::Number(n) => u64::try_from(*n).ok(),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn section(&self) -> Option<&Section> {
        match self {
            Value::Section(section) => Some(section),
            _ => None,
        }
    }
}

/// The whole text as one section; none when it is not in the form.
pub(super) fn parse(text: &str) -> Option<Section> {
    let mut parser = Parser { rest: text };
    let section = parser.section(0)?;
    parser.skip();
    parser.rest.is_empty().then_some(section)
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// Blanks, zero bytes that fill the last block, and comments to the end of the line.
    fn skip(&mut self) {
        loop {
            self.rest = self
                .rest
                .trim_start_matches(|c: char| c.is_whitespace() || c == '\0');
            match self.rest.strip_prefix('#') {
                Some(comment) => self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest),
                None => return,
            }
        }
    }

    fn take(&mut self, token: char) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&mut self) -> Option<&'a str> {
        self.skip();
        let is_end = |c: char| !(c.is_alphanumeric() || "_-+./".contains(c));
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn section(&mut self, depth: usize) -> Option<Section> {
        let mut entries = Section::new();
        loop {
            self.skip();
            if depth > DEEPEST {
                return None;
            }
            if self.rest.is_empty() || self.rest.starts_with('}') {
                return Some(entries);
            }
            let key = self.word()?.to_owned();
            let value = if self.take('{') {
                let inner = self.section(depth + 1)?;
                self.take('}').then_some(Value::Section(inner))?
            } else {
                self.take('=').then_some(())?;
                self.value(depth)?
            };
            entries.insert(key, value);
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        if self.take('[') {
            let mut values = Vec::new();
            while !self.take(']') {
                values.push(self.value(depth + 1)?);
                let _ = self.take(',');
            }
            return Some(Value::List(values));
        }
        if self.take('"') {
            return self.quoted();
        }
        let word = self.word()?;
        word.parse().ok().map(Value::Number)
    }

    /// The opening quote is taken; a backslash protects the next character.
    fn quoted(&mut self) -> Option<Value> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Some(Value::Text(text));
                }
                '\\' => text.push(chars.next()?.1),
                _ => text.push(c),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sections_lists_and_comments_are_read() {
        let text = "vg0 {\nid = \"a\\\"b\"\nextent_size = 8192\t\t# 4 Megabytes\nflags = []\n\
                    lv { s = [\n\"pv0\", 0\n] } }\n# end\ncontents = \"x\"\n\0\0";
        let all = parse(text).unwrap();
        let vg = all["vg0"].section().unwrap();
        assert_eq!(vg["id"].text(), Some("a\"b"));
        assert_eq!(vg["extent_size"].number(), Some(8192));
        assert_eq!(vg["flags"], Value::List(Vec::new()));
        let lv = vg["lv"].section().unwrap();
        assert_eq!(
            lv["s"],
            Value::List(vec![Value::Text("pv0".to_owned()), Value::Number(0)])
        );
        assert_eq!(all["contents"].text(), Some("x"));
    }

    #[test]
    fn what_is_not_in_the_form_is_nothing() {
        for text in [
            "{",
            "a",
            "a =",
            "a = \"",
            "a = [",
            "a { b = 1",
            "a = }",
            &"a{".repeat(5000),
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&format!("a = {}", "[".repeat(5000))), None);
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[a-z0-9{}\\[\\]=\"\\\\#\n, \0]{0,200}") {
            let _ = parse(&text);
        }
    }
}
