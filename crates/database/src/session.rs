//! What every engine can do once it stands.

use std::time::{Duration, Instant};

use etalon_model::ServiceFacts;
use etalon_service::cold::ColdStart;
use etalon_work::WorkError;

use crate::DatabaseError;

/// What a query gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Its rows, all of which were fetched.
    pub(crate) rows: u64,
    /// The first column of the first row, where that is a whole number.
    pub(crate) first: Option<i64>,
}

/// Whoever can be asked in SQL.
pub(crate) trait Asks {
    /// Carries a statement out; gives the number of rows that it changed.
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError>;

    /// Asks, and fetches every row of the answer.
    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError>;

    /// The same of an answer too long for the memory; gives the number of its rows.
    fn scan(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        Ok(self.query(sql)?.rows)
    }

    /// Makes an index or tidies up, the failure of which some engines tell in a row of the answer.
    fn tidy(&mut self, sql: &str) -> Result<(), DatabaseError> {
        self.query(sql).map(drop)
    }
}

/// How long sessions may take to go.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Waits until none is left of what `sql` asks for the number of; one that stays is not waited for without an end.
pub(crate) fn until_none(asks: &mut dyn Asks, sql: &str) -> Result<(), DatabaseError> {
    let begun = Instant::now();
    while asks.query(sql)?.first != Some(0) && begun.elapsed() < SETTLE_TIMEOUT {
        std::thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

/// A connection to a database that stands, and the words that only its engine has.
pub(crate) trait Session: Asks {
    /// Whether it is a server that stands: its caches are not touched, and its storage need not be that of the target.
    fn stands(&self) -> bool {
        false
    }

    /// Empties the engine's cache and the page cache of its files, and tells what of them is in
    /// memory all the same.
    fn make_cold(&mut self) -> Result<ColdStart, WorkError>;

    /// Its settings, and its counters since it stands.
    fn facts(&mut self) -> Result<ServiceFacts, DatabaseError>;

    /// Another connection, for one of several clients at once.
    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError>;

    /// Asks how many of etalon's clients wait for another one's lock; `None` where it counts the time by itself, has no
    /// such waits, or does not tell them from those of others.
    fn lock_waits(&self) -> Option<&'static str> {
        None
    }

    /// Waits until the clients that were at work have gone, where their last counters come with their end.
    fn settle(&mut self) -> Result<(), DatabaseError>;

    /// Gives room back and renews the statistics.
    fn vacuum(&self) -> &'static [&'static str];

    /// Writes everything to where it stays; nothing where it stands there already, or where that would be the work of
    /// others too.
    fn checkpoint(&self) -> &'static [&'static str];

    /// Ends whatever is under way, from another thread.
    fn interrupter(&self) -> Box<dyn Fn() + Send>;
}
