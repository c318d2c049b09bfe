//! The tables, and the steps that bring an older file up to date.
//!
//! The file's format is SQLite's `user_version`; `application_id` marks the file as a store. A step
//! never changes once released: a new format is a new step at the end of [`STEPS`].

use rusqlite::{Connection, Transaction};

/// Marks a SQLite file as a store of etalon: the letters `etal`
/// (`PRAGMA application_id`, offset 68 of the file).
pub const APPLICATION_ID: i32 = 0x6574_616c;

/// The newest format that this crate reads and the one that it writes (`PRAGMA user_version`).
pub const STORE_VERSION: i32 = STEPS.len() as i32;

/// `STEPS[n]` turns format `n` into format `n + 1`; format 0 is an empty file.
pub(crate) const STEPS: [&str; 7] = [
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
    include_str!("schema_6.sql"),
    include_str!("schema_7.sql"),
];

/// What the first page says of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileMark {
    pub(crate) application_id: i32,
    pub(crate) version: i32,
    pub(crate) empty: bool,
}

pub(crate) fn mark(connection: &Connection) -> rusqlite::Result<FileMark> {
    let number = |pragma| connection.query_row(pragma, [], |row| row.get::<_, i32>(0));
    Ok(FileMark {
        application_id: number("PRAGMA application_id")?,
        version: number("PRAGMA user_version")?,
        empty: number("SELECT count(*) FROM sqlite_schema")? == 0,
    })
}

/// Runs every step from format `from` on, and marks the file with the new format.
pub(crate) fn migrate(transaction: &Transaction<'_>, from: i32) -> rusqlite::Result<()> {
    for step in STEPS.iter().skip(usize::try_from(from).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", STORE_VERSION)
}
