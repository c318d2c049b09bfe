//! What rows really take in an engine.

use crate::DatabaseError;
use crate::row_size::RowSize;
use crate::rows::{Rows, TABLES};
use crate::sequence::INDEX;
use crate::session::Asks;

/// Loads so many rows and holds what they take, as these two statements tell it of the table and of all, against `size`.
pub(crate) fn takes(
    asks: &mut dyn Asks,
    (rows, size): (u64, RowSize),
    renew: &str,
    (table, all): (&str, &str),
) -> Result<(), DatabaseError> {
    asks.execute(TABLES[2])?;
    asks.execute("BEGIN")?;
    for statement in Rows::new(7).statements(rows) {
        asks.execute(&statement)?;
    }
    asks.execute("COMMIT")?;
    asks.tidy(renew)?;
    let of_table = asks.query(table)?.first;
    asks.execute(INDEX)?;
    asks.tidy(renew)?;
    let of_all = asks.query(all)?.first;
    for (told, found) in [(size.table, of_table), (size.indexed, of_all)] {
        let found = found.unwrap() as f64 / rows as f64;
        let ratio = found / told as f64;
        assert!((0.9..1.1).contains(&ratio), "{found} for {told}");
    }
    Ok(())
}
