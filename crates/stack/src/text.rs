//! Reading small files of the kernel without trusting them.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::error::StackError;

/// No file of the kernel that is read here comes near this; a longer one is cut off.
const LARGEST_FILE: u64 = 4 << 20;

/// The bytes of `path`, at most [`LARGEST_FILE`] of them. A named pipe does not block.
pub(crate) fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, LARGEST_FILE)
}

/// The first bytes of `path`, at most `most`.
pub(crate) fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of `path`; what is not UTF-8 is replaced.
pub(crate) fn read_text(path: &Path) -> Result<String, StackError> {
    let bytes = read_bytes(path).map_err(|source| StackError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// `text` without surrounding blanks, tabs and line ends made blanks, other control characters
/// replaced: safe to print.
pub(crate) fn clean(text: &str) -> String {
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    let printable = trimmed.chars().map(|c| match c {
        c if c.is_whitespace() => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    });
    printable.collect()
}

/// A parse error for one item of a line.
pub(crate) fn malformed(
    path: &Path,
    line: usize,
    item: &'static str,
    expected: &'static str,
    found: &str,
) -> StackError {
    const LONGEST_QUOTE: usize = 200;
    StackError::Parse {
        path: path.to_owned(),
        line,
        item,
        expected,
        found: clean(found).chars().take(LONGEST_QUOTE).collect(),
    }
}
