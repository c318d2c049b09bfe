//! A server that stands: nothing is started and nothing set, one schema is made and dropped.

use etalon_model::ServiceFacts;
use etalon_work::{ParameterError, Values};

use super::address::Login;
use super::client::{Connection, Counted, OWN_SESSIONS, OWN_WAITING_FOR_LOCKS};
use super::wire::PostgresqlError;
use super::{SERVER_SETTINGS, URL};
use crate::DatabaseError;
use crate::parameters::{CACHE, SCALE};
use crate::standing::{AddressForms, NOT_SET, SCHEMA, StandingServer, naming_password, sh_word};

const PASSWORD: &str = "PGPASSWORD";
const ADDRESSES: AddressForms = AddressForms {
    url: &URL,
    forms: "postgresql://USER@HOST/DATABASE",
    password: PASSWORD,
};

/// SQLSTATEs (PostgreSQL's manual, PostgreSQL Error Codes).
const DUPLICATE_SCHEMA: &str = "42P06";
const INSUFFICIENT_PRIVILEGE: &str = "42501";
const INVALID_AUTHORIZATION: &str = "28000";
const INVALID_PASSWORD: &str = "28P01";

/// A server of somebody else's that was named; nothing is connected yet.
#[derive(Debug, Clone)]
pub(super) struct NamedPostgresql {
    login: Login,
    /// As it was typed, which is without a password.
    url: String,
}

impl NamedPostgresql {
    /// The server that was named; `None` where none was.
    ///
    /// # Errors
    /// [`ParameterError`] for what is no address, holds a password, or asks for what only a server of etalon's own has.
    pub(super) fn named(values: &Values) -> Result<Option<NamedPostgresql>, ParameterError> {
        let text = values.text(&URL);
        if text.is_empty() {
            return Ok(None);
        }
        let login = Login::parse(text);
        let mut login = login.map_err(|why| ADDRESSES.refused(text, why))?;
        let own = SERVER_SETTINGS.iter().chain([&CACHE, &SCALE]);
        values.only_defaults(own, NOT_SET)?;
        if let Some(password) = std::env::var_os(PASSWORD) {
            login.password = Some(password.into_encoded_bytes());
        }
        let url = text.to_owned();
        Ok(Some(NamedPostgresql { login, url }))
    }
}

impl StandingServer for NamedPostgresql {
    type Connection = Connection;

    const ENGINE: &'static str = "PostgreSQL";
    const ENTER: &'static str = "SET search_path TO etalon_work";
    const DROP: &'static str = "DROP SCHEMA IF EXISTS etalon_work CASCADE";
    const DROP_BY_HAND: &'static str = "DROP SCHEMA etalon_work CASCADE";
    /// Without a name of a table it would be that of all others too.
    const VACUUM: &'static [&'static str] = &["VACUUM FULL readings", "ANALYZE readings"];
    const LOCK_WAITS: Option<&'static str> = Some(OWN_WAITING_FOR_LOCKS);
    const SESSIONS: Option<&'static str> = Some(OWN_SESSIONS);

    /// Statements of one message are one transaction.
    fn create(mark: &str) -> String {
        format!("CREATE SCHEMA {SCHEMA}; COMMENT ON SCHEMA {SCHEMA} IS '{mark}'")
    }

    fn is_there(error: &DatabaseError) -> bool {
        code(error) == Some(DUPLICATE_SCHEMA)
    }

    fn facts(connection: &mut Connection) -> Result<ServiceFacts, DatabaseError> {
        connection.facts(Counted::Schema)
    }

    fn interrupter(&self, connection: &Connection) -> Box<dyn Fn() + Send> {
        Box::new(connection.canceller())
    }

    fn url(&self) -> String {
        self.url.clone()
    }

    fn connect(&self) -> Result<Connection, DatabaseError> {
        Connection::to(&self.login).map_err(|error| self.explained(error))
    }

    fn explained(&self, error: DatabaseError) -> DatabaseError {
        if !matches!(error, DatabaseError::Postgres(_)) {
            return error;
        }
        let advice = match code(&error) {
            Some(INVALID_PASSWORD | INVALID_AUTHORIZATION) => {
                "set PGPASSWORD to the password of that user, or name another user in url"
            }
            Some(INSUFFICIENT_PRIVILEGE) => {
                "let the user make schemas: GRANT CREATE ON DATABASE ... TO ..."
            }
            Some(_) => "look at url",
            None => {
                "look whether it runs and listens there, and whether PGPASSWORD is set where it wants a password"
            }
        };
        DatabaseError::Standing {
            url: self.url(),
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
        let command = format!(
            "PGCONNECT_TIMEOUT=10 PGOPTIONS='-c lock_timeout=30s' psql -X -q -w -v ON_ERROR_STOP=1 -d {url} -c {sql}"
        );
        naming_password(&command, PASSWORD)
    }
}

/// SQLSTATE of a refusal.
fn code(error: &DatabaseError) -> Option<&str> {
    match error {
        DatabaseError::Postgres(PostgresqlError::Refused(refusal)) => Some(&refusal.code),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
