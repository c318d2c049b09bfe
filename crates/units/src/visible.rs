//! Text from outside, such as the name of a file, a command or a disk, on its way to a terminal.
//!
//! A terminal obeys control characters, and turns the order of letters at bidirectional ones, so that
//! a name could forge a figure or a verdict. What is not to be seen as it is stands as an escape:
//! `\x1b`, `\n`, `\u202e`. The escapes beyond ASCII are those of JSON, whose strings hold no
//! control character of ASCII, so that a document stays the document that it was.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io;
use std::os::unix::ffi::OsStrExt as _;

/// `text` as one line: control characters, line ends among them, stand as escapes.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Lines and tabs as they are, everything else that a terminal would obey as escapes.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// The name of a file or a word of a command line as one line; bytes that are no text stand as
/// `\xff`.
pub fn visible_name(name: impl AsRef<OsStr>) -> String {
    text_of(name.as_ref().as_bytes(), |text| visible(text).into_owned())
}

/// A writer of text through which nothing passes that a terminal would obey, but for lines and tabs.
#[derive(Debug)]
pub struct Visible<W> {
    to: W,
    keeps_returns: bool,
    /// The beginning of a character whose end has not been written yet.
    begun: Vec<u8>,
}

impl<W> Visible<W> {
    /// One that writes to `to`.
    pub fn new(to: W) -> Visible<W> {
        Visible {
            to,
            keeps_returns: false,
            begun: Vec::new(),
        }
    }

    /// One for a text that begins its last line anew by itself, as a line of progress does.
    pub fn with_returns(to: W) -> Visible<W> {
        Visible {
            keeps_returns: true,
            ..Visible::new(to)
        }
    }
}

impl<W: io::Write> io::Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let whole = self.begun.len() - begun_character(&self.begun);
        let keeps_returns = self.keeps_returns;
        let text = text_of(&self.begun[..whole], |text| {
            let hides =
                |c| is_hidden(c) && !matches!(c, '\n' | '\t') && !(keeps_returns && c == '\r');
            escaped(text, hides).into_owned()
        });
        self.begun.drain(..whole);
        self.to.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// What a terminal obeys or does not show: control characters, marks of direction, separators of
/// lines, and letters without a width that join nothing.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

fn escaped(text: &str, hides: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hides(c) {
            push_escape(&mut shown, c);
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

fn push_escape(text: &mut String, c: char) {
    // Writing into a String cannot fail.
    let _ = match c {
        '\n' => write!(text, "\\n"),
        '\r' => write!(text, "\\r"),
        '\t' => write!(text, "\\t"),
        '\0'..='\x1f' => write!(text, "\\x{:02x}", c as u32),
        _ => write!(text, "\\u{:04x}", c as u32),
    };
}

fn text_of(bytes: &[u8], show: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(&show(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// How many bytes at the end are the beginning of a character that may still be finished.
fn begun_character(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
        _ => {
            // An error earlier on hides the end; a character has at most four bytes.
            let tail = (1..=3.min(bytes.len())).rev();
            let begun = |&length: &usize| {
                let tail = &bytes[bytes.len() - length..];
                matches!(std::str::from_utf8(tail), Err(e) if e.valid_up_to() == 0 && e.error_len().is_none())
            };
            tail.into_iter().find(begun).unwrap_or(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write as _;

    #[test]
    fn what_a_terminal_would_obey_stands_as_an_escape() {
        assert_eq!(visible("/srv/häuser 3"), "/srv/häuser 3");
        assert_eq!(visible("a\x1b[2Jb\rc\nd\te"), "a\\x1b[2Jb\\rc\\nd\\te");
        assert_eq!(visible("\u{202e}\u{9b}\u{7f}"), "\\u202e\\u009b\\u007f");
        assert_eq!(visible_lines("a\n\tb\x1b"), "a\n\tb\\x1b");
        assert_eq!(
            visible_name(OsStr::from_bytes(b"a\xff\x1bb")),
            "a\\xff\\x1bb"
        );
    }

    #[test]
    fn a_document_stays_what_it_was() {
        let name = "\u{202e}\u{9b}\u{7f}\x1b\n";
        let document = format!("[\n\t\"{}\"\n]", "\\u001b\\n\u{202e}\u{9b}\u{7f}");
        let read = |text: &str| serde_json::from_str::<Vec<String>>(text).unwrap();
        assert_eq!(read(&visible_lines(&document)), read(&document));
        assert!(read(&document)[0].contains(&name[..3]));
    }

    fn through(parts: &[&[u8]], mut door: Visible<Vec<u8>>) -> String {
        for part in parts {
            door.write_all(part).unwrap();
        }
        String::from_utf8(door.to).unwrap()
    }

    #[test]
    fn a_character_may_come_in_pieces_and_a_line_begin_anew_where_that_is_meant() {
        let new = || Visible::new(Vec::new());
        assert_eq!(through(&[b"\xc3", b"\xa4\n"], new()), "ä\n");
        assert_eq!(
            through(&[b"\xff\xe2\x80", b"\xae."], new()),
            "\\xff\\u202e."
        );
        assert_eq!(through(&[b"1 s\r2 s\x1b"], new()), "1 s\\r2 s\\x1b");
        let progress = Visible::with_returns(Vec::new());
        assert_eq!(through(&[b"1 s\r2 s\x1b"], progress), "1 s\r2 s\\x1b");
    }

    proptest! {
        #[test]
        fn nothing_hidden_passes(bytes in prop::collection::vec(any::<u8>(), 0..64), cut in 0_usize..64) {
            let cut = cut.min(bytes.len());
            let text = through(&[&bytes[..cut], &bytes[cut..], b"."], Visible::new(Vec::new()));
            prop_assert!(!text.contains(|c: char| is_hidden(c) && c != '\n' && c != '\t'));
            prop_assert!(!visible_name(OsStr::from_bytes(&bytes)).contains(is_hidden));
        }
    }
}
