//! A server that stands: nothing is started and nothing set, one schema is made and dropped.

use std::time::Duration;

use etalon_model::ServiceFacts;
use etalon_units::Bytes;
use etalon_work::{ParameterError, Values, WorkError};
use postgres::Config;
use postgres::error::SqlState;

use super::client::{Connection, Counted};
use super::{SERVER_SETTINGS, URL};
use crate::DatabaseError;
use crate::parameters::{CACHE, SCALE};
use crate::session::{Answer, Asks, Session};
use crate::standing::{SCHEMA, SchemaEntry, only_defaults, refused, sh_word, without_password};

/// Where a password comes from: whatever is typed is seen in the list of processes.
const PASSWORD: &str = "PGPASSWORD";

/// A server of somebody else's that was named; nothing is connected yet.
#[derive(Debug)]
pub(super) struct StandingServer {
    config: Config,
    /// As it was typed, which is without a password.
    url: String,
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
        let mut config = config(text)?;
        only_defaults(values, SERVER_SETTINGS.iter().chain([&CACHE, &SCALE]))?;
        if let Some(password) = std::env::var_os(PASSWORD) {
            config.password(password.as_encoded_bytes());
        }
        config.connect_timeout(Duration::from_secs(10));
        config.application_name("etalon");
        let url = text.to_owned();
        Ok(Some(StandingServer { config, url }))
    }

    fn connect(&self) -> Result<Connection, DatabaseError> {
        Connection::by(&self.config).map_err(|error| self.explained(error))
    }

    /// What the server refused, with what to do about it.
    fn explained(&self, error: DatabaseError) -> DatabaseError {
        let DatabaseError::Postgres(cause) = &error else {
            return error;
        };
        let advice = match cause.code() {
            Some(code)
                if [
                    SqlState::INVALID_PASSWORD,
                    SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
                ]
                .contains(code) =>
            {
                "set PGPASSWORD to the password of that user, or name another user in url"
            }
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                "let the user make schemas: GRANT CREATE ON DATABASE ... TO ..."
            }
            Some(_) => "look at url",
            None => {
                "look whether it runs and listens there, and whether PGPASSWORD is set where it wants a password"
            }
        };
        DatabaseError::Standing {
            url: self.url.clone(),
            why: error.to_string(),
            advice,
        }
    }

    /// What drops the schema that bears `mark`, and does nothing where there is none: psql, which takes a password from
    /// PGPASSWORD or ~/.pgpass.
    fn reset(&self, mark: &str) -> String {
        let sql = format!(
            "DO $$ BEGIN IF obj_description(to_regnamespace('{SCHEMA}'), 'pg_namespace') = '{mark}' \
             THEN DROP SCHEMA {SCHEMA} CASCADE; END IF; END $$"
        );
        let (url, sql) = (sh_word(&self.url), sh_word(&sql));
        format!(
            "PGCONNECT_TIMEOUT=10 PGOPTIONS='-c lock_timeout=30s' psql -X -q -w -v ON_ERROR_STOP=1 -d {url} -c {sql}"
        )
    }
}

/// An address of PostgreSQL without a password.
fn config(text: &str) -> Result<Config, ParameterError> {
    let schemes = ["postgresql://", "postgres://"];
    let is_url = schemes.iter().any(|scheme| text.starts_with(scheme));
    let config: Option<Config> = text.parse().ok().filter(|_| is_url);
    let wanted = "an address as postgresql://USER@HOST/DATABASE";
    let config = config.ok_or_else(|| refused(&URL, without_password(text), wanted))?;
    if config.get_password().is_some() {
        let wanted = format!("an address without a password: others would see it; set {PASSWORD}");
        return Err(refused(&URL, "(with a password)", &wanted));
    }
    Ok(config)
}

impl StandingConnection {
    /// Connects and makes the schema, which is in the journal before.
    ///
    /// # Errors
    /// [`DatabaseError::Exists`] where there is one of that name, with nothing touched.
    pub(super) fn make(server: StandingServer) -> Result<StandingConnection, DatabaseError> {
        let mut connection = server.connect()?;
        let entry = SchemaEntry::new(|mark| server.reset(mark))?;
        // Both or none: statements of one message are one transaction.
        let statement = format!(
            "CREATE SCHEMA {SCHEMA}; COMMENT ON SCHEMA {SCHEMA} IS '{}'",
            entry.mark()
        );
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
        self.connection.as_mut().ok_or(DatabaseError::Gone {
            engine: "PostgreSQL",
        })
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
        connection.execute(&format!("DROP SCHEMA IF EXISTS {SCHEMA} CASCADE"))?;
        self.entry.strike()
    }
}

impl Drop for StandingConnection {
    fn drop(&mut self) {
        // Nobody is left to tell; the journal keeps the schema, and the next start drops it.
        let _ = self.drop_schema();
    }
}

fn within() -> String {
    format!("SET search_path TO {SCHEMA}")
}

fn not_made(server: &StandingServer, error: DatabaseError) -> DatabaseError {
    match &error {
        DatabaseError::Postgres(cause) if cause.code() == Some(&SqlState::DUPLICATE_SCHEMA) => {
            let drop = "DROP SCHEMA etalon_work CASCADE";
            DatabaseError::Exists { name: SCHEMA, drop }
        }
        _ => server.explained(error),
    }
}

impl Asks for StandingConnection {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        self.connection()?.execute(sql)
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        self.connection()?.query(sql)
    }

    fn scan(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        self.connection()?.scan(sql)
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
            ..self.connection()?.facts(Counted::Database)?
        })
    }

    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
        let mut connection = self.server.connect()?;
        connection.execute(&within())?;
        Ok(Box::new(connection))
    }

    /// Without a name of a table it would be that of all others too.
    fn vacuum(&self) -> &'static [&'static str] {
        &["VACUUM FULL readings", "ANALYZE readings"]
    }

    fn checkpoint(&self) -> &'static [&'static str] {
        &[]
    }

    fn interrupter(&self) -> Box<dyn Fn() + Send> {
        match &self.connection {
            Some(connection) => Box::new(connection.canceller()),
            None => Box::new(|| ()),
        }
    }
}

#[cfg(test)]
mod tests;
