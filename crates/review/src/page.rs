//! A published text, line by line, as it was meant.

use crate::number::{self, Decimal, Number};

/// One line of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Its text, with plain quotes, spaces and hyphens.
    pub text: String,
    /// The same in lower case and without accents, for words to be looked for.
    pub plain: String,
}

/// A published text.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Its lines.
    pub lines: Vec<Line>,
    /// What its numbers are written with.
    pub decimal: Decimal,
}

/// Elements that end a line.
const BLOCKS: [&str; 16] = [
    "p",
    "br",
    "div",
    "tr",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
    "table",
    "ul",
    "section",
    "blockquote",
];
/// Entities that stand in such pages.
const ENTITIES: [(&str, char); 18] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("eacute", 'é'),
    ("egrave", 'è'),
    ("ecirc", 'ê'),
    ("agrave", 'à'),
    ("acirc", 'â'),
    ("ccedil", 'ç'),
    ("ocirc", 'ô'),
    ("ucirc", 'û'),
    ("laquo", '"'),
    ("raquo", '"'),
    ("ndash", '-'),
    ("thinsp", ' '),
];

impl Page {
    /// Reads a text or a saved web page.
    pub fn read(text: &str) -> Page {
        let text = if is_html(text) {
            words_of(text)
        } else {
            text.to_owned()
        };
        let texts: Vec<String> = text.lines().map(of_text).collect();
        let decimal = number::decimal_of(&texts);
        let lines = texts.into_iter().enumerate().map(|(at, text)| Line {
            number: at + 1,
            plain: plain(&text),
            text,
        });
        Page {
            lines: lines.collect(),
            decimal,
        }
    }

    /// The numbers of a line.
    pub fn numbers(&self, line: &Line) -> Vec<Number> {
        self.numbers_in(&line.text)
    }

    /// The numbers of a part of a line.
    pub(crate) fn numbers_in(&self, part: &str) -> Vec<Number> {
        number::numbers(part, self.decimal)
    }

    /// The lines before line `at` (an index), the nearest first, at most `most` of them.
    pub fn before(&self, at: usize, most: usize) -> impl Iterator<Item = &Line> {
        let first = at.saturating_sub(most);
        self.lines[first..at].iter().rev()
    }

    /// Whether a word of `words` stands anywhere.
    pub fn says(&self, words: &[&str]) -> bool {
        self.lines.iter().any(|line| line.says(words))
    }
}

impl Line {
    /// Whether a word of `words` (lower case, no accents) stands in it.
    pub fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.plain.contains(word))
    }

    /// Where a word (lower case, no accents) stands in its text.
    pub fn find(&self, word: &str) -> Option<usize> {
        let letters = self.plain[..self.plain.find(word)?].chars().count();
        self.text.char_indices().nth(letters).map(|(at, _)| at)
    }

    /// Its words.
    pub fn words(&self) -> Vec<&str> {
        self.text.split_whitespace().collect()
    }
}

fn is_html(text: &str) -> bool {
    let start: String = text.chars().take(4000).collect::<String>().to_lowercase();
    ["<html", "<body", "<!doctype html", "<table", "<p>", "<pre"]
        .iter()
        .any(|mark| start.contains(mark))
}

/// The words of an HTML text: blocks are lines, cells of a table are parted by bars.
fn words_of(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        out.push_str(&entities(&rest[..start]));
        let Some(end) = rest[start..].find('>') else {
            break;
        };
        let inside = &rest[start + 1..start + end];
        let tag = tag_name(inside);
        rest = &rest[start + end + 1..];
        match tag.as_str() {
            "script" | "style" if !inside.starts_with('/') => rest = after_end(rest, &tag),
            "td" | "th" => out.push_str(" | "),
            name if BLOCKS.contains(&name) => out.push('\n'),
            _ => {}
        }
    }
    out.push_str(&entities(rest));
    out
}

fn tag_name(inside: &str) -> String {
    let name = inside.trim_start_matches('/');
    let end = name
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(name.len());
    if inside.starts_with('/') && matches!(&name[..end], "td" | "th") {
        return String::new();
    }
    name[..end].to_ascii_lowercase()
}

