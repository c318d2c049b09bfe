//! A row of a table whose first word is a device's name.

use crate::{Number, Page};

/// The name of a device, and the numbers behind it: the digits of `dev8-0` and `dm-1` are no figures.
pub(super) fn device_row<'a>(page: &Page, row: &'a str) -> Option<(&'a str, Vec<Number>)> {
    let (name, columns) = row.trim_start().split_once(char::is_whitespace)?;
    Some((name, page.numbers_in(columns)))
}
