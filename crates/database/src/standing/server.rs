//! What differs between the engines whose servers stand.

use etalon_model::ServiceFacts;

use crate::DatabaseError;
use crate::session::Asks;

/// A server of somebody else's that was named, with what only its engine has; nothing is connected yet.
pub(crate) trait StandingServer: Clone + Send + 'static {
    type Connection: Asks + Send + 'static;

    const ENGINE: &'static str;
    /// The statement that goes into the schema.
    const ENTER: &'static str;
    /// The statement that drops the schema, and does nothing where there is none.
    const DROP: &'static str;
    /// What a user may type to drop a schema that is there already.
    const DROP_BY_HAND: &'static str;
    /// Gives room back and renews the statistics, of etalon's tables alone.
    const VACUUM: &'static [&'static str];
    /// Asks how many of etalon's clients wait for another one's lock; `None` where the server does not tell them from
    /// others.
    const LOCK_WAITS: Option<&'static str>;
    /// Asks how many other sessions of etalon's there are; `None` where none counts what only its end tells.
    const SESSIONS: Option<&'static str>;

    /// Its address, without a password.
    fn url(&self) -> String;

    fn connect(&self) -> Result<Self::Connection, DatabaseError>;

    /// The statement that makes the schema, which bears `mark`: both or none.
    fn create(mark: &str) -> String;

    /// The command that drops the schema that bears `mark`, and does nothing where there is none.
    fn reset(&self, mark: &str) -> String;

    /// Whether a schema of that name was there already.
    fn is_there(error: &DatabaseError) -> bool;

    /// What the server refused, with what to do about it.
    fn explained(&self, error: DatabaseError) -> DatabaseError;

    /// The settings, and the counters of etalon's own work there, where the server tells it from that of others.
    fn facts(connection: &mut Self::Connection) -> Result<ServiceFacts, DatabaseError>;

    /// Ends whatever is under way on this connection, from another thread.
    fn interrupter(&self, connection: &Self::Connection) -> Box<dyn Fn() + Send>;
}
