//! A server of its own: made, started, stopped and started again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etalon_factor::Server;
use etalon_model::ServiceFacts;
use etalon_service::{Home, by_signal, cold, on_stop_or_stuck, program, until_it_answers};
use etalon_units::Bytes;
use etalon_work::{Job, WorkError};
use rustix::process::Signal;

use super::address::{Address, Endpoint};
use super::client::Connection;
use super::{BINARY_LOG, BUFFER_POOL, DOUBLEWRITE, FLUSH_LOG, FLUSH_METHOD};
use crate::read_back::{Asked, read_back};
use crate::session::{Answer, Asks, Session};
use crate::{DatabaseError, explained};

/// A data directory, its server and a connection to it.
pub(crate) struct Instance<'a> {
    home: Home,
    mariadbd: PathBuf,
    settings: Vec<String>,
    asked: Asked,
    stop: &'a std::sync::atomic::AtomicBool,
    server: Option<Server>,
    connection: Option<Connection>,
}

impl<'a> Instance<'a> {
    pub(crate) fn make(job: &Job<'a>) -> Result<Instance<'a>, WorkError> {
        let install = program("mariadb-install-db", [], "mariadb-server")?;
        let mariadbd = program("mariadbd", [], "mariadb-server")?;
        let home = Home::make(job, "MariaDB")?;
        let data = format!("--datadir={}", home.data().display());
        let temporary = temporary(&home.directory(TEMPORARY)?);
        let words = [
            "--no-defaults",
            &data,
            &temporary,
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--skip-name-resolve",
        ];
        home.run(line(&install, words.map(str::to_owned)), job.stop())?;
        let mut instance = Instance {
            settings: settings(job, &home),
            asked: asked(job),
            home,
            mariadbd,
            stop: job.stop(),
            server: None,
            connection: None,
        };
        instance.start()?;
        let (home, interrupt) = (instance.home.clone(), instance.interrupter());
        on_stop_or_stuck(job.stop(), &home, interrupt, || {
            instance.execute("CREATE DATABASE IF NOT EXISTS etalon")?;
            instance.execute("USE etalon")?;
            Ok(())
        })?;
        Ok(instance)
    }

    fn start(&mut self) -> Result<(), WorkError> {
        let words = line(&self.mariadbd, self.settings.iter().cloned());
        let mut server = self.home.start(words)?;
        let socket = self.address();
        let connection = until_it_answers(&self.home, &mut server, self.stop, || {
            Connection::to(&socket, b"").map_err(DatabaseError::from)
        })?;
        self.connection = Some(connection);
        self.server = Some(server);
        let shown = self.facts()?.settings;
        Ok(read_back("MariaDB", &self.asked, &shown)?)
    }

    /// Of its socket, for root, who has no password there.
    fn address(&self) -> Address {
        Address {
            place: Endpoint::Socket(self.home.short().join("socket")),
            user: "root".to_owned(),
        }
    }

    fn connection(&mut self) -> Result<&mut Connection, DatabaseError> {
        self.connection
            .as_mut()
            .ok_or(DatabaseError::Gone { engine: "MariaDB" })
    }

    /// Its directory.
    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// An error of a client's program, or the end of the server where that is why.
    pub(crate) fn died_of(&mut self, error: WorkError) -> WorkError {
        let is_of_program = matches!(error, WorkError::Exit { .. });
        let server = self.server.as_mut().filter(|_| is_of_program);
        let death = server.and_then(|server| self.home.death_of(server));
        death.map_or(error, Into::into)
    }

    fn end(&mut self, signal: Signal) -> Result<(), WorkError> {
        self.connection = None;
        let server = self.server.take();
        server
            .map_or(Ok(()), |server| server.end(signal))
            .map_err(WorkError::io("end", &self.mariadbd))
    }

    /// Ends it at once: what it holds goes away with it.
    pub(crate) fn close(mut self) -> Result<(), WorkError> {
        self.end(Signal::KILL)
    }
}

impl Asks for Instance<'_> {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        let done = self.connection()?.execute(sql);
        done.map_err(|error| explained(&self.home, self.server.as_mut(), error))
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        let done = self.connection()?.query(sql);
        done.map_err(|error| explained(&self.home, self.server.as_mut(), error))
    }
}

