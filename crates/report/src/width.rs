//! Columns that a text takes in a terminal: some signs take two, and some none. Of a page in ASCII it is what stands there for
//! a sign that counts, such as `...` for an ellipsis, though the page is put into ASCII only once it is whole.

use etalon_language::is_ascii;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::ascii::{in_ascii, to_ascii};

/// Stands for what was left out of a text.
const LEFT_OUT: &str = "…";

/// Which side of its column a text stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Names and words.
    Left,
    /// Figures.
    Right,
}

/// Columns that the text takes.
pub(crate) fn columns(text: &str) -> usize {
    match is_ascii() {
        true => to_ascii(text).width(),
        false => text.width(),
    }
}

fn columns_of(sign: char) -> usize {
    let replaced = in_ascii(sign).filter(|_| is_ascii());
    replaced.map_or_else(|| sign.width().unwrap_or(0), str::len)
}

/// The text on its side of so many columns; a wider one as it is.
pub(crate) fn padded(text: &str, most: usize, side: Side) -> String {
    let spaces = " ".repeat(most.saturating_sub(columns(text)));
    match side {
        Side::Left => format!("{text}{spaces}"),
        Side::Right => format!("{spaces}{text}"),
    }
}

/// As much of the beginning as so many columns hold.
pub(crate) fn beginning(text: &str, most: usize) -> String {
    within(text.chars(), most).collect()
}

/// As much of the end as so many columns hold.
pub(crate) fn end(text: &str, most: usize) -> String {
    let signs: Vec<char> = within(text.chars().rev(), most).collect();
    signs.into_iter().rev().collect()
}

/// A name in so many columns: where it is longer, its beginning says what was done and its end under which conditions.
pub(crate) fn shortened(name: &str, most: usize) -> String {
    if columns(name) <= most {
        return name.to_owned();
    }
    let rest = most.saturating_sub(columns(LEFT_OUT));
    let begin = beginning(name, rest.div_ceil(2));
    let end = end(name, rest - rest.div_ceil(2));
    format!("{}{LEFT_OUT}{}", begin.trim_end(), end.trim_start())
}

/// A path in so many columns: its end tells more of it than its beginning.
pub(crate) fn shortened_path(path: &str, most: usize) -> String {
    match columns(path) <= most {
        true => path.to_owned(),
        false => format!(
            "{LEFT_OUT}{}",
            end(path, most.saturating_sub(columns(LEFT_OUT)))
        ),
    }
}

/// The first signs that so many columns hold.
fn within(signs: impl Iterator<Item = char>, most: usize) -> impl Iterator<Item = char> {
    signs.scan(0, move |taken, sign| {
        *taken += columns_of(sign);
        (*taken <= most).then_some(sign)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_signs_take_two_columns_and_marks_none() {
        assert_eq!((columns("磁盘 1"), columns("e\u{301}t")), (6, 2));
        assert_eq!(padded("磁盘", 6, Side::Left), "磁盘  ");
        assert_eq!(padded("磁盘", 6, Side::Right), "  磁盘");
        assert_eq!(padded("磁盘", 3, Side::Left), "磁盘");
        assert_eq!(
            (beginning("磁盘", 3), end("磁盘", 3)),
            ("磁".into(), "盘".into())
        );
    }

    #[test]
    fn a_long_name_keeps_both_its_ends() {
        assert_eq!(shortened("random read", 11), "random read");
        assert_eq!(shortened("random read 4 KiB QD32", 11), "rando…QD32");
        assert_eq!(shortened("磁盘磁盘磁盘", 8), "磁盘…盘");
        assert_eq!(shortened_path("/mnt/disk/file", 10), "…disk/file");
    }

    #[test]
    fn in_ascii_a_text_takes_what_will_stand_for_its_signs() {
        etalon_language::in_ascii(true, || {
            assert_eq!((columns("a…b"), columns("12 °C")), (5, 9));
            let name = shortened("random read 4 KiB ±5", 13);
            assert_eq!(to_ascii(&name), "rando...B +-5");
            let path = shortened_path("/mnt/disk/file", 10);
            assert_eq!(to_ascii(&path), "...sk/file");
            assert_eq!(to_ascii(&padded("a…", 6, Side::Left)), "a...  ");
        });
    }
}
