//! What the rows take in an engine.

/// Bytes of a row of readings, by what an engine shows of a million of them; those of ten thousand or a billion differ by less
/// than a tenth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowSize {
    /// In its table, which is what a count and a full scan read.
    pub(crate) table: u64,
    /// With its share of the indexes, which the queries read beside it.
    pub(crate) indexed: u64,
    /// The most rows that the table has keys for.
    pub(crate) keys: u64,
}

impl RowSize {
    /// The key is its number itself (<https://sqlite.org/rowidtable.html>).
    pub(crate) const SQLITE: RowSize = RowSize {
        table: 91,
        indexed: 107,
        keys: i64::MAX.unsigned_abs(),
    };
    /// Of version 15.
    pub(crate) const POSTGRESQL: RowSize = RowSize {
        table: 126,
        indexed: 180,
        keys: i32::MAX.unsigned_abs() as u64,
    };
    /// InnoDB of version 10.11, whose table is the index of its key.
    pub(crate) const MARIADB: RowSize = RowSize {
        table: 117,
        indexed: 143,
        keys: i32::MAX.unsigned_abs() as u64,
    };
}
