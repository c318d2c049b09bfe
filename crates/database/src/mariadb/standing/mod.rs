//! A server that stands: nothing is started and nothing set, one schema is made and dropped.

use std::os::unix::ffi::OsStringExt as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use etalon_model::ServiceFacts;
use etalon_units::Bytes;
use etalon_work::{ParameterError, Values};

use super::address::Address;
use super::client::Connection;
use super::wire::WireError;
use super::{SERVER_SETTINGS, URL};
use crate::DatabaseError;
use crate::parameters::{CACHE, SCALE};
use crate::session::Asks as _;
use crate::standing::{
    AddressForms, NOT_SET, SCHEMA, StandingServer, connected, naming_password, sh_word,
};

/// As for MariaDB's own programs.
const PASSWORD: &str = "MYSQL_PWD";
const ADDRESSES: AddressForms = AddressForms {
    url: &URL,
    forms: "mariadb://USER@HOST, mariadb://USER@HOST:PORT or mariadb://USER@/?socket=PATH",
    password: PASSWORD,
};

/// How long a server that is to end a statement may take; then the connection is closed all the same.
const KILL_LIMIT: Duration = Duration::from_secs(1);

/// Errors of the server (<https://mariadb.com/docs/server/reference/error-codes>): a schema of that name is there.
const EXISTS: u16 = 1007;
/// Wrong user or password, and a user who proves himself otherwise.
const DENIED: [u16; 2] = [1045, 1698];
/// No right to the schema, to a statement, or to what only administrators may.
const NO_RIGHT: [u16; 3] = [1044, 1142, 1227];

/// A server of somebody else's that was named; nothing is connected yet.
#[derive(Clone)]
pub(super) struct NamedMariadb {
    address: Address,
    password: Vec<u8>,
}

impl NamedMariadb {
    /// The server that was named; `None` where none was.
    ///
    /// # Errors
    /// [`ParameterError`] for what is no address, holds a password, or asks for what only a server of etalon's own has.
    pub(super) fn named(values: &Values) -> Result<Option<NamedMariadb>, ParameterError> {
        let text = values.text(&URL);
        if text.is_empty() {
            return Ok(None);
        }
        let address = Address::parse(text).map_err(|why| ADDRESSES.refused(text, why))?;
        let own = SERVER_SETTINGS.iter().chain([&CACHE, &SCALE]);
        values.only_defaults(own, NOT_SET)?;
        let password = std::env::var_os(PASSWORD).unwrap_or_default().into_vec();
        Ok(Some(NamedMariadb { address, password }))
    }
}

impl StandingServer for NamedMariadb {
    type Connection = Connection;

    const ENGINE: &'static str = "MariaDB";
    const ENTER: &'static str = "USE etalon_work";
    const DROP: &'static str = "DROP DATABASE IF EXISTS etalon_work";
    const DROP_BY_HAND: &'static str = "DROP DATABASE etalon_work";
    const VACUUM: &'static [&'static str] = &["OPTIMIZE TABLE readings"];
    const LOCK_WAITS: Option<&'static str> = None;
    const SESSIONS: Option<&'static str> = None;

    fn create(mark: &str) -> String {
        format!("CREATE DATABASE {SCHEMA} COMMENT '{mark}'")
    }

    fn is_there(error: &DatabaseError) -> bool {
        matches!(
            error,
            DatabaseError::Mariadb(WireError::Refused { code: EXISTS, .. })
        )
    }

    /// Without what the server counts of all its clients together, whoever they are.
    fn facts(connection: &mut Connection) -> Result<ServiceFacts, DatabaseError> {
        Ok(ServiceFacts {
            cache_hits: 0,
            cache_misses: 0,
            written_back: Bytes::ZERO,
            lock_wait: None,
            ..connection.facts()?
        })
    }

    /// Asks the server to end the statement, then hangs up, for one that does not answer.
    fn interrupter(&self, connection: &Connection) -> Box<dyn Fn() + Send> {
        let (server, number) = (self.clone(), connection.number());
        let breaker = connection.breaker().ok();
        Box::new(move || {
            if let Ok(mut connection) = connected(&server, KILL_LIMIT, &AtomicBool::new(false)) {
                // Where it has ended meanwhile, nothing is under way.
                let _ = connection.execute(&format!("KILL QUERY {number}"));
            }
            breaker.iter().for_each(|hang_up| hang_up());
        })
    }

    fn url(&self) -> String {
        self.address.to_string()
    }

    fn connect(&self) -> Result<Connection, DatabaseError> {
        let connection = Connection::to(&self.address, &self.password);
        connection.map_err(|error| self.explained(error.into()))
    }

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
            url: self.url(),
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
        let command = format!("mariadb --no-defaults --connect-timeout=10 {options} -e {sql}");
        naming_password(&command, PASSWORD)
    }
}

#[cfg(test)]
mod tests;
