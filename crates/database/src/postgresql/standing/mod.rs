//! A server that stands: nothing is started and nothing set, one schema is made and dropped.

use std::time::Duration;

use etalon_model::ServiceFacts;
use etalon_units::Bytes;
use etalon_work::{Parameter, ParameterError, Values, WorkError};
use postgres::Config;
use postgres::error::SqlState;

use super::client::{Connection, Counted};
use super::{PARAMETERS, SERVER_SETTINGS, URL};
use crate::DatabaseError;
use crate::parameters::{CACHE, SCALE};
use crate::session::{Answer, Asks, Session};

/// All that is made on the server is in it.
pub(super) const SCHEMA: &str = "etalon_work";

/// Where a password comes from: whatever is typed is seen in the list of processes.
const PASSWORD: &str = "PGPASSWORD";

/// A connection to a server of somebody else's, in a schema of etalon's own.
pub(super) struct StandingConnection {
    config: Config,
    connection: Option<Connection>,
}

impl StandingConnection {
    /// The server that was named; `None` where none was. Nothing is connected yet.
    ///
    /// # Errors
    /// [`ParameterError`] for what is no address, holds a password, or asks for what only a server of etalon's own has.
    pub(super) fn named(values: &Values) -> Result<Option<Config>, ParameterError> {
        let text = values.text(&URL);
        if text.is_empty() {
            return Ok(None);
        }
        let is_url = ["postgresql://", "postgres://"]
            .iter()
            .any(|scheme| text.starts_with(scheme));
        let config: Option<Config> = text.parse().ok().filter(|_| is_url);
        let wanted = "an address as postgresql://USER@HOST/DATABASE";
        let mut config = config.ok_or_else(|| refused(&URL, without_password(text), wanted))?;
        if config.get_password().is_some() {
            let wanted =
                format!("an address without a password: others would see it; set {PASSWORD}");
            return Err(refused(&URL, "(with a password)", &wanted));
        }
        for parameter in SERVER_SETTINGS.iter().chain([&CACHE, &SCALE]) {
            only_default(values, parameter)?;
        }
        if let Some(password) = std::env::var_os(PASSWORD) {
            config.password(password.as_encoded_bytes());
        }
        config.connect_timeout(Duration::from_secs(10));
        config.application_name("etalon");
        Ok(Some(config))
    }

