//! Columns of a row, read where SQLite has them.

use std::borrow::Cow;

use rusqlite::Row;
use rusqlite::types::{FromSqlError, ValueRef};

/// A column of text, where SQLite has it.
pub(crate) fn text<'row>(row: &'row Row<'_>, column: usize) -> rusqlite::Result<&'row str> {
    let value = row.get_ref(column)?;
    value
        .as_str()
        .map_err(|error| of_another_kind(column, value, error))
}

/// A column of bytes, likewise.
pub(crate) fn bytes<'row>(row: &'row Row<'_>, column: usize) -> rusqlite::Result<Cow<'row, [u8]>> {
    let value = row.get_ref(column)?;
    let bytes = value.as_blob().map(Cow::Borrowed);
    bytes.map_err(|error| of_another_kind(column, value, error))
}

fn of_another_kind(column: usize, value: ValueRef<'_>, error: FromSqlError) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, value.data_type(), Box::new(error))
}
