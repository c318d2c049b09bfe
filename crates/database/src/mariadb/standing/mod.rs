//! A server that stands: nothing is started and nothing set, one schema is made and dropped.

use std::os::unix::ffi::OsStringExt as _;

use etalon_model::ServiceFacts;
use etalon_units::Bytes;
use etalon_work::{ParameterError, Values, WorkError};

use super::address::{Address, NoAddress};
use super::client::Connection;
use super::wire::WireError;
use super::{SERVER_SETTINGS, URL};
use crate::DatabaseError;
use crate::parameters::{CACHE, SCALE};
use crate::session::{Answer, Asks, Session};
use crate::standing::{SCHEMA, SchemaEntry, only_defaults, refused, sh_word, without_password};

/// Where a password comes from, as for MariaDB's own programs: whatever is typed is seen in the list of processes.
const PASSWORD: &str = "MYSQL_PWD";

/// Errors of the server (<https://mariadb.com/docs/server/reference/error-codes>): a schema of that name is there.
const EXISTS: u16 = 1007;
/// Wrong user or password, and a user who proves himself otherwise.
const DENIED: [u16; 2] = [1045, 1698];
/// No right to the schema, to a statement, or to what only administrators may.
const NO_RIGHT: [u16; 3] = [1044, 1142, 1227];

/// A server of somebody else's that was named; nothing is connected yet.
#[derive(Clone)]
pub(super) struct StandingServer {
    address: Address,
    password: Vec<u8>,
}

/// A connection to it, in a schema of etalon's own.
pub(super) struct StandingConnection {
    server: StandingServer,
    entry: SchemaEntry,
    connection: Option<Connection>,
}

impl StandingServer {
    /// The server that was named; `None` where none was.
    ///
    /// # Errors
    /// [`ParameterError`] for what is no address, holds a password, or asks for what only a server of etalon's own has.
    pub(super) fn named(values: &Values) -> Result<Option<StandingServer>, ParameterError> {
        let text = values.text(&URL);
        if text.is_empty() {
            return Ok(None);
        }
        let address = Address::parse(text).map_err(|error| refused_address(text, error))?;
        only_defaults(values, SERVER_SETTINGS.iter().chain([&CACHE, &SCALE]))?;
        let password = std::env::var_os(PASSWORD).unwrap_or_default().into_vec();
        Ok(Some(StandingServer { address, password }))
    }

    fn connect(&self) -> Result<Connection, DatabaseError> {
        let connection = Connection::to(&self.address, &self.password);
        connection.map_err(|error| self.explained(error.into()))
    }

    /// What the server refused, with what to do about it.
    fn explained(&self, error: DatabaseError) -> DatabaseError {
        let DatabaseError::Mariadb(cause) = &error else {
            return error;
        };
        let advice = match cause {
            WireError::Io(_) => "look whether it runs and listens there",
            WireError::Refused { code, .. } if DENIED.contains(code) => {
                "set MYSQL_PWD to the password of that user, or name another user in url"
            }
            WireError::Refused { code, .. } if NO_RIGHT.contains(code) => {
                "let the user make it: GRANT ALL ON etalon_work.* TO ..."
            }
            _ => "look at url",
        };
        DatabaseError::Standing {
            url: self.address.to_string(),
            why: error.to_string(),
            advice,
        }
    }

    /// What drops the schema that bears `mark`, and does nothing where there is none: MariaDB's own client, which takes a
    /// password from MYSQL_PWD.
    fn reset(&self, mark: &str) -> String {
        let sql = format!(
            "SET lock_wait_timeout = 30; SET @act = IF((SELECT COUNT(*) FROM \
             information_schema.SCHEMATA WHERE SCHEMA_NAME = '{SCHEMA}' AND SCHEMA_COMMENT = '{mark}') \
             > 0, 'DROP DATABASE {SCHEMA}', 'DO 0'); PREPARE act FROM @act; EXECUTE act"
        );
        let options = self.address.options();
        let options: Vec<String> = options.iter().map(|option| sh_word(option)).collect();
        let (options, sql) = (options.join(" "), sh_word(&sql));
        format!("mariadb --no-defaults --connect-timeout=10 {options} -e {sql}")
    }
}

