//! A cluster of its own: made, started, stopped and started again.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use etalon_factor::Server;
use etalon_model::ServiceFacts;
use etalon_service::{Home, by_signal, cold, program, until_it_answers};
use etalon_units::Bytes;
use etalon_work::{Job, Parameter, WorkError};
use rustix::process::Signal;

use super::client::{Connection, Counted};
use super::{
    FSYNC, FULL_PAGE_WRITES, MAX_WAL_SIZE, SHARED_BUFFERS, SYNCHRONOUS_COMMIT, WAL_SYNC_METHOD,
};
use crate::read_back::{Asked, read_back};
use crate::session::{Answer, Asks, Session};
use crate::{DatabaseError, explained};

/// Where Debian, Fedora and the makers have the programs.
const PLACES: [&str; 3] = ["/usr/lib/postgresql", "/usr/pgsql", "/usr/local/pgsql"];

/// A cluster, its server and a connection to it.
pub(crate) struct Cluster<'a> {
    home: Home,
    postgres: PathBuf,
    settings: Vec<String>,
    asked: Asked,
    stop: &'a AtomicBool,
    server: Option<Server>,
    connection: Option<Connection>,
}

impl<'a> Cluster<'a> {
    pub(crate) fn make(job: &Job<'a>) -> Result<Cluster<'a>, WorkError> {
        let initdb = program("initdb", places(), "postgresql")?;
        let postgres = program("postgres", places(), "postgresql")?;
        let home = Home::make(job, "PostgreSQL")?;
        let words = [
            "-D",
            ".",
            "-U",
            "etalon",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ];
        home.run(line(&initdb, &words), job.stop())?;
        let mut cluster = Cluster {
            home,
            postgres,
            settings: settings(job),
            asked: asked(job),
            stop: job.stop(),
            server: None,
            connection: None,
        };
        cluster.start()?;
        Ok(cluster)
    }

    fn start(&mut self) -> Result<(), WorkError> {
        let mut words = vec!["-D".to_owned(), ".".to_owned()];
        words.extend(
            self.settings
                .iter()
                .flat_map(|setting| ["-c".to_owned(), setting.clone()]),
        );
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut server = self.home.start(line(&self.postgres, &words))?;
        let short = self.home.short();
        let connection =
            until_it_answers(&self.home, &mut server, self.stop, || Connection::to(short))?;
        self.connection = Some(connection);
        self.server = Some(server);
        let shown = self.facts()?.settings;
        Ok(read_back("PostgreSQL", &self.asked, &shown)?)
    }

    fn connection(&mut self) -> Result<&mut Connection, DatabaseError> {
        self.connection.as_mut().ok_or(DatabaseError::Gone {
            engine: "PostgreSQL",
        })
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
            .map_err(WorkError::io("end", &self.postgres))
    }

    /// Ends it at once: what it holds goes away with it.
    pub(crate) fn close(mut self) -> Result<(), WorkError> {
        self.end(Signal::QUIT)
    }
}

impl Asks for Cluster<'_> {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        let done = self.connection()?.execute(sql);
        done.map_err(|error| explained(&self.home, self.server.as_mut(), error))
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        let done = self.connection()?.query(sql);
        done.map_err(|error| explained(&self.home, self.server.as_mut(), error))
    }

    fn scan(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        let done = self.connection()?.scan(sql);
        done.map_err(|error| explained(&self.home, self.server.as_mut(), error))
    }
}

impl Session for Cluster<'_> {
    fn make_cold(&mut self) -> Result<Bytes, WorkError> {
        self.end(Signal::INT)?;
        let kept = cold::empty(self.home.data())?;
        self.start()?;
        Ok(kept)
    }

    fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
        let facts = self.connection()?.facts(Counted::Server)?;
        let time = self.server.as_ref().map(Server::processor_time);
        Ok(ServiceFacts {
            server_cpu: time.unwrap_or_default().into(),
            ..facts
        })
    }

    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
        Ok(Box::new(Connection::to(self.home.short())?))
    }

    fn vacuum(&self) -> &'static [&'static str] {
        &["VACUUM FULL", "ANALYZE"]
    }

    fn checkpoint(&self) -> &'static [&'static str] {
        &["CHECKPOINT"]
    }

    fn interrupter(&self) -> Box<dyn Fn() + Send> {
        by_signal(self.home.data().to_owned())
    }
}

/// The folders of all versions, the newest first.
pub(crate) fn places() -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for entry in PLACES
        .iter()
        .filter_map(|place| fs::read_dir(place).ok())
        .flatten()
        .flatten()
    {
        let version = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        found.push((version.unwrap_or(0), entry.path().join("bin")));
    }
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

fn line(program: &std::path::Path, words: &[&str]) -> Vec<OsString> {
    let mut line = vec![program.as_os_str().to_owned()];
    line.extend(words.iter().map(Into::into));
    line
}

/// The settings that are words.
const WORDS: [Parameter; 4] = [FSYNC, SYNCHRONOUS_COMMIT, FULL_PAGE_WRITES, WAL_SYNC_METHOD];

/// Those that are sizes, with the unit in which PostgreSQL shows them, in KiB.
const SIZES: [(Parameter, u64); 2] = [(SHARED_BUFFERS, 8), (MAX_WAL_SIZE, 1024)];

fn kibibytes(job: &Job<'_>, parameter: &Parameter) -> u64 {
    job.values().size(parameter).get().div_ceil(1024)
}

/// What the server shall show of them; a size that is no whole number of its units is rounded by it.
fn asked(job: &Job<'_>) -> Asked {
    let words = WORDS
        .iter()
        .map(|word| (word.name, job.values().text(word).to_owned()));
    let sizes = SIZES.iter().filter_map(|(parameter, unit)| {
        let kibibytes = kibibytes(job, parameter);
        let is_whole = kibibytes.is_multiple_of(*unit);
        is_whole.then(|| (parameter.name, (kibibytes / unit).to_string()))
    });
    words.chain(sizes).collect()
}

/// `NAME=VALUE`, as `postgres -c` takes them.
fn settings(job: &Job<'_>) -> Vec<String> {
    let mut settings: Vec<String> = WORDS
        .iter()
        .map(|parameter| format!("{}={}", parameter.name, job.values().text(parameter)))
        .collect();
    for (parameter, _) in SIZES {
        let kibibytes = kibibytes(job, &parameter);
        settings.push(format!("{}={kibibytes}kB", parameter.name));
    }
    let own = [
        "listen_addresses=",
        "unix_socket_directories=.",
        "dynamic_shared_memory_type=mmap",
        "max_connections=200",
        "logging_collector=off",
        "autovacuum=off",
    ];
    settings.extend(own.map(str::to_owned));
    settings
}