impl Session for Instance<'_> {
    fn make_cold(&mut self) -> Result<Bytes, WorkError> {
        self.end(Signal::TERM)?;
        let kept = cold::empty(self.home.data())?;
        self.start()?;
        self.execute("USE etalon")?;
        Ok(kept)
    }

    fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
        let facts = self.connection()?.facts()?;
        let time = self.server.as_ref().map(Server::processor_time);
        Ok(ServiceFacts {
            server_cpu: time.unwrap_or_default().into(),
            ..facts
        })
    }

    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
        let mut connection = Connection::to(&self.address(), b"")?;
        connection.execute("USE etalon")?;
        Ok(Box::new(connection))
    }

    fn vacuum(&self) -> &'static [&'static str] {
        &["OPTIMIZE TABLE readings"]
    }

    fn checkpoint(&self) -> &'static [&'static str] {
        &["FLUSH TABLES readings FOR EXPORT", "UNLOCK TABLES"]
    }

    fn interrupter(&self) -> Box<dyn Fn() + Send> {
        by_signal(self.home.data().to_owned())
    }
}

fn line(program: &Path, words: impl IntoIterator<Item = String>) -> Vec<OsString> {
    let mut line = vec![program.as_os_str().to_owned()];
    line.extend(words.into_iter().map(Into::into));
    line
}

/// What the server shall show. The size of its cache is rounded up to whole pieces, and is not among them.
fn asked(job: &Job<'_>) -> Asked {
    let value = |parameter| job.values().text(parameter).to_owned();
    let mut asked = vec![
        ("innodb_flush_log_at_trx_commit", value(&FLUSH_LOG)),
        ("innodb_flush_method", value(&FLUSH_METHOD)),
        ("innodb_doublewrite", value(&DOUBLEWRITE)),
    ];
    match value(&BINARY_LOG).as_str() {
        "none" => asked.push(("log_bin", "OFF".to_owned())),
        level => asked.extend([
            ("log_bin", "ON".to_owned()),
            ("sync_binlog", level.to_owned()),
        ]),
    }
    asked
}

/// Takes what a query spills. By default that is the machine's own, which is other storage than the target, and where each
/// server that starts removes the temporary tables of all others.
const TEMPORARY: &str = "temporary";

fn temporary(place: &Path) -> String {
    format!("--tmpdir={}", place.display())
}

/// The options of the server; no file of options of the machine is read.
fn settings(job: &Job<'_>, home: &Home) -> Vec<String> {
    let value = |parameter| job.values().text(parameter).to_owned();
    let pool = job.values().size(&BUFFER_POOL).get();
    let mut settings = vec![
        "--no-defaults".to_owned(),
        format!("--datadir={}", home.data().display()),
        temporary(&home.data().join(TEMPORARY)),
        format!("--ignore-db-dirs={TEMPORARY}"),
        "--socket=socket".to_owned(),
        "--skip-networking".to_owned(),
        "--skip-name-resolve".to_owned(),
        format!("--innodb-buffer-pool-size={pool}"),
        "--innodb-buffer-pool-dump-at-shutdown=0".to_owned(),
        "--innodb-buffer-pool-load-at-startup=0".to_owned(),
        format!("--innodb-flush-log-at-trx-commit={}", value(&FLUSH_LOG)),
        format!("--innodb-flush-method={}", value(&FLUSH_METHOD)),
        format!("--innodb-doublewrite={}", value(&DOUBLEWRITE)),
    ];
    match job.values().text(&BINARY_LOG) {
        "none" => settings.push("--skip-log-bin".to_owned()),
        level => settings.extend([
            "--log-bin=changes".to_owned(),
            format!("--sync-binlog={level}"),
        ]),
    }
    settings
}