fn refused_address(text: &str, error: NoAddress) -> ParameterError {
    match error {
        NoAddress::Form => {
            let wanted = "an address as mariadb://USER@HOST, mariadb://USER@HOST:PORT or mariadb://USER@/?socket=PATH";
            refused(&URL, without_password(text), wanted)
        }
        NoAddress::Password => {
            let wanted =
                format!("an address without a password: others would see it; set {PASSWORD}");
            refused(&URL, "(with a password)", &wanted)
        }
    }
}

impl StandingConnection {
    /// Connects and makes the schema, which is in the journal before.
    ///
    /// # Errors
    /// [`DatabaseError::Exists`] where there is one of that name, with nothing touched.
    pub(super) fn make(server: StandingServer) -> Result<StandingConnection, DatabaseError> {
        let mut connection = server.connect()?;
        let entry = SchemaEntry::new(|mark| server.reset(mark))?;
        let statement = format!("CREATE DATABASE {SCHEMA} COMMENT '{}'", entry.mark());
        if let Err(error) = connection.execute(&statement) {
            entry.strike()?;
            return Err(not_made(&server, error));
        }
        // From here on dropping it drops the schema.
        let mut standing = StandingConnection {
            server,
            entry,
            connection: Some(connection),
        };
        standing.connection()?.execute(&within())?;
        Ok(standing)
    }

    fn connection(&mut self) -> Result<&mut Connection, DatabaseError> {
        let gone = DatabaseError::Gone { engine: "MariaDB" };
        self.connection.as_mut().ok_or(gone)
    }

    /// Drops the schema with all that is in it.
    ///
    /// # Errors
    /// Those of the server.
    pub(super) fn close(mut self) -> Result<(), DatabaseError> {
        self.drop_schema()
    }

    /// Over a connection of its own: that of the work may be in a transaction, or gone.
    fn drop_schema(&mut self) -> Result<(), DatabaseError> {
        if self.connection.take().is_none() {
            return Ok(());
        }
        let mut connection = self.server.connect()?;
        connection.execute(&format!("DROP DATABASE IF EXISTS {SCHEMA}"))?;
        self.entry.strike()
    }
}

fn not_made(server: &StandingServer, error: DatabaseError) -> DatabaseError {
    match &error {
        DatabaseError::Mariadb(WireError::Refused { code: EXISTS, .. }) => {
            let drop = "DROP DATABASE etalon_work";
            DatabaseError::Exists { name: SCHEMA, drop }
        }
        _ => server.explained(error),
    }
}

fn within() -> String {
    format!("USE {SCHEMA}")
}

impl Drop for StandingConnection {
    fn drop(&mut self) {
        // Nobody is left to tell; the journal keeps the schema, and the next start drops it.
        let _ = self.drop_schema();
    }
}

impl Asks for StandingConnection {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        self.connection()?.execute(sql)
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        self.connection()?.query(sql)
    }
}

impl Session for StandingConnection {
    fn can_be_cold(&self) -> bool {
        false
    }

    fn make_cold(&mut self) -> Result<Bytes, WorkError> {
        Ok(Bytes::ZERO)
    }

    fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
        Ok(ServiceFacts {
            stands: true,
            ..self.connection()?.facts()?
        })
    }

    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
        let mut connection = self.server.connect()?;
        connection.execute(&within())?;
        Ok(Box::new(connection))
    }

    fn vacuum(&self) -> &'static [&'static str] {
        &["OPTIMIZE TABLE readings"]
    }

    /// To flush the tables takes a right that only administrators have.
    fn checkpoint(&self) -> &'static [&'static str] {
        &[]
    }

    /// Asks the server to end the statement, then hangs up, for one that does not answer.
    fn interrupter(&self) -> Box<dyn Fn() + Send> {
        let server = self.server.clone();
        let number = self.connection.as_ref().map(Connection::number);
        let breaker = self.connection.as_ref().map(Connection::breaker);
        let breaker = breaker.and_then(Result::ok);
        Box::new(move || {
            if let (Some(number), Ok(mut connection)) = (number, server.connect()) {
                // Where it has ended meanwhile, nothing is under way.
                let _ = connection.execute(&format!("KILL QUERY {number}"));
            }
            breaker.iter().for_each(|hang_up| hang_up());
        })
    }
}

#[cfg(test)]
mod tests;