    /// Connects and makes the schema.
    ///
    /// # Errors
    /// [`DatabaseError::Exists`] where there is one of that name, with nothing touched.
    pub(super) fn make(config: Config) -> Result<StandingConnection, DatabaseError> {
        let mut connection = Connection::by(&config)?;
        match connection.execute(&format!("CREATE SCHEMA {SCHEMA}")) {
            Err(DatabaseError::Postgres(error))
                if error.code() == Some(&SqlState::DUPLICATE_SCHEMA) =>
            {
                return Err(DatabaseError::Exists { name: SCHEMA });
            }
            made => made?,
        };
        // From here on dropping it drops the schema.
        let mut standing = StandingConnection {
            config,
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
        let mut connection = Connection::by(&self.config)?;
        connection.execute(&format!("DROP SCHEMA IF EXISTS {SCHEMA} CASCADE"))?;
        Ok(())
    }
}

impl Drop for StandingConnection {
    fn drop(&mut self) {
        // Nobody is left to tell; the next run finds the schema and says so.
        let _ = self.drop_schema();
    }
}

fn within() -> String {
    format!("SET search_path TO {SCHEMA}")
}

/// What may be quoted of an address that cannot be read: a password stands in front of the host or behind a question mark.
fn without_password(text: &str) -> &str {
    let end = text.find("://").map_or(0, |scheme| scheme + 3);
    match text.contains('@') || text.contains('?') {
        true => &text[..end],
        false => text,
    }
}

fn only_default(values: &Values, parameter: &Parameter) -> Result<(), ParameterError> {
    let value = values.text(parameter);
    let why =
        "left as it is with url: a server that stands is not set, and its caches are not emptied";
    match value == parameter.default {
        true => Ok(()),
        false => Err(refused(parameter, value, why)),
    }
}

fn refused(parameter: &Parameter, value: &str, wanted: &str) -> ParameterError {
    // By its entry in the list, whose name lives as long as the program.
    let listed = PARAMETERS.iter().find(|one| one.name == parameter.name);
    ParameterError::Value {
        name: listed.map_or("url", |one| one.name),
        value: value.to_owned(),
        wanted: wanted.to_owned(),
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
        let mut connection = Connection::by(&self.config)?;
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
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::atomic::{AtomicBool, Ordering};

    use etalon_work::{Context, Job, RealWork, WorkEnd, WorkRecord};
    use etalon_workload::PartWitness;
    use tempfile::TempDir;

    use super::*;
    use crate::postgresql::Cluster;

    fn named(given: &[(&str, &str)]) -> Result<Option<Config>, ParameterError> {
        let given = given
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        StandingConnection::named(&Values::parse(&PARAMETERS, &given.collect::<Vec<_>>()).unwrap())
    }

    #[test]
    fn a_server_is_named_without_a_password_and_is_not_set() {
        assert!(named(&[]).unwrap().is_none());
        let url = ("url", "postgresql://me@db.example:5433/shop");
        assert_eq!(named(&[url]).unwrap().unwrap().get_dbname(), Some("shop"));
        let told = |given: &[(&str, &str)]| named(given).unwrap_err().to_string();
        for secret in [
            "postgresql://me:secret@db/x",
            "postgresql://me@db/x?password=secret",
        ] {
            let text = told(&[("url", secret)]);
            assert!(
                text.contains(PASSWORD) && !text.contains("secret"),
                "{text}"
            );
        }
        let broken = told(&[("url", "postgresql://me:secret@db:port/x")]);
        assert!(
            broken.contains("'postgresql://'") && !broken.contains("secret"),
            "{broken}"
        );
        assert!(told(&[("url", "mysql://db/x")]).contains("'mysql://db/x'"));
        assert!(told(&[url, ("fsync", "off")]).contains("fsync: 'off'"));
        assert!(told(&[url, ("cache", "cold")]).contains("cache: 'cold'"));
        assert!(told(&[url, ("scale", "2x-memory")]).contains("scale: '2x-memory'"));
    }

    /// Does something beside a server of its own, which is named as one that stands.
    struct Beside<'t>(&'t (dyn Fn(&mut Cluster<'_>, &str) + Sync));

    impl RealWork for Beside<'_> {
        fn name(&self) -> &'static str {
            "beside"
        }

        fn summary(&self) -> &'static str {
            "A test's"
        }

        fn parameters(&self) -> &'static [Parameter] {
            &PARAMETERS
        }

        fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
            let mut cluster = Cluster::make(job)?;
            let socket = cluster.home().short().display().to_string();
            (self.0)(
                &mut cluster,
                &format!("postgresql://etalon@/postgres?host={socket}"),
            );
            cluster.close()
        }
    }

    /// Stops the work when that step begins.
    struct StopsAt<'s>(&'s str, &'s AtomicBool);

    impl PartWitness for StopsAt<'_> {
        fn begins(&self, name: &str) {
            if name == self.0 {
                self.1.store(true, Ordering::Relaxed);
            }
        }

        fn ended(&self, _: &str) {}
    }

    fn open_to_pass() -> TempDir {
        let place = TempDir::new().unwrap();
        let open = std::fs::Permissions::from_mode(0o711);
        std::fs::set_permissions(place.path(), open).unwrap();
        place
    }

    fn go(
        work: &dyn RealWork,
        given: &[(&str, &str)],
        stops_at: &str,
    ) -> Result<WorkRecord, WorkError> {
        let (place, stop) = (open_to_pass(), AtomicBool::new(false));
        let given = given
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        let record = work.run(&Context {
            directory: place.path(),
            elsewhere: None,
            seed: 7,
            given: &given.collect::<Vec<_>>(),
            stop: &stop,
            witness: &StopsAt(stops_at, &stop),
        });
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
        record
    }

    fn on_server(url: &str, stops_at: &str) -> Result<WorkRecord, WorkError> {
        let given = [
            ("url", url),
            ("rows", "1000"),
            ("inserts", "100"),
            ("commits", "5"),
            ("transactions", "20"),
        ];
        go(&crate::postgresql::Postgresql, &given, stops_at)
    }

    fn schemas(cluster: &mut Cluster<'_>) -> Option<i64> {
        let sql = format!("SELECT count(*) FROM pg_namespace WHERE nspname = '{SCHEMA}'");
        cluster.query(&sql).unwrap().first
    }

    #[test]
    fn a_server_that_stands_is_left_as_it_was() {
        let beside = Beside(&|cluster, url| {
            let record = on_server(url, "").unwrap();
            assert_eq!(record.ended, WorkEnd::Complete);
            let names: Vec<&str> = record.steps.iter().map(|step| &*step.name).collect();
            assert_eq!((names[1], names[2]), ("count", "count warm"));
            assert!(!names.contains(&"checkpoint"));
            let services = record.steps.iter().filter_map(|step| step.service.as_ref());
            assert!(
                services
                    .clone()
                    .all(|service| service.stands && !service.cold)
            );
            assert_eq!(services.count(), names.len());
            assert_eq!(schemas(cluster), Some(0));

            // A stop in the middle.
            let stopped = on_server(url, "query E, sort").unwrap();
            assert_eq!(stopped.ended, WorkEnd::Interrupted);
            assert_eq!(schemas(cluster), Some(0));

            // A schema of somebody else's.
            cluster.execute(&format!("CREATE SCHEMA {SCHEMA}")).unwrap();
            let told = on_server(url, "").unwrap_err().to_string();
            assert!(
                told.contains("has a schema 'etalon_work' already"),
                "{told}"
            );
            assert_eq!(schemas(cluster), Some(1));
        });
        let went = go(&beside, &[], "");
        if let Err(WorkError::MissingProgram { program, .. }) = &went {
            eprintln!("SKIPPED a_server_that_stands_is_left_as_it_was: no {program}");
            return;
        }
        // It has timed no step, so that its end is an error only where something failed.
        assert_eq!(went.unwrap().ended, WorkEnd::Complete);
    }
}