/// What comes after the end of an element that is no text.
fn after_end<'a>(rest: &'a str, tag: &str) -> &'a str {
    let lower = rest.to_ascii_lowercase();
    let end = lower.find(&format!("</{tag}")).map_or(rest.len(), |at| at);
    &rest[end..]
}

fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        let tail = &rest[start + 1..];
        match tail
            .find(';')
            .filter(|end| *end <= 8)
            .and_then(|end| Some((entity(&tail[..end])?, end)))
        {
            Some((letter, end)) => {
                out.push(letter);
                rest = &tail[end + 1..];
            }
            None => {
                out.push('&');
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    if let Some(code) = name.strip_prefix("#x").or(name.strip_prefix("#X")) {
        return char::from_u32(u32::from_str_radix(code, 16).ok()?);
    }
    if let Some(code) = name.strip_prefix('#') {
        return char::from_u32(code.parse().ok()?);
    }
    ENTITIES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, letter)| *letter)
}

/// Bytes of the longest line that is looked at. No program prints and nobody writes such a line: it is no text, and to look
/// for words and numbers in megabytes of it takes seconds.
const LONGEST_LINE: usize = 1 << 20;

/// A line as it is looked at; nothing of one that is no text.
fn of_text(line: &str) -> String {
    match line.len() <= LONGEST_LINE {
        true => tidy(line),
        false => String::new(),
    }
}

/// Plain spaces, quotes, hyphens and crosses in place of a typesetter's.
fn tidy(line: &str) -> String {
    line.chars()
        .filter(|c| !matches!(c, '\u{200b}' | '\u{feff}' | '\r'))
        .map(|c| match c {
            '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' => ' ',
            '“' | '”' | '„' | '«' | '»' => '"',
            '‘' | '’' | '‚' | '`' => '\'',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '×' => 'x',
            other => other,
        })
        .collect()
}

/// Lower case, without the accents of French.
fn plain(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'é' | 'è' | 'ê' | 'ë' => 'e',
            'à' | 'â' | 'ä' => 'a',
            'î' | 'ï' => 'i',
            'ô' | 'ö' => 'o',
            'û' | 'ù' | 'ü' => 'u',
            'ç' => 'c',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_web_page_becomes_lines_and_cells() {
        let page = Page::read(
            "<html><head><style>p{}</style><script>var a = '<p>';</script></head><body><p>Lecture s&eacute;quentielle&nbsp;: 12&#44;5</p><table><tr><td>a</td><td>1</td></tr></table></body>",
        );
        let texts: Vec<&str> = page
            .lines
            .iter()
            .map(|line| line.text.trim())
            .filter(|t| !t.is_empty())
            .collect();
        assert_eq!(texts, ["Lecture séquentielle : 12,5", "| a | 1"]);
        assert!(page.says(&["lecture sequentielle"]));
    }

    #[test]
    fn in_a_line_that_is_no_text_nothing_is_looked_for() {
        let longest = "7".repeat(LONGEST_LINE);
        let page = Page::read(&format!("{longest}\n{longest}7\n8 MB/s"));
        let lengths = page.lines.iter().map(|line| line.text.len());
        assert_eq!(lengths.collect::<Vec<_>>(), [LONGEST_LINE, 0, 6]);
        assert_eq!(page.lines[2].number, 3);
    }

    #[test]
    fn quotes_and_hyphens_of_typesetters_become_plain() {
        let page = Page::read("# iozone ‐s 1048576 “x” 1\u{202f}000");
        assert_eq!(page.lines[0].text, "# iozone -s 1048576 \"x\" 1 000");
    }

    #[test]
    fn what_is_no_html_stays_and_what_is_cut_does_not_break() {
        assert_eq!(Page::read("a < b && c > d").lines[0].text, "a < b && c > d");
        for text in [
            "<html><td",
            "<html>&",
            "<html>&#x;",
            "<html><script>",
            "<p>&#1114112;",
        ] {
            Page::read(text);
        }
    }
}
