//! The lists of `-X` and `-Y`: where each access goes, how large it is, and what is computed before.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use etalon_file_ops::{Access, FileOp, Lists, extent};
use etalon_units::{Bytes, Nanos};

use super::error::ListError;
use super::{IozoneError, Options};

/// The largest list that is read, some two million lines.
const MAX_LIST: u64 = 64 << 20;

/// The largest access: one buffer of that size is held per worker.
const MAX_ACCESS: u64 = 1 << 30;

/// The longest delay, an hour.
const MAX_DELAY: u64 = 3_600_000;

/// What `O_DIRECT` needs at least of offsets and sizes: the smallest logical block of a device.
const DIRECT_BLOCK: u64 = 512;

/// Reads the lists that the options name.
///
/// # Errors
/// The first line that makes no sense, or lists that do not go together.
pub(crate) fn load(options: &Options) -> Result<Lists, IozoneError> {
    let load = |path: &Option<std::path::PathBuf>| path.as_deref().map(read).transpose();
    let lists = Lists {
        writes: load(&options.write_list)?,
        reads: load(&options.read_list)?,
    };
    if options.settings.direct {
        let named = [&options.write_list, &options.read_list];
        for (list, path) in [&lists.writes, &lists.reads].into_iter().zip(named) {
            if let (Some(list), Some(path)) = (list, path) {
                check_blocks(list).map_err(|error| told(path, error))?;
            }
        }
    }
    let written = lists.writes.as_deref().map(extent);
    let read = lists.reads.as_deref().map(extent);
    if let (Some(written), Some(read)) = (written, read)
        && read > written
        && options.operations().contains(&FileOp::Write)
    {
        let path = options.read_list.clone().unwrap_or_default();
        let (read, written) = (Bytes(read), Bytes(written));
        return Err(told(&path, ListError::BeyondWritten { read, written }));
    }
    Ok(lists)
}

fn told(path: &Path, source: ListError) -> IozoneError {
    IozoneError::List {
        path: path.to_owned(),
        source,
    }
}

fn read(path: &Path) -> Result<Vec<Access>, IozoneError> {
    let text = || -> Result<Vec<u8>, std::io::Error> {
        let mut text = Vec::new();
        // A pipe would be waited for; of an endless file no more than this is taken.
        if !std::fs::metadata(path)?.is_file() {
            return Err(std::io::Error::other("not a regular file"));
        }
        File::open(path)?
            .take(MAX_LIST + 1)
            .read_to_end(&mut text)?;
        Ok(text)
    };
    let text = text().map_err(|source| told(path, ListError::Unreadable(source)))?;
    if text.len() as u64 > MAX_LIST {
        let most = Bytes(MAX_LIST);
        return Err(told(path, ListError::TooLong { most }));
    }
    parse_list(&String::from_utf8_lossy(&text)).map_err(|error| told(path, error))
}

/// Reads lines of offset, size (both in bytes) and delay (in milliseconds), separated by blanks; a
/// line that begins with `#` is a comment, an empty one is passed over.
///
/// # Errors
/// The first line that is none of these, or a text without any access.
pub fn parse_list(text: &str) -> Result<Vec<Access>, ListError> {
    let mut list = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let access = access(line).map_err(|expected| ListError::BadLine {
            number,
            line: line.chars().take(60).collect(),
            expected,
        })?;
        list.push(access);
    }
    if list.is_empty() {
        return Err(ListError::Empty);
    }
    Ok(list)
}

fn access(line: &str) -> Result<Access, &'static str> {
    let mut words = line.split_ascii_whitespace();
    let mut number = || words.next()?.parse::<u64>().ok();
    let numbers = (number(), number(), number());
    let (Some(offset), Some(length), Some(delay)) = numbers else {
        return Err("offset and size in bytes and a delay in milliseconds, three whole numbers");
    };
    if words.next().is_some() {
        return Err("three numbers and nothing behind them");
    }
    if !(1..=MAX_ACCESS).contains(&length) {
        return Err("a size from 1 to 1073741824 bytes");
    }
    if offset > i64::MAX as u64 - length {
        return Err("an end below 8 EiB");
    }
    if delay > MAX_DELAY {
        return Err("a delay of up to 3600000 ms");
    }
    Ok(Access {
        offset,
        length,
        delay: Nanos(delay * 1_000_000),
    })
}

fn check_blocks(list: &[Access]) -> Result<(), ListError> {
    let odd = |access: &&Access| {
        !access.offset.is_multiple_of(DIRECT_BLOCK) || !access.length.is_multiple_of(DIRECT_BLOCK)
    };
    match list.iter().find(odd) {
        Some(&Access { offset, length, .. }) => Err(ListError::Unaligned { offset, length }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> String {
        parse_list(text).expect_err(text).to_string()
    }

    #[test]
    fn a_list_with_comments() {
        let list = parse_list("# offset size ms\n\n0 65536 2\n 65536\t512  0 \r\n").unwrap();
        let of = |offset, length, ms: u64| Access {
            offset,
            length,
            delay: Nanos(ms * 1_000_000),
        };
        assert_eq!(list, [of(0, 65_536, 2), of(65_536, 512, 0)]);
        assert_eq!(extent(&list), 66_048);
    }

    #[test]
    fn bad_lines_are_quoted_with_their_number() {
        for (text, part) in [
            (
                "0 1 2\n# \nfoo bar baz\n",
                "line 3, 'foo bar baz': expected offset",
            ),
            ("0 4096", "line 1, '0 4096': expected offset"),
            ("0 4096 1 7", "nothing behind them"),
            ("0 0 1", "a size from 1"),
            ("-1 10 1", "whole numbers"),
            ("9223372036854775807 1 1", "an end below"),
            ("0 1 3600001", "3600000 ms"),
            ("# nothing\n", "no access"),
        ] {
            let told = refused(text);
            assert!(told.contains(part), "{text}: {told}");
        }
        let long = "x".repeat(1000);
        assert!(refused(&long).len() < 200);
    }

    proptest! {
        #[test]
        fn any_text_parses_or_is_refused(text in "[0-9 #x\n\t\r-]{0,80}|.{0,40}") {
            if let Ok(list) = parse_list(&text) {
                prop_assert!(list.iter().all(|a| a.length > 0 && a.end() <= i64::MAX as u64));
            }
        }

        #[test]
        fn what_is_written_is_read_again(
            list in prop::collection::vec((0u64..1 << 40, 1..=MAX_ACCESS, 0..=MAX_DELAY), 1..20)
        ) {
            let line = |(offset, length, ms): &(u64, u64, u64)| format!("{offset} {length} {ms}\n");
            let text: String = list.iter().map(line).collect();
            let read: Vec<_> = parse_list(&text)
                .unwrap()
                .iter()
                .map(|a| (a.offset, a.length, a.delay.0 / 1_000_000))
                .collect();
            prop_assert_eq!(read, list);
        }
    }
}
