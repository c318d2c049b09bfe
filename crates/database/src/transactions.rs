//! One transaction, as each of several clients makes it.

use etalon_service::load::Client;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::DatabaseError;
use crate::session::Asks;

/// A connection that makes transactions.
pub(crate) struct Transactions {
    pub(crate) connection: Box<dyn Asks + Send>,
    /// Rows of the table.
    pub(crate) rows: u64,
    pub(crate) seed: u64,
}

impl Client for Transactions {
    type Error = DatabaseError;

    /// Changes a reading, looks at it and writes a line of its history.
    fn operate(&mut self, number: u64) -> Result<(), DatabaseError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ number);
        let (id, change) = (
            random.random_range(1..=self.rows),
            random.random_range(1..100u32),
        );
        let connection = &mut self.connection;
        connection.execute("BEGIN")?;
        connection.execute(&format!(
            "UPDATE readings SET value = value + {change} WHERE id = {id}"
        ))?;
        connection.query(&format!("SELECT value FROM readings WHERE id = {id}"))?;
        connection.execute(&format!(
            "INSERT INTO history (reading, change_of) VALUES ({id}, {change})"
        ))?;
        connection.execute("COMMIT")?;
        Ok(())
    }
}
